/// Words that show whether a name means a company.
enum BusinessWords {
    /// Words that, after a name, mark a company beyond doubt.
    static let legalForms: Set<String> = [
        "inc", "inc.", "corp", "corp.", "corporation", "ltd", "plc", "llc", "holdings", "incorporated", "co", "co.",
    ]

    /// Actions and possessions of companies: after a name they mark it as a company's.
    static let beside = words(
        """
        shares stock stocks earnings revenue revenues profit profits sales ceo cfo coo cto chief executive executives
        shareholders shareholder investors reports reported posts posted beats misses topped tops announces announced
        unveils unveiled launches launched recalls recalled hires hired cuts lays plans agrees agreed buys bought sells
        sold acquires acquired raises lowers forecasts expects warns warned sues sued settles settled files filed
        upgraded downgraded upgrade downgrade upgrades downgrades ups analyst analysts surges jumps falls drops slides tumbles rallies soars sinks climbs gains
        rises rose fell dividend buyback results quarterly guidance outlook q1 q2 q3 q4 says said faces
        names appoints picks taps slashes sheds trims eliminates layoffs workers staff employees union strike hikes boosts
        lifts swings loses earns debuts introduces reveals rolls issues recalling smashes delivers exceeds slumps tops
        strikes nears rejects accused hit outage board boss chairman price bank rival takeover bid profit's slips dips
        pulls hires suspends halts restructuring unit lawsuit lawsuit's vehicles cars trucks deal's suit delays closes shuts
        """)

    /// What a company means to do, after `to`, `will` and `must`.
    static let intentions = words(
        """
        cut lay buy acquire sell recall launch raise pay shed eliminate slash report close open merge split spin hire
        invest face name replace spend build shut stop start expand take settle appeal return list talks trial court
        focus
        """)

    /// Words that link a company as an object to a deed.
    static let links = words(
        "probes investigates fines sues tells cuts raises lifts upgrades downgrades starts initiates lead helps drags lifts boosts sends pushes costs of at against for from by on over with accuses accuse sues sue hits hit buys buy acquires acquire between to"
    )

    /// Deeds of business whose object is a company.
    static let dealings = words(
        """
        lawsuit lawsuits sue sues sued suit accuses accused takeover bid deal merger merge buyout acquisition acquire
        acquires buy buys offer stake stock shares strike workers staff union layoffs probe fine fined antitrust court
        investors earnings results profit upgrade upgrades downgrade downgrades coverage target price recall outage
        billion talks agree agrees tie-up clash ceo job jobs rival rivals investigation settlement regulators boycott probes investigates fines
        underperform outperform overweight underweight neutral price-fixing bribery emissions accounting patents patent
        """)

    /// Verbs that need an actor: after a capitalised name they mark it as a company's.
    static let deeds = words(
        """
        seeks wants plans adds updates releases brings offers tests opens ships wins loses blocks credits makes make
        should won't pays cut raised rated
        """)

    /// Those of them that are nothing but verbs: they mark an everyday word that opens a headline, too.
    static let verbs: Set<String> = ["seeks", "wants", "adds", "brings", "wins", "loses"]

    /// Words before a company's name in a headline that are no part of it.
    static let leading = words(
        """
        why how will can does did is are has should would could and or with from by at as the when what after before
        while against for on in of if but than versus vs like over under into amid says buy sell hold owns own beats beat
        joins join sues sue acquires buys tech giant maker giants retailer automaker carmaker chipmaker rival rivals
        stock shares update exclusive report analyst upgrades downgrades ceo
        """)

    /// Words before a name that make it another one, though they are common.
    static let otherNames: Set<String> = ["mr", "mrs", "ms", "dr", "sir"]

    /// Words that, after a name, show that it means something else.
    static let otherThings = words(
        """
        pie pies juice cider tree trees orchard orchards rainforest river forest jungle basin basket county bones oil
        applications application applicant applicants holder holders program programme waiver waivers requirement
        requirements gap gaps square garden mile year date price prices chain party cruise field bike bikes
        """)

    /// Products that belong to the ambiguous ones.
    static let products = words(
        """
        iphone iphones ipad ipads ios mac macs macbook macos watch siri icloud itunes alexa aws prime kindle android
        chrome gmail youtube mustang xeon java photoshop tv pay maps store music app carplay airpods
        """)

    /// Words that set a text among business news.
    static let markets = words(
        """
        shares stock stocks earnings revenue profit investors ceo billion market analyst analysts quarter wall dividend
        antitrust smartphone smartphones chip chips cloud software ecommerce e-commerce startup merger ipo nasdaq nyse
        microsoft google samsung nvidia tesla facebook walmart
        """)

    private static func words(_ text: String) -> Set<String> {
        Set(text.split(whereSeparator: \.isWhitespace).map(String.init))
    }
}
