internal import Basics

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
        pulls hires suspends halts restructuring unit lawsuit's vehicles cars trucks deal's suit delays closes shuts
        forecast forecasted view flags guides trims narrows ousts replaces scraps drops axes signs fires doubles triples
        disappoints disappointing resumes rejoins pilots machinists flights branches subscribers deliveries bookings
        margins margin debt bonds assets shareholders' customers suppliers supplier factory factories plant plants lawsuit
        warning recall defect settlement stake spinoff ipo listing bookings books orders order misled overcharged hacked
        breached downgraded raised cut lowered lifted pays wins loses revives merges spins splits buyout merger guidance
        fined penalised penalized blames cutting slashing laying shedding eliminating raising closing shutting buying
        acquiring selling weighs weighing considers mulls explores exploring eyes quits ditches abandons unloads
        dismisses discloses prices reaches awarded sheds attendants crew earns beat missed tells lifted plunges plunge
        investigates keeps flight pleads suvs pickups sedans minivans evs pt slumped crater craters crash crashes tank tanks leap leaps swoons hires
        """)

    /// Words of the list above that are nouns before another verb: `Visa rules eased`.
    static let nounsOrVerbs = words(
        """
        plans cuts falls rises drops gains reports forecasts forecast orders order books fires posts names slides slips
        climbs jumps surges taps files claims view issues strikes delays recalls launches hires warning upgrades
        """)

    /// Verbs that have such a noun for their subject.
    static let finiteVerbs = words(
        """
        rise fall draw eased ease grow grew rose fell drew spread spreads shape show showed burn burned rage raged hit
        kill killed force forced close closed open opened return returned leave left are were is was have had face faced
        reach reached climb drop dropped threaten threatened advance stall stalled approved unveiled announced delayed
        """)

    /// Verbs of what befalls things and numbers as well as companies.
    static let movements = words(
        """
        hit hits strike strikes falls fell rises rose drops dropped slides climbs jumps sinks slips dips gains slumps
        tumbles surges soars closes delays closed
        """)

    /// What a company is, before its name: `Square parent Block to cut jobs`.
    static let roles = words(
        """
        parent owner maker retailer insurer lender operator brewer chipmaker carmaker automaker airline bank chain giant
        group rival builder grocer drugmaker miner broker publisher startup supplier
        """)

    /// Verbs of two companies that open a headline together.
    static let jointVerbs = words(
        """
        end close sign agree merge settle team join call recall face report sue cut raise near scrap drop abandon form
        create launch unveil plan sever strike resume start extend swap clash feud complete seek win lose partner refile
        """)

    /// What companies do to others, in a compound: `Apple-made`.
    static let participles = words("backed owned led made run controlled funded built branded operated linked listed")

    /// What a house rates a company's shares as.
    static let ratings = words(
        """
        overweight underweight outperform underperform buy sell hold neutral equal equalweight sector market rating
        """)

    static let ratingParticiples = words(
        "cut raised upgraded downgraded lowered lifted started initiated rated kept maintained reiterated reinstated")

    static let ratingVerbs = words(
        """
        cuts raises upgrades downgrades lowers lifts starts initiates rates keeps maintains reiterates resumes reinstates
        """)

    /// Things and places that bear a company's name, whatever the capitals.
    static let namedThings = words(
        """
        coil coils foundation museum stadium arena university institute prize hall bridge tower blimp family gallery
        scholarship fellowship orchestra
        """)

    /// Houses of their own that bear the name of another: `Siemens Energy`.
    static let otherHouses = words(
        """
        energy steel healthineers biologics heavy mobis gamesa bioscience rotem glovis engineering capital chemical
        """)

    /// What a company means to do, after `to`, `will` and `must`.
    static let intentions = words(
        """
        cut lay buy acquire sell recall launch raise pay shed eliminate slash report close open merge split spin hire
        invest face name replace spend build shut stop start expand take settle appeal return list talks trial court
        focus resume fly add end offer charge hike lift slim trim axe scrap exit move bring borrow issue delist seek
        retire revive restart idle source sponsor fire plead
        """)

    /// What a company is doing, after `is`.
    static let continuing = words(
        """
        cutting laying buying acquiring selling recalling launching raising paying shedding eliminating slashing closing
        merging splitting spinning hiring investing suing replacing building shutting expanding delaying
        """)

    /// Words that link a company as an object to a deed.
    static let links = words(
        "probes investigates fines sues tells lead helps drags lifts boosts sends pushes costs of at against for from by on over with accuses accuse sues sue hits hit buys buy acquires acquire between to"
    )

    /// Deeds of business whose object is a company.
    static let dealings = words(
        """
        lawsuit lawsuits sue sues sued suit accuses accused takeover bid deal merger merge buyout acquisition acquire
        acquires buy buys offer stake stock shares strike workers staff union layoffs probe fine fined antitrust court
        investors earnings results profit upgrade upgrades downgrade downgrades coverage target price recall outage
        billion talks agree agrees tie-up clash ceo job jobs rival rivals investigation settlement regulators boycott probes investigates fines
        price-fixing bribery emissions accounting patents patent penalty penalties breach privacy
        """)

    /// Verbs that need an actor: after a capitalised name they mark it as a company's.
    static let deeds = words(
        """
        seeks wants plans adds updates releases brings offers tests opens ships wins loses blocks credits makes make
        should won't pays ends ditches quits drops moves relocating halts shuts closing cuts
        drug pill painkiller vaccine
        """)

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
        requirements gap gaps square garden mile year date price prices chain party cruise field bike bikes tribe growers
        farmers dolphins students lawmakers caucus variant shock collectors harvest wrestling dancing basin farmers
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
        microsoft google samsung nvidia tesla facebook walmart sales forecast outlook deal deals bid loss jobs breach
        layoffs recall quarterly results estimates buyout lawsuit suit
        """)

    private static func words(_ text: String) -> Set<String> {
        Set(text.listed)
    }
}
