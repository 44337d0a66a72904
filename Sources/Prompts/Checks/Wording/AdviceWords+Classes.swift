/// Advice by classes of meaning: a step with money and a word that praises it, a price and the worth behind it, a
/// chance and its end, what somebody will think later.
extension AdviceWords {
    static let classLists = [
        "asset": lists["asset"] ?? "", "share": lists["share"] ?? "",
        "people": """
        you buyer buyers seller sellers owner owners holder holders investor investors shareholder shareholders newcomer
        newcomers latecomer latecomers saver savers doubter doubters those anyone whoever
        """,
        "placing": """
        moving shifting putting switching swapping exchanging keeping parking placing leaving spreading setting
        transferring turning converting directing tucking
        """,
        "funds": "money cash savings capital pension shares stock stocks bonds funds fund deposits",
        "praised": "wise wiser sensible prudent sound clever smart better best reasonable shrewd astute timely overdue",
        "seems": "looks look seems seem appears would may might could feels sounds",
        "refuge": "seat harbour harbor haven shelter port corner berth refuge",
        "proud": "clever smart wise foolish silly glad vindicated happy sorry grateful lucky",
    ]

    static let classPatterns = """
        @placing *6 @funds *6 @seems *4 @praised
        letting go of *4 @asset *3 @seems
        @people *6 look|looks|seem|seems|prove|proves|be|feel|feels *1 @proud & will|would|may|might|hindsight
        hindsight|retrospect & @people|@asset *6 will|would|may
        look|looks|looking back *2 with|without *3 regret|pride
        for less|cheaper *1 than *5 worth & @share|hands|price|market
        below|under|beneath *1 what *5 worth & @share|business|company|price|market
        not|never|hardly|still *2 too late to *1 join|own|buy|climb|hop
        not|never|rarely|seldom|won't *1 come|comes|return|returns|knock|knocks *1 twice|again|round|often & chance|price|opportunity|opening|level
        safest|calmest|wisest|warmest|driest @refuge
        keep|keeping|have|having *2 hand|foot|eye on|near *1 door|exit|exits|brake
        few|no|rarely|seldom *4 reward|rewards|repay|repays *1 patience|trust|holders|owners|courage
        newcomers|latecomers|doubters *3 chance|chances|opening|invitation|opportunity|entrance
        wiser|kinder|calmer|cosier|surer|sounder|steadier home|place|house|spot *2 for *3 money|savings|cash|pension
        why wait|hesitate|sell|delay|rush
        who would|could|can *1 part|refuse|resist|complain
        insiders|executives|directors|managers *3 buying|selling & know|knows|tend|telling|sign
        slice|bit|portion|fraction|sliver|little|part *4 savings|money|pension|capital *4 well|better|best|safely *1 placed|spent|used|invested|kept|put
        fall|drop|dip|slide|weakness|decline *3 should|ought|deserves *2 welcomed|welcome|embraced
        easy|quick money *3 made|gone|earned
        no|little|any business|place in *5 account|accounts|savings|pension|retirement|portfolio|portfolios
        company|business|one|bank|name|firm to *1 own|hold|keep for *2 decade|decades|years|life|ever|good
        far|much|do worse than *2 put|own|owning|buying|holding|@placing
        market|markets|investors|crowd|others *3 yet to *1 wake|notice|grasp|price|catch|understand
        better|cheaper|lower|kinder days|times|prices|moments *1 to *1 buy|sell|own|get
        doing something|nothing *2 beats|costs|wins|pays
        takes|take|needs|took|asks *2 nerve|nerves|courage|patience|stomach|discipline|resolve *3 will|should|may|has|usually *2 pay|pays|paid|rewarded
        through|on|with *4 nerve|courage|patience *3 will|should|may *1 pay
        as good|fine|fair|kind *2 a|an *3 point|time|moment|day|price|place|entry|chance *3 as|to
        """
}
