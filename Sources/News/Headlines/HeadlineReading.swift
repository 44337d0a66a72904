internal import Basics

/// What a headline says of whom: the part of it by which stories of different companies are kept apart.
package struct HeadlineReading: Sendable, Hashable {
    /// One company or asset, or a subject of market news, by a key of its own.
    package enum Subject: Sendable, Hashable {
        case company(TickerSymbol)
        case centralBank(String)
        /// Another institution that acts: a regulator, a lender of states.
        case institution(String)
        /// An index, a currency or a commodity.
        case market(String)
        /// A country, in news of its economy.
        case country(String)

        /// Subjects of one kind exclude each other, except markets: a text may report the moves of several.
        enum Kind: CaseIterable { case company, centralBank, institution, market, country }

        var kind: Kind {
            switch self {
            case .company: .company
            case .centralBank: .centralBank
            case .institution: .institution
            case .market: .market
            case .country: .country
            }
        }
    }

    /// The form of an article that is about more than an event.
    package enum Form: Sendable, Hashable {
        case event
        /// An analyst's note or an opinion of a share, by the broker's name; empty where the headline names none.
        case note(String)
        /// A list of companies, or a round-up of the day.
        case list
    }

    package var form: Form
    /// What the headline is about; an analyst's house is none of them.
    package var subjects: Set<Subject>
    /// The companies among them with their certainty, in the order of the headline.
    package var companies: [CompanyMention]
    package var events: Set<EventKind>
    /// Where markets went.
    var moves: Set<MarketMove>
    /// The words of names in the headline, those of companies that no list knows as well.
    var names: Set<String>
    /// The words of the name that the headline opens with, when a verb of business follows it; else of the first name
    /// in it, when it reports an event of business.
    var lead: Set<String>
    /// All words with a capital that the headline opens with: `western` and `union`, where `union` alone names nothing.
    var opening: Set<String>
    /// The first amount in it.
    let amount: String?
    /// What it states of an economy's figures.
    let figures: EconomicFigures
    /// The words that are companies' names elsewhere and mean something else here.
    var ordinary: Set<String>

    /// Whether the headline reports, in words that fit each company, an event of a company.
    var isCorporate: Bool { !events.allSatisfy(\.isEconomic) && (!companies.isEmpty || !lead.isEmpty) }
}

extension HeadlineReading {
    /// Reads a headline whose publisher is not known.
    package init(title: String, recognizer: TickerRecognizer = TickerRecognizer()) {
        self.init(
            StoryArticle(id: "", title: title, url: "", source: "", publishedAt: 0), recognizer: recognizer)
    }

    /// Reads the headline of an article, without its publisher's additions.
    package init(_ article: StoryArticle, recognizer: TickerRecognizer = TickerRecognizer()) {
        let title = HeadlineCleaner.clean(article.title, source: article.source)
        let (words, language) = HeadlineWords.of(title)
        let folded = words.map(\.folded)
        var events = EventKind.kinds(of: folded)
        let (mentions, ordinaryWords) = recognizer.read(title)
        let broker = events == [.note] ? Self.broker(in: words) : nil
        companies = mentions.filter { mention in
            let place = Self.range(of: mention.words, in: words) ?? 0..<0
            if Self.isFormer(place, in: folded, events) { return false }
            guard let broker, !mention.words.isEmpty else { return true }
            return !broker.overlaps(place) || mentions.count == 1
        }
        let found = KnownTopics.topics(in: words)
        let (places, topical) = (found.topics, found.places)
        if companies.isEmpty, RateDecision.isTold(in: words, title: title, by: found) { events.insert(.rates) }
        // What a bank discussed is no decision.
        if companies.isEmpty, folded.contains("minutes") { events.remove(.rates) }
        if companies.isEmpty, found.forecastGrowth(in: folded) { events = [.growth] }
        let moves = MarketMove.moves(of: folded)
        let market = places.filter { $0.key.isMarket }.map(\.value).min()
        let isMarketMove = companies.isEmpty && !moves.isEmpty && Self.isMovedByEvent(market, folded, places)
        let topics = Set(places.keys.filter { !isMarketMove || $0.isMarket })
        if isMarketMove { events = events.filter { !$0.isEconomic } }
        // `GDP grows in the first quarter`, `La Bolsa gana un 1%` are no company's results.
        if !companies.isEmpty { events.subtract([.trade, .activity]) }
        if companies.isEmpty, events.contains(where: \.isEconomic) || topics.contains(where: { $0.kind == .index }) {
            events.remove(.earnings)
        }
        // `UPS to raise rates` are the prices of a carrier.
        if !companies.isEmpty, !topics.contains(where: { $0.kind == .centralBank || $0.kind == .country }) {
            events.subtract([.rates, .inflation])
        }
        self.events = events
        amount = HeadlineAmount.first(in: title)
        figures = EconomicFigures(of: title, events: events)
        subjects = Set(companies.map(Self.subject(of:)))
        // Payrolls and claims are counted in the United States.
        if !events.isDisjoint(with: [.employment, .claims]), companies.isEmpty,
            !Self.americanFigures.isDisjoint(with: folded),
            !topics.contains(where: { $0.kind == .country || $0.kind == .centralBank })
        {
            subjects.insert(.country("us"))
        }
        for topic in topics {
            // `Exxon beats estimates despite lower crude`, `Fed fines Citigroup`: the company is the subject.
            let isOfCompany = !companies.isEmpty && !events.allSatisfy(\.isEconomic)
            if isOfCompany, topic.kind != .country { continue }
            switch topic.kind {
            case .centralBank: subjects.insert(.centralBank(topic.key))
            case .institution: subjects.insert(.institution(topic.key))
            case .index, .currency, .commodity: subjects.insert(.market(topic.key))
            case .country where events.contains(where: \.isEconomic): subjects.insert(.country(topic.key))
            case .country: break
            }
        }
        self.moves = market == nil ? [] : moves
        names = Self.names(in: words).subtracting(broker.map { words[$0].map(\.folded) } ?? [])
        // Every German noun has a capital, so that it shows no name.
        let showsNames = language != .german && !events.allSatisfy(\.isEconomic)
        // `Carnival opens in Rio` is no company's news; with an event of business, its opening is a name that was missed.
        let lead = Self.lead(of: words, reportsEvent: showsNames, without: topical)
        ordinary = showsNames ? ordinaryWords.subtracting(lead) : ordinaryWords
        self.lead = lead.subtracting(ordinary)
        opening = Self.opening(of: words)
        names.subtract(ordinary)
        if let broker {
            form = .note(Brokers.canonical(folded[broker].joined(separator: " ")))
        } else if events == [.note], !companies.isEmpty || !lead.isEmpty {
            form = .note("")
        } else if Self.isList(words, folded, companies, events) {
            form = .list
            subjects = Set(companies.map(Self.subject(of:)))
        } else {
            form = .event
        }
    }

    /// `Dow falls ahead of the Fed's decision`, `Wall Street rises after jobs data`: the market moves, and behind a word of
    /// cause or of time stands a decision or a figure that is another event, awaited or told elsewhere.
    private static func isMovedByEvent(
        _ market: Int?, _ words: [String], _ places: [KnownTopics.Topic: Int]
    ) -> Bool {
        guard let market, let start = words.indices.dropFirst(market + 1).first(where: { context.contains(words[$0]) })
        else { return false }
        return places.contains { $0.key.kind == .centralBank && $0.value > start }
            || EventKind.kinds(of: Array(words[start...])).contains(where: \.isEconomic)
    }

    private static let americanFigures: Set<String> = ["payrolls", "nonfarm", "jobless"]

    private static let context: Set<String> = [
        "ahead", "before", "after", "as", "amid", "despite", "following", "on", "awaits", "await", "awaiting", "eyes",
        "braces", "brace", "with", "while", "since", "until",
    ]

    static func subject(of company: CompanyMention) -> Subject { .company(canonical(company.ticker)) }

    /// Classes of shares of one company are one subject.
    private static func canonical(_ ticker: TickerSymbol) -> TickerSymbol {
        ["GOOG": "GOOGL", "BRK-A": "BRK-B"][ticker.text].flatMap { TickerSymbol($0) } ?? ticker
    }

    private static func range(of name: [String], in words: [Word]) -> Range<Int>? {
        let parts = Words.of(name.joined(separator: " ")).map(\.folded)
        guard !parts.isEmpty, parts.count <= words.count else { return nil }
        return (0...words.count - parts.count).first { start in
            zip(parts, words[start...]).allSatisfy { $0 == $1.plain }
        }.map { $0..<$0 + parts.count }
    }

    /// The house that a note comes from: after `at` or `by`, or before a verb of rating.
    private static func broker(in words: [Word]) -> Range<Int>? {
        for place in words.indices {
            guard let length = Brokers.length(at: place, in: words) else { continue }
            let before = place > 0 ? words[place - 1].folded : ""
            let after = place + length < words.count ? words[place + length].folded : ""
            let next = place + length + 1 < words.count ? words[place + length + 1].folded : ""
            if ["at", "by", "from"].contains(before) || ratings.contains(after) || rated.contains(after)
                || ["analyst", "analysts", "double"].contains(after) && ratings.contains(next)
            {
                return place..<place + length
            }
        }
        return nil
    }

    private static let rated: Set<String> = ["upgrade", "downgrade", "rating", "note", "adds", "removes"]

    /// `former Unilever executive`, `appoints finance chief from Unilever`: where a person comes from.
    private static func isFormer(_ name: Range<Int>, in words: [String], _ events: Set<EventKind>) -> Bool {
        guard !name.isEmpty, name.lowerBound > 0 else { return false }
        let before = words[name.lowerBound - 1]
        return ["former", "ex", "onetime", "veteran"].contains(before)
            || before == "from" && events.contains(.leadership)
    }

    private static let ratings: Set<String> = [
        "raises", "cuts", "upgrades", "downgrades", "says", "starts", "initiates", "lifts", "lowers", "hikes", "trims",
        "reiterates", "sees", "maintains", "turns", "boosts", "resumes", "calls", "names",
    ]

    /// Three companies and more, or two that nothing joins but a comma; and what calls itself a round-up.
    private static func isList(
        _ words: [Word], _ folded: [String], _ companies: [CompanyMention], _ events: Set<EventKind>
    ) -> Bool {
        let text = " " + folded.joined(separator: " ") + " "
        guard !companies.isEmpty else { return false }
        if roundups.contains(where: text.contains) || days.contains(where: text.hasPrefix) { return true }
        guard companies.count >= 2 else { return false }
        let joins = events.contains(.deal) || events.contains(.court)
        if companies.count >= 3 { return !joins }
        return !joins && (text.contains(" vs ") || text.contains(" which stock ") || text.contains(" things to know "))
            || !joins && !folded.contains(where: joint.contains)
                && (!events.isEmpty || folded.contains(where: shared.contains)) && isConjoined(companies, words)
    }

    /// `Ford, Toyota recall …`: two companies side by side at the beginning.
    private static func isConjoined(_ companies: [CompanyMention], _ words: [Word]) -> Bool {
        guard let left = range(of: companies[0].words, in: words), let right = range(of: companies[1].words, in: words),
            left.upperBound <= right.lowerBound
        else { return false }
        let between = words[left.upperBound..<right.lowerBound].map(\.folded)
        return between.isEmpty || between == ["and"]
    }

    /// What happens to several companies, to each for itself.
    private static let shared: Set<String> = [
        "report", "lead", "fall", "rise", "slide", "gain", "drop", "jump", "climb", "rally", "slip", "tumble", "surge",
    ]

    /// What companies do together.
    private static let joint: Set<String> = [
        "partner", "partners", "partnership", "team", "agreement", "alliance", "venture", "talks", "ties", "pact",
        "deal",
        "together", "jointly", "feud", "rivalry", "swap", "sever", "end",
    ]

    /// Beginnings of articles about a day, where they name companies.
    private static let days = [
        " dow jones today ", " stock market today ", " five things ", " 5 things ", " things to know ", " midday ",
        " here are ", " premarket ", " after hours ", " wall street today ", " market update ", " news digest ",
        " business briefs ",
    ]

    private static let roundups = [
        " stocks to watch ", " stock to watch ", " biggest moves ", " biggest movers ", " premarket movers ",
        " stocks making ", " earnings roundup ", " what to watch ", " week ahead ", " analyst upgrades ", " movers ",
        " upgrades and downgrades ", " analyst calls ", " morning brief ", " market wrap ", " stocks to buy ",
        " top analyst ", " earnings preview ", " earnings calendar ", " earnings this week ",
        " key takeaways ", " takeaways from ", " numbers from ", " charts that ", " things to know about ",
    ]

    // MARK: - Names

    /// The words with a capital that are no common words.
    private static func names(in words: [Word]) -> Set<String> {
        Set(words.filter(isName).map(\.folded))
    }

    private static func isName(_ word: Word) -> Bool {
        word.written.contains(where: \.isUppercase) && Wording.isSpecific(Stemmer.stem(word.folded))
    }

    private static func lead(of words: [Word], reportsEvent: Bool, without topical: Set<Int>) -> Set<String> {
        func isName(_ place: Int) -> Bool {
            !topical.contains(place) && self.isName(words[place])
                && !(place == 0 && Wording.actors.contains(words[0].folded))
        }
        if let end = endOfOpening(words) {
            let name = Set((0..<end).filter(isName).map { words[$0].folded })
            if !name.isEmpty { return name }
        }
        // In a headline where each word has a capital, it shows no name.
        let lettered = words.filter { $0.written.first?.isLetter == true }
        guard reportsEvent, 3 * lettered.count(where: { $0.written.first?.isUppercase == true }) <= 2 * lettered.count,
            let start = words.indices.first(where: isName)
        else { return [] }
        func name(from start: Int) -> Set<String> {
            Set(words.indices[start...].prefix(while: isName).map { words[$0].folded })
        }
        // `Shake-up at Telmark`: the capital of the first word shows nothing, one behind "at" a name.
        if start == 0, words.count > 2, !isName(1),
            let other = words.indices.dropFirst(2).first(where: { place in
                isName(place) && ["at", "for", "from", "by"].contains(words[place - 1].folded)
            })
        {
            return name(from: other)
        }
        return name(from: start)
    }

    /// The words with a capital at the begin of a headline that does not give one to each word.
    private static func opening(of words: [Word]) -> Set<String> {
        func isCapitalised(_ word: Word) -> Bool { word.written.first?.isUppercase == true }
        let end = endOfOpening(words) ?? words.prefix(while: isCapitalised).count
        guard end < words.count, 2 * words[end...].count(where: isCapitalised) <= words.count - end else { return [] }
        return Set(words[..<end].filter(isCapitalised).map(\.folded))
    }

    /// The place of the verb of business, or of what a company has, after the name that opens the headline.
    private static func endOfOpening(_ words: [Word]) -> Int? {
        for place in words.indices.dropFirst().prefix(4) {
            let word = words[place].folded
            let isIntention =
                ["to", "will", "must"].contains(word) && place + 1 < words.count
                && Wording.verbs.contains(words[place + 1].folded)
            if isIntention || Wording.verbs.contains(word) || Wording.possessed.contains(word) { return place }
            // A name is written with capitals throughout.
            guard
                words[place].written.contains(where: { $0.isUppercase || $0.isNumber })
                    || ["of", "and", "the"].contains(word)
            else { return nil }
        }
        return nil
    }
}
