/// Advice by its structure: a share, a position or a dividend, and a word that praises it as a thing to own, buy or keep;
/// or an owner to whom something is promised.
///
/// What a sentence gives as somebody's view is left out: "the analyst called the share a good choice".
extension AdviceWords {
    static let praiseLists = [
        "share": """
        share shares stock stocks equity equities stake stakes holding holdings position positions shareholding title
        titles certificate certificates
        """,
        "paper":
            "share shares stock stocks dividend dividends portfolio savings saver savers investor investors buyback",
        "own": "own owning hold holding have having keep keeping possess possessing buy buying add adding",
        "fit": """
        belong belongs belonged fit fits suit suits sit sits deserve deserves deserved earn earns earned merit merits warrant
        warrants find finds found
        """,
        "store": """
        collection collections portfolio portfolios savings drawer basket baskets nest account accounts pension pensions
        wealth household households family families shelf safe estate hands list lists
        """,
        "join":
            "join joining become becoming come coming climb climbing jump jumping step stepping get getting enter entering own owning hop",
        "inside":
            "owner owners aboard board in shareholder shareholders register shares share stock ranks holder holders club",
        "hardly":
            "hard hardly difficult tough impossible scarcely rarely cannot can't seldom never not no nobody little",
        "good": """
        best better finest top safest soundest surest wisest smartest nicest strongest sensible sound solid fine few
        favourite favorite great good safe sure
        """,
        "pick":
            "pick picks choice choices bet bets investment investments idea ideas option options addition catch find",
        "who": "whoever anyone anybody those everyone people somebody someone who investors savers owners",
        "waiting": "waiting waited hoped hoping hesitated hesitating doubted longed looked looking wondered wondering",
        "sign": "sign signal moment entry door chance dip discount opening price",
        "modal": "may might can could should would must",
        "pocketed": "pocket pocketed taken banked tucked bagged harvested realised realized home",
        "gain": "gain gains profit profits winnings",
    ]

    static let praisePatterns = """
        @fit *7 in|into|to|among|with *4 @store & @paper|share|shares|stock|stocks
        reason|reasons|argument|arguments|case|grounds|excuse|motive *3 to|for *3 @join *4 @inside
        @hardly *4 go|going wrong *1 with|by|in & @share|@paper|maker|company|name|bank|business|owning|buying|holding
        @hardly *4 mistake|error|folly|sin|blunder|crime *2 to *2 @own
        @share *6 are|is|was|remain|remains|make|makes|as|among *4 @good *3 @pick
        @good *3 @pick|share|shares|stock|stocks *2 of *1 year|decade|market|exchange|sector|lifetime|life & @share|company
        chance|opportunity|bet|deal|bargain of *1 your|a|the|one's *1 life|lifetime|year|decade|century
        there|there's *2 no|nothing|little *2 wrong|harm|amiss|bad|shame|danger *2 with|in *6 @share|dividend|portfolio
        @share|portfolio *8 @hardly *2 hurt|hurts|harm|harms|harmed|disappoint|disappoints|disappointed *2 a|an|any|anybody|anyone|nobody|saver|savers|owner|owners|investor|investors
        cost|costs *1 little|nothing|less *2 to *2 own|hold|have|buy|keep
        door|doors|room|space|gate|seat|place *3 for *2 @who *1 who *4 believe|believes|like|likes|trust|trusts|want|wants|missed|love|loves & @paper|share|shares|board|company|drug|fall|price
        @who *8 have|has|will *2 found|find|met *3 share|stock|match|company|home & @who
        @who *5 @waiting *7 @sign *8 has|have|been|now|given|got|it|here|one
        sensible|reasonable|prudent|sound|wise|modest|small *1 allocation|position|holding|stake|exposure *10 hard|difficult|argue|sensible|right|wrong
        hard|difficult|tough|impossible to *1 argue *1 with|against & @share|allocation|position
        @gain|half|some|part *4 @modal *4 put|@pocketed *4 pocket|home|aside|bank|safe
        @gain *4 @modal *3 @pocketed
        @modal *4 pocket *4 @gain|percent|part|half
        comfortable|pleasant|quiet|restful|calm|good|fine|nice|solid|decent|safe|sound|sensible *1 thing|company|share|stock|business|place|holding|name|one to *1 own|hold|have|keep
        kind|good|generous|rewarding|friendly|profitable|gentle to *2 those|owners|holders|people *6 register|aboard|already|board|hold|held|own|owned|stayed
        portfolio|share|shares|stock|dividend *4 serve|serves|serving|served *3 well
        taste|appetite|eye for *4 found|find *3 @share
        sleep|sleeps|rest|rests *2 soundly|quietly|easy|well *3 with *3 @share
        there are|is *2 worse|poorer|sillier *3 for|than *4 savings|pension|money|portfolio|share|shares
        nobody|no *3 ever|yet *3 recommending|owning|holding|buying|keeping
        @hardly *2 regret|regrets|regretted *3 @own
        """
}
