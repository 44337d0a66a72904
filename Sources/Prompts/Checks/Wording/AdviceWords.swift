/// Patterns of sentences that advise to trade, or that forecast the price of a share.
enum AdviceWords {
    static let lists = [
        "holder": """
        you investor investors reader readers holder holders shareholder shareholders stockholder stockholders
        trader traders saver savers
        """,
        "person": "owner owners buyer buyers seller sellers anyone anybody everyone those people somebody someone one",
        "modal": "should ought could may might can would need needs must want wants wish wishes prefer had do advised",
        "trade": """
        buy sell accumulate offload unload dump trim rebalance overweight underweight divest reinvest
        """,
        "trading": """
        buying selling accumulating offloading unloading dumping trimming rebalancing divesting
        """,
        "change": """
        add reduce increase cut raise lower lighten lock secure protect take bank keep hold switch rotate move
        reconsider revisit rethink review reassess adjust scale pare avoid hedge consider think exit short
        """,
        "changing": """
        adding reducing increasing cutting raising lowering lightening locking securing protecting taking banking
        keeping holding switching rotating moving reconsidering revisiting rethinking reviewing reassessing
        adjusting scaling paring owning avoiding hedging exiting
        """,
        "asset": """
        share shares stock stocks position positions stake stakes holding holdings exposure portfolio portfolios
        gain gains profit profits allocation allocations weighting equity equities shareholding shareholdings
        """,
        "share": "share shares stock stocks equity equities",
        "hand": """
        you investor investors reader readers holder holders shareholder shareholders stockholder stockholders
        trader traders saver savers owner owners buyer buyers seller sellers retiree retirees seeker seekers anyone
        someone whoever those prudent patient cautious careful family families
        """,
        "part": "move shift put keep leave spread take want switch park place have",
        "wealth": "money cash savings pension capital nest wealth eggs",
        "holdings": "shares stock stocks position positions holding holdings portfolio fewer less",
        "thing":
            "bank banks bond bonds company business name names winner winners lender insurer rival fund funds level price",
        "eval": """
        better best worse fine ideal wise wiser sensible prudent folly unreasonable foolish natural reason reasons
        backdrop brave easier comfort comfortable attractive stronger right safe safer shame recommend merit sense rewarding
        """,
        "moment": "time moment chance opportunity occasion juncture point window reason signal cue argument excuse",
    ]

    /// A pattern behind a question mark is no opinion in a sentence with "whether", such as one on what is not known.
    static let patterns = """
        @holder *3 @modal *4 @trade|@trading
        @holder *3 @modal *4 @change|@changing *4 @asset
        @holder *3 @modal *3 act|hurry|hesitate|reposition
        @holder *3 should|ought|better|well|wise *3 wait|prepare
        @holder *3 @modal *3 stay|remain|be *1 invested|patient|defensive|selective|cautious|vigilant
        @person *6 @modal *4 @trade|@trading *4 @asset
        @person *6 @modal *4 @change|@changing *4 @asset
        careful|cautious|prudent|patient|sensible|wise|disciplined|savvy|shrewd *1 owner|owners|buyer|buyers|investor|investors|holder|holders|hand|hands|money *6 @trade|@trading|@change|@changing
        prudent|wise|sensible|smart|advisable|shrewd|savvy|tempting|wiser|smarter|prudence *2 to *2 @trade
        prudent|wise|sensible|smart|advisable|shrewd|savvy|tempting|wiser|smarter|better|best|reasonable|worthwhile *2 to *2 @change *4 @asset
        case|argument|merit|logic|sense *2 for|in *2 @trading
        case|argument|merit|logic|sense *2 for|in *2 @changing *4 @asset
        @moment *2 to *1 @trade *4 @asset
        @moment *2 for *2 @trading
        @moment *2 to *2 @change *4 @asset
        @moment *2 for *2 @changing *4 @asset
        @moment *2 to *1 exit|pounce|reposition
        now|this|today|here *3 may|might|could|is|looks|seems|would|appears *4 moment|time|point|juncture|chance|opportunity *2 to|for *3 @trade|@trading|@change|@changing
        now is|may|might|could *2 time|moment
        better|good|great|right|ideal|opportune|perfect|attractive|favourable|favorable *2 time|moment|point|price|level|place|opportunity *2 to|for *2 start|begin|get|jump|step *2 in|buying|building|out|aboard
        lock|locks|locking|locked in *3 gain|gains|profit|profits|return|returns|loss|losses
        take|taking *2 profit|profits
        book|booking|bank|banking|crystallise|crystallising|crystallize|crystallizing|harvest|harvesting *2 gain|gains|profit|profits
        money|chips|something|profits|some|little off the table
        cash|cashing in|out *4 @asset
        buy|buying|add|adding|accumulate|accumulating|sell|selling|trim|trimming *4 on|into *1 weakness|strength|dip|dips|pullback|pullbacks|rally|rallies
        buy|buying *1 dip|dips|weakness|pullback|pullbacks
        entry|exit point|points|level|levels|price|prices|opportunity|opportunities|window
        exit strategy & @holder|@share
        add|adding|adds to *2 position|positions|holdings
        start|starting|initiate|initiating|open|opening|build|building|begin|beginning a|to *1 position|positions
        better|best|safer|good|right|sensible|natural place|home|spot *2 for *3 savings|money|cash
        worth *5 more|higher than *3 today|now|present|current|price
        market|markets|investors *3 yet|failed|slow|unwilling to *2 recognise|recognize|notice|appreciate|reward
        safe|safer|sound *2 to *1 hold|own|keep|buy & @share|fund|funds|bond|bonds
        build|building|start|starting|initiate|initiating|establish|establishing a *2 position & @share
        trim|trimming|lighten|lightening|pare|paring *3 exposure|position|holding|holdings|weighting
        belong|belongs|deserve|deserves|merit|merits|warrant|warrants|earn|earns|find|finds *4 any|every|a|your|balanced|diversified|patient|many|most|their *2 portfolio|portfolios
        place|room|spot|home in *1 any|every|a|your|balanced|diversified|patient|many|most|their *1 portfolio|portfolios
        worth *1 buying|owning|holding|selling|adding|accumulating|snapping
        worth a|another *1 closer|second|serious|careful look
        ?look|looks|looking|appear|appears|seem|seems|remain|remains|is|are|trade|trades|trading *3 cheap|inexpensive|undervalued|overvalued|underpriced|overpriced|oversold|overbought|mispriced & @share|price|valuation
        ?look|looks|looking|appear|appears|seem|seems|remain|remains *3 attractive|compelling|appealing|tempting|enticing|interesting & @share|price|valuation|level
        ?attractive|attractively|compelling|appealing|tempting|enticing|interesting|sensibly *2 price|priced|valued|valuation|valuations|level|levels|entry & @share|@holder|valuation|level|levels|owners
        ?attractive|attractively|compelling|appealing|tempting|enticing|interesting|value|cheap *5 at this|these|current|today's|present *1 price|prices|level|levels|valuation|valuations
        ?at this|these|current|today's|present *1 price|prices|level|levels|valuation|valuations *5 attractive|compelling|appealing|tempting|enticing|interesting|value|cheap|bargain|opportunity
        patient|patience|brave|bold|contrarian|loyal|disciplined *4 rewarded|vindicated|reward|rewards & @share|@holder|owners|buyers|time|be|been|usually
        reward|rewards|rewarded|rewarding *1 patient|patience|those
        those who *4 act|acted|buy|bought|sell|sold|wait|waited|hesitate|hesitated|move|moved|hold|held|stay|stayed *8 regret|miss|missed|rewarded|benefit|ahead|better|glad|gain|thank
        ?bargain|bargains & @share|price
        no brainer|brainers
        safe|sure|easy bet|bets|thing|winner
        screaming|table|strong|conviction buy|pounding
        must own
        too good|cheap|attractive|compelling *2 to *1 ignore|miss|pass|resist
        hard|difficult|tough to *1 resist|pass & @share|price|level|valuation
        upside *3 from|ahead|remains|left|here|potential
        further|more|plenty|considerable|significant|limited|much *2 upside
        limited|little|minimal|scant *1 downside
        room to run
        shares|stock|stocks *5 poised|set|primed|positioned|due|ripe|likely|bound|destined|expected|headed|should|will|ready *3 rise|rally|rebound|climb|recover|outperform|appreciate|jump|rerate|recovery|gain|gains|double|higher|fall|drop|lower
        shares|stock|stocks *2 could|may|might|can|has|have *4 rise|rally|rebound|climb|recover|outperform|appreciate|double|triple *3 from|soon|again|sharply|further|here|above
        price target|targets
        stay|staying|stays|remain|remaining *1 invested
        sit|wait|stay|remain|staying|sitting|waiting|remaining *1 on the sidelines
        sit|sitting tight
        stay|staying the course
        hang|hanging|hold|holding on|onto *4 @asset
        wait|waiting for *3 dip|pullback
        wait|waiting for *2 better|lower|cheaper price|prices|level|levels|entry & @share|@holder|valuation
        ahead of the crowd|pack|herd
        before *4 others|everyone|rest|market|crowd|everybody *3 notice|notices|catch|catches|realise|realises|realize|realizes|wake|wakes|do|does|follow|follows
        while *3 price|prices|shares|valuations|stock *3 low|cheap|lasts|last|down
        comfortable|happy|content|glad *2 hold|holding|own|owning|buy|buying|keep|keeping|sell|selling *5 @asset|through|it|them
        one|ones|name|names to *1 own|avoid|buy|hold|shun
        steer clear
        stay|keep|staying|keeping *1 away from & @asset
        best|better|wisely avoided|sold|bought
        load|loading|stock|stocking up on & @asset
        rebalanc~|diversif~ *3 your|their portfolio|portfolios|holdings|savings
        get|getting in|out *2 while|before|early|now
        worth|time|wise|prudent|sensible|moment *4 asking|consider|considering|reviewing|revisiting|rethinking|reassessing *8 @asset
        consider|considering *2 @trading & @share|@holder|owners|position
        recommend|recommends|suggest|suggests|advise|advises *3 @trading|@trade|holding & @asset
        @trading|@changing|holding *3 @asset|dip|dips|weakness|strength|noise *6 would|makes|make|has|looks|seems|is|may|might|could *4 harm|sense|paid|pay|off|wrong|mistake|sensible|wise|prudent|rewarded|worked|better|rational|reasonable|fair|regret
        buying|selling|holding|owning|staying|waiting|patience *4 has|have|is|was|usually|rarely|would|may|could|tends *3 paid|pay|worked|wrong|mistake|sensible|wise|prudent|wiser|rewarded|harm
        makes|make|made *2 sense to *2 @trade|hold|wait|own|add|trim|reduce|lighten|diversify|switch|keep
        sensible|right|smart|wise|prudent|simple|simplest|best|safest|wisest|easiest thing|course|move|choice|response|step|option|approach|answer *3 is|would|may|might|be *4 hold|holding|wait|waiting|sell|selling|buy|buying|add|adding|nothing|stay|staying|own|owning|reduce|reducing
        could|might do *1 worse than
        gift|present|windfall *3 buyers|investors|holders|owners|savers|patient
        favour|favours|favor|favors|suit|suits *1 buyers|sellers|holders|patient|investors|bulls|bears
        small|modest|starter|partial|token|larger|bigger|first position|stake|holding *3 seems|looks|makes|may|would|could|appears
        room for *3 shares|stock|price to *1 rise|climb|grow|recover|run
        buyer|buyers|owner|owners *2 at|near this|these|current|today's|present *1 price|prices|level|levels
        watchlist|watchlists
        time to let *4 go
        let|letting *3 @asset go
        many|most|some|others|few *2 owners|holders|investors|buyers|shareholders *3 would *6 add|buy|sell|reduce|trim|lighten|hold|own
        would|should|might|could *2 be *2 buyer|buyers|seller|sellers & @holder|owner|owners|hand|hands|we|i|one
        anyone|those|whoever|everyone *5 may|might|could|should|would *2 want|wish|prefer|consider|think|like to|about & @asset
        well|better advised to
        sleep better *3 with|without|owning
        hard|difficult|no *2 to *1 see|imagine|find *2 why|reason|reasons *5 sell|buy|hold|own|wait
        dip|dips|pullback|weakness|selloff|drop|slide|setback *2 looks|is|seems|offers|may|could *4 gift|chance|opportunity|opening|invitation
        appealing|attractive|rare|compelling|interesting|good|great|unique|golden|tempting|excellent opportunity|opportunities & @holder|@share|price|buyers|owners|level
        better|best|wiser|safer *1 to *1 wait|hold|sit|stay
        risk and|to|versus reward *3 favour|favours|favor|favors|attractive|good|skewed|now|is
        price is right
        take|taking|took *2 position|positions & @share
        still|already *2 cheap|inexpensive|undervalued & @share
        stand|standing|stay|staying|step|stepping aside & @share|portfolio|portfolios|investors|holders|owners|buyers
        scale|scaling|ease|easing|leg|legging|average|averaging in|into|out *3 @asset|gradually|slowly|quietly|over
        begin|start|beginning|starting to *2 scale|ease|build|accumulate|buy|sell|reduce|trim *1 in|out|up|@asset
        time to *1 get|jump|climb|hop *1 aboard|in|out|on
        powder dry
        pick|picking|scoop|scooping|snap|snapping up *4 @asset|bargain|bargains
        realise|realize|realising|realizing|harvest|monetise|monetize *3 gain|gains|profit|profits|portion|part|half|some
        modest|small|larger|smaller|partial|token|core|higher|lower allocation|allocations|weighting
        core holding|holdings
        shareholders|holders|investors|owners *3 may|might|could|should|can|would *6 to exit
        exit gracefully|quietly|now|early|entirely
        money well spent|invested
        handing|hands|giving|gives|offering|offers *3 discount|discounts & @share|price|market|buyers
        odds *4 side|favour|favor|favours|favors
        hard|difficult|tough to *1 pass|beat|match & dividend|@share|price
        price|shares|stock|valuation *6 becomes|become|gets|get|turns|grow|grows *1 interesting|attractive|compelling|tempting
        little|nothing|much|everything to *1 lose|gain *2 by
        look no further
        for|to those|anyone|investors|owners|people|buyers|holders with|who|willing|able|prepared|looking|seeking|having *3 patience|patient|wait|horizon|nerve|stomach|conviction|cash|growth|income|yield|value|appetite|courage
        fair|good|decent|sensible|ideal|perfect|attractive entry
        argues|argue|speaks|speak|points *1 for|against|to *2 patience|exit|buying|selling|holding|picking|owning|trimming|adding
        long|longer term|run *4 looks|seems|should|will|worth *4 well|good|rewarding|better|winner|attractive|spent|having
        worth *1 having|keeping|getting & @share
        time to *2 rotate|reposition|rebalance|trim|lighten|sell|buy|accumulate
        owning|holding|buying|selling *4 is|was|would *2 simplest|best|easiest|safest|surest|way|answer
        earned|earns|deserves|keeps *2 spot|place|seat *3 holdings|portfolio|portfolios
        broke taking
        upside *3 outweigh~|exceed~|beats
        @hand *6 @modal *6 @part *3 @wealth|@holdings
        @hand *4 @modal *6 elsewhere|others
        @hand *4 @modal|will *3 glad|grateful|thankful|pleased
        @hand *3 has|have *2 every|good|little|no|ample *1 reason|cause|need *2 to
        @hand *4 can|could *3 sit|lean|relax|rest|shrug|breathe
        @hand *4 will|would *2 know|knows what to do
        @hand *4 sleep|rest|breathe *1 easier|easily|better|well
        lighten|lightening|lightened up
        leave|leaving|left *4 to|for others & @hand|@asset|one
        look|looks|looking|head|heading|making|make|run *2 for *1 door|doors
        reason|cause *2 to *1 look|turn|go elsewhere
        money|savings elsewhere & want|wants|prudent|before|next
        tuck|tucked|tucking|stash|stashed *2 away
        bottom drawer
        buy|shopping|wish list & @asset|dividend|company|name
        on|off *1 menu & @asset
        powder *2 dry
        took|takes *2 chips|profits|gains|something|money *1 home|off
        offer|offers|offered|give|gives|provide|provides|hand|hands|leave|leaves *3 entry|entrance|invitation
        comfortable|good|better|attractive|decent|easy|fair|fine|low|lower *1 entry
        price|level|levels|prices *3 give|gives|leave|leaves|offer|offers|hand|hands *4 @hand|cushion|margin
        price|level|levels|prices *3 give|gives|leave|leaves|offer|offers *4 room *2 above|upwards|left|yet|run|rise|climb|grow|gain|gains|growth|upside|more
        second|another|last|rare|open invitation
        missed *8 invitation|chance|opportunity
        market|markets *3 giving|handing|selling *3 away|cheaply|cheap
        shares|stock|stocks *5 usually|often|tend|tends|typically|generally|rarely|seldom|normally *3 lose|fall|drop|rise|climb|gain|recover|rally|do|beat|bounce|follow
        shares|stock|stocks *4 further|more|way|far *2 to *1 go|run|climb|fall|rise|travel
        shares|stock|stocks|price *3 catching|catch up to|do
        shares|stock|stocks *4 may|might|could|will|should *3 worth *2 twice|double|more|far|much|three
        shares|stock|stocks *4 coiled|spring|launchpad|runway
        worst|bottom|low|trough *3 shares|stock|price *3 past|over|behind|in|reached
        weakness|dip|dips|slide|setback|pullback *8 to *1 last|pass|repeat
        dip|dips|weakness|crash *4 were|was|been *2 paid|rewarded|right
        easier|better|safer|harder to *1 admire|watch|like *3 own|buy|hold
        worth a|another|its *3 place|spot|slot|corner
        place|spot|slot|corner *1 in|on *3 savings|pension|list|nest|retirement
        @eval *5 own|owning|trimming|trim|parting|holding *5 @asset|@thing
        own|owning|trimming *5 @thing|@asset *6 @eval
        better|best|worse|worst|safer|good|right|sensible|natural *1 place|home|homes|spot|use|company *4 savings|money|cash|pension|capital|retirement
        use *3 savings|money|cash|capital *3 lies|is|would|may
        holding|position|stake *3 would|may|might|could *2 let|allow|leave|help|ease *4 rest|sleep|breathe|easier|nights
        putting|setting|laying|put|set|lay *3 aside *3 name|shares|stock
        few|nobody|none|who|hardly *2 would|could|can *1 blame|fault|criticise|begrudge
        forgiven for *3 taking|selling|buying|adding|trimming|leaving|holding|owning
        not|hardly|nothing|no *2 unreasonable|foolish|rash|folly|unwise|silly|shame|sin|crime|harm *2 to|in|for|about *2 @trade|@trading|@change|@changing|own|owning|leave|leaving|selling
        would|may|might be *2 folly|foolishness|foolish
        consider|ask|ponder|think|reflect *3 whether|how|on *8 @asset *6 fit|fits|suits|suit|right|large|plan
        reflect|reflecting on *2 @asset
        spread|spreading *2 money|savings|eggs|bets|wealth
        history|time|market|markets *3 rewards|rewarded|kind|punishes|punish
        much|plenty|lots|little|nothing *1 to *1 like|love|dislike|recommend
        suggests|recommends|beckons itself|now
        rotation|switch|shift|move from|out|into *6 suggests|beckons|appeals|names
        leave|leaving|keep|keeping *3 position|positions|holdings|portfolio|shares *1 untouched|alone|be
        fix|fixing|refinanc~|locking|lock *3 rate|rates|loan|loans|mortgage|mortgages *3 soon|now|while|early|today
        comfortable|wise|wiser|sensible|time|better|safer|prudent *3 fix|fixing|refinanc~ *3 rate|rates|loan|loans|mortgage|mortgages
        part|parting with *2 shares|stock|holding|holdings
        stay|staying put
        gained *1 by|from waiting|selling|buying|holding
        rarely|seldom|never *2 regretted|regret|punished|wrong
        sell|selling|buying|buy half|some|all|everything|more & shame|harm|wrong|sense|regret~|wise|sin
        getting|get out before|ahead|while|early
        smart|patient|big|long-term|cautious|clever|wise money
        so|as much for *2 so|as little
        friendlier|kinder|gentler|better|lower *1 price|prices|level|levels & @hand|someone|wait|ask|hope
        kind|sort of price|level|stock|company|share|name *2 at|to|for|that|which
        price at which *6 interested|buyers|owners|money
        pays|paid *2 owner|owners|you|one|holders|investors *2 to *1 wait|be|stay|hold
        largest|core|permanent|lasting|bigger|larger|smaller holding|place|position *3 of|in|for *3 careful|patient|any|every|family|portfolio|savings
        for *1 believers|gamblers|optimists|speculators *1 only|alone
        serve|suit|suits|serves *3 readers|savers|holders|investors|owners *1 better|well|best
        for *2 owner|owners|holder|holders|buyer|buyers *2 to *1 do|fare|come *1 well|out|better
        moment|time|day|hour for *4 shares|stock|stocks *4 come|arrived|here
        not *2 brave|bold|expert|genius *2 to
        @hand *6 little|nothing to lose
        cautious|careful|patient portfolio|portfolios
        half|third|quarter of *3 weight|weighting|position|holding & @asset|portfolio|plenty|enough
        thing one gives|leaves|keeps
        missing|miss|missed out
        price *2 looks|is|seems|appears *2 generous|kind|friendly
        pity|mistake|shame|error *2 to *2 part|sell|buy|own|hold|leave|wait
        selling|buying|waiting|holding now *4 would|could|may|might
        recovery *3 without|miss|lock
        best enjoyed|watched|left|admired from|at|to|by
        deserve|deserves|merit|merits|warrant|warrants|worth *1 another|second|fresh look
        let|letting *3 @asset lie|run|ride|rest|sit
        gap *2 between price *5 close|closes|narrow~
        fence *8 climb|jump|reason|decide
        did|do|done|fared *2 well|best|better *1 by *2 doing|holding|waiting|staying|selling|buying
        shares|stock *2 bought|added|sold each|every month|week|year
        too dear|expensive|cheap|costly|rich for *2 what|most|many|comfort
        cheaper|better|safer|easier|simpler ways|way *1 to *1 own|hold|buy|play
        smaller|larger|bigger *1 position|holding|stake than *3 hold|have|own|needed
        find|finds|attract|attracts buyers|takers
        rarely|seldom *2 comes|come|found|offered|available *3 discount|price|cheaply|sale
        time *2 for *3 @hand *3 to
        tempted *2 to *1 @change|@trade|own|wait
        do well to *1 take|accept|reject|sell|buy|hold|wait|keep|leave
        gold coin|coins
        ?@holder *3 should|ought *3 invest|investing
        ?now|today|this is *2 good|right|ideal|best|perfect|great|bad|wrong *1 time|moment *2 to *2 invest|start|begin
        shares|stock|stocks *3 will|should *2 go up|down
        @hand|owners more|better|good|less reason to *2 pleased|content|patient|happy|stay|leave|sell|hold
        """
}
