internal import Basics

/// What the rule knows of a headline beside the events.
struct ImpactContext: Sendable {
    /// Whom an event reaches, by the subjects of the headline.
    enum Reach: Int, Sendable {
        /// No name that could be a company's.
        case nameless
        /// A name that no list knows.
        case unknown
        case listed
        /// A company whose fortunes move an index.
        case giant
    }

    let reach: Reach
    let events: Set<ImpactEvent>
    /// Whether a large economy, its central bank or the world is concerned.
    let isLargeEconomy: Bool
    let isUnitedStates: Bool
    /// Whether the economy of a country is concerned whose figures other markets notice.
    let isMiddleEconomy: Bool
    /// The number of large economies and powers that are named.
    let powers: Int
    let isWorldwide: Bool
    /// Whether a market, an index or a power of world politics is named.
    let namesMarket: Bool
    let namesPower: Bool
    /// The number of companies that the headline names.
    let companies: Int
    let magnitudes: Magnitudes
    /// Words such as `record`, `worldwide`, `collapse`.
    let isEmphatic: Bool
    /// Verbs of a large move, or a large percentage.
    let isPlunge: Bool
    let isMinor: Bool
    let isLocal: Bool
    let isDoubted: Bool
    /// What somebody claims, wants or foretells.
    let isAlleged: Bool
    /// Sports and show business without a company.
    let isLeisure: Bool
    let stems: [String]

    init(title: String, words: [Word], stems: [String], reading: HeadlineReading) {
        let topics = KnownTopics.topics(in: words).topics.keys
        let places = Set(topics.map(\.key))
        self.stems = stems
        magnitudes = Magnitudes(in: title)
        companies = reading.companies.count
        let isGiant =
            reading.companies.contains { Self.giants.contains($0.ticker.text) }
            || Self.giantNames.match(stems)
        reach =
            isGiant ? .giant : !reading.companies.isEmpty ? .listed : Self.namesSomething(words) ? .unknown : .nameless
        // `Employers add 142,000 jobs`: figures without a country are those of the country where they are published.
        let isUnplaced =
            places.isEmpty && reach == .nameless && !reading.events.isDisjoint(with: [.inflation, .employment])
        isUnitedStates = !places.isDisjoint(with: ["us", "fed"]) || Self.american.match(stems)
        isWorldwide = Self.worldwide.match(stems)
        isLargeEconomy =
            isUnitedStates || isWorldwide || isUnplaced || !places.isDisjoint(with: Self.largeEconomies)
            || Self.largeElsewhere.match(stems)
        isMiddleEconomy = !places.isDisjoint(with: Self.middleEconomies) || Self.middleElsewhere.match(stems)
        powers = places.intersection(Self.powers.union(["eurozone"])).count
        namesMarket =
            topics.contains { [.index, .currency, .commodity].contains($0.kind) } || Self.markets.match(stems)
        namesPower = isUnitedStates || !places.isDisjoint(with: Self.powers) || Self.powerNames.match(stems)
        isEmphatic = Self.emphatic.match(stems) || magnitudes.isRecordOfYears
        isPlunge = Self.plunges.match(stems) || magnitudes.percent >= 10
        isMinor = Self.minor.match(stems)
        isLocal = Self.local.match(stems)
        isDoubted =
            title.hasSuffix("?") || Hedges.occur(in: words) || Self.previews.match(stems)
        isAlleged = Self.allegations.match(stems)
        isLeisure =
            Self.leisure.match(stems) && reading.companies.isEmpty && !namesMarket && !isLargeEconomy
            && magnitudes.money < 1e8
        var events = ImpactEvent.events(
            of: stems, reading.events,
            namesCentralBank: reading.subjects.contains { $0.kind == .centralBank })
        if companies == 0, topics.contains(where: { $0.kind == .index }), events.isSubset(of: [.priceMove, .shareMove])
        {
            events.insert(.marketMove)
        }
        // The shares of one company are no market.
        if companies > 0, !topics.contains(where: { $0.kind == .index }), !isWorldwide,
            events.remove(.marketMove) != nil
        {
            events.insert(.shareMove)
        }
        self.events = events
    }

    func has(_ patterns: [HeadlinePattern]) -> Bool { patterns.match(stems) }

    /// Whether the headline opens with a name: a word with a capital that no dictionary of wording has.
    private static func namesSomething(_ words: [Word]) -> Bool {
        let opening = words.prefix { $0.startsWithCapital || ["of", "and", "the"].contains($0.folded) }
        guard let first = opening.first else { return false }
        // `Bakery chain`, `Paint maker`: an ordinary noun with the capital of the beginning.
        if opening.count == 1, words.count > 1, kindsOfFirms.contains(words[1].folded) {
            return words.dropFirst().contains { $0.startsWithCapital && $0.written.count > 2 }
        }
        return opening.count > 1 || Wording.isSpecific(Stemmer.stem(first.folded)) && !ordinary.contains(first.folded)
            || words.dropFirst().contains { $0.startsWithCapital && $0.written.count > 2 }
    }

    private static let kindsOfFirms: Set<String> = [
        "chain", "maker", "retailer", "firm", "company", "group", "brand", "lender", "operator", "supplier", "builder",
        "startup", "start-up", "store", "stores", "distributor",
    ]

    private static let ordinary: Set<String> = [
        "small", "family", "theatre", "theater", "ski", "paper", "maker", "regional", "local", "village", "former",
        "shareholder", "train", "two", "three", "treasurer", "prosecutors", "regulator", "regulators", "judge", "man",
        "pilots", "city", "government", "customers", "depositors", "scientists", "hackers",
    ]

    private static let largeEconomies: Set<String> = [
        "us", "eurozone", "uk", "jp", "cn", "de", "fed", "ecb", "boe", "boj", "pboc",
    ]
    private static let middleEconomies: Set<String> = ["ca", "fr", "it", "es", "in", "br", "kr", "au", "mx", "ru"]
    private static let powers: Set<String> = ["us", "uk", "cn", "ru", "de", "jp", "fr", "in", "kr"]

    private static let giants: Set<String> = [
        "AAPL", "MSFT", "GOOGL", "GOOG", "AMZN", "META", "NVDA", "TSLA", "AVGO", "TSM", "LLY", "JPM", "BRK-A", "BRK-B",
        "V", "MA", "WMT", "XOM", "CVX", "UNH", "ORCL", "JNJ", "BAC", "C", "WFC", "GS", "MS", "INTC", "BA", "DIS",
        "ASML", "NVO", "BABA", "TCEHY", "TM", "SHEL", "BP", "HSBC", "UBS", "DB", "BNPQY", "SAN", "PFE", "MRK", "BTC",
        "ETH", "NFLX", "VWAGY", "VOW3", "SSNLF", "MU", "AMD", "PLTR", "HD", "PG", "ABBV", "COST", "CRM", "NVS", "AZN",
        "SAP", "IBM", "GE", "CAT", "CSCO",
    ]

    private static let giantNames = HeadlinePattern.list(
        """
        openai
        volkswagen
        samsung
        berkshire hathaway
        aramco
        bbva|telefonica|iberdrola|siemens|bayer|basf|allianz|lvmh|totalenergies|airbus|nestle|roche|novartis
        """)

    private static let american = HeadlinePattern.list(
        """
        congress
        white house
        powell
        treasury
        trump
        united states
        washington ! post|commanders|university
        payrolls|pce|nonfarm
        jobless claims
        supreme court
        fomc
        etats unis
        estados unidos
        ee uu
        eeuu|usa
        reserve federale
        reserva federal
        wall street
        """)

    /// Large economies and their central banks as German, Spanish and French headlines name them.
    private static let largeElsewhere = HeadlinePattern.list(
        """
        ezb|bce|bundesbank|notenbank
        bank von england|japan
        banque angleterre
        banque du japon
        banco de inglaterra|japon
        deutschland|deutsche|deutschen|alemania|allemagne|chine|japon|eurozone|zone
        zone euro
        zona euro
        trump
        """)

    /// Further economies as these headlines name them.
    private static let middleElsewhere = HeadlinePattern.list(
        """
        espana|francia|italia|brasil|canada|india|corea|rusia|mexico|espagne|italie|bresil|inde|russie|spanien|\
        italien|frankreich|kanada|brasilien|indien|russland|mexiko|mexique
        """)

    private static let worldwide = HeadlinePattern.list(
        """
        global|worldwide|weltweit|mondial|mondiaux|mondiale|mundial|mundiales
        world ! cup|series|record|title|champion|heritage
        opec
        """)

    private static let markets = HeadlinePattern.list(
        """
        market|markets ! farmers|super|christmas|flea|debut|value
        oil
        tankers|tanker
        wall street
        shares & slide|tumble|fall|sink
        gas|energy|fuel|power prices
        """)

    private static let powerNames = HeadlinePattern.list(
        """
        russia|russian|russians|moscow|kremlin
        ukraine|taiwan|iran|israel|saudi|nato|korea|beijing|west
        """)

    private static let emphatic = HeadlinePattern.list(
        """
        record ! store|label|vinyl|crowd|industry
        biggest|largest|worst|most|historic|emergency|unprecedented|sweeping|massive|nationwide|worldwide|huge|all
        world|global
        across|joint
        first ever
        cripple|cripples
        """)

    private static let plunges = HeadlinePattern.list(
        """
        plunge|plunges|plummet|crash|crashes|collapse|collapses|tumble|tumbles|soar|soars|surge|surges|slash|\
        slashes|halves|sink|sinks|rout|meltdown
        suffer|suffers
        """)

    private static let minor = HeadlinePattern.list(
        """
        slightly|modest|modestly|edge|edges|inch|inches|mixed|flat|drift|drifts|quiet|minor|narrowly|little
        for a|24 day|hours
        """)

    private static let local = HeadlinePattern.list(
        """
        small|village|town|city|council|county|mayor|parish|neighbourhood|neighborhood
        local ! currency
        school|church|charity|club|library|librarians
        family owned
        bin collectors
        """)

    private static let previews = HeadlinePattern.list(
        """
        ahead of results|earnings|vote
        preview
        """)

    private static let allegations = HeadlinePattern.list(
        """
        claim|claims|allege|alleges|alleged|seen|predict|predicts|would|if|unlikely|likely|bets|odds|hopes|urge|\
        urges|wants
        threaten|threatens
        calls for
        in talks
        explores sale
        starts preparing
        voice concerns
        """)

    private static let leisure = HeadlinePattern.list(
        """
        trailer|teaser|costume|episode|finale|cosplay|premiere|sitcom|celebrity|oscars|oscar|grammy|emmy|\
        kardashian|rapper
        box office
        duke|duchess|prince|princess
        actor|actress|singer|band|album|concert|soundtrack ! strike|union|writers
        cup|league|nba|nfl|nhl|mlb|playoffs|playoff|quarterback|coach|touchdown|innings|striker|midfielder|goalkeeper
        beat|beats|defeat|defeats|win|wins & overtime|final|match|game|season|title|tournament|marathon
        """)

    /// Forms that tell of no event: looks back, art, tests, advice.
    static let asides = HeadlinePattern.list(
        """
        years|year|decade|decades on|ago|after|later
        anniversary
        history of
        film|films|movie|novel|documentary|musical|opera|biopic|sitcom ! strike|writers|studio|studios
        museum|exhibition|gallery|zoo ! sues|bankruptcy
        review|reviews|reviewed ! regulator|regulators|strategic|antitrust|safety|launches|orders
        hands on
        first drive
        you wont|will believe|not
        trial|study|research finds|shows|suggests ! drug|vaccine|pill|therapy|treatment|cancer
        best & year|laptops|phones|tested|buy|gifts|deals
        recipe|recipes|horoscope|crossword|quiz|podcast
        how to
        what to know|watch
        things to
        why i|shares|stocks|investors|this|we
        remembering
        explained|explainer|opinion|editorial
        stocks|shares to own|buy|consider|watch|hold
        cheap|best|top|hated|loved|favourite|favorite|penny stock|stocks|shares
        best|top|five|three|cheap & dividend|growth|value stocks|shares
        should you
        pick|picks of the day|week|month|year
        stock|shares|name is|are|looks a steal|bargain|buy
        could be in & years|year
        rezept|rezepte|recette|recettes|receta|recetas|horoskop|horoscopo|kreuzwortratsel
        museo|musee|stadtmuseum|ausstellung|exposicion|exposition|oper
        ratgeber|consejos|conseils
        """)
}
