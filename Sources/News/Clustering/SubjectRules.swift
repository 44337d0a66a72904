/// What the articles of a group are about, by counts.
struct GroupSubjects {
    private(set) var articles = 0
    private(set) var form = HeadlineReading.Form.event
    private var subjects: [HeadlineReading.Subject: Int] = [:]
    /// The articles that have a subject of a kind.
    private var articlesOfKind: [HeadlineReading.Subject.Kind: Int] = [:]
    private var names: [String: Int] = [:]
    private var leads: [String: Int] = [:]
    private var leadArticles = 0
    private var openings: [String: Int] = [:]
    private var openingArticles = 0
    private var events: [EventKind: Int] = [:]
    private var moves: [MarketMove: Int] = [:]
    private var amounts: [String: Int] = [:]
    private var figures = EconomicFigures()
    private var eventArticles = 0
    private var corporateArticles = 0

    mutating func insert(_ reading: HeadlineReading) {
        if articles == 0 { form = reading.form }
        articles += 1
        for subject in reading.subjects { subjects[subject, default: 0] += 1 }
        for kind in Set(reading.subjects.map(\.kind)) { articlesOfKind[kind, default: 0] += 1 }
        for name in reading.names { names[name, default: 0] += 1 }
        for name in reading.lead { leads[name, default: 0] += 1 }
        if !reading.lead.isEmpty { leadArticles += 1 }
        for name in reading.opening { openings[name, default: 0] += 1 }
        if !reading.opening.isEmpty { openingArticles += 1 }
        for event in reading.events { events[event, default: 0] += 1 }
        for move in reading.moves { moves[move, default: 0] += 1 }
        if let amount = reading.amount { amounts[amount, default: 0] += 1 }
        figures.formUnion(reading.figures)
        if !reading.events.isEmpty { eventArticles += 1 }
        if reading.isCorporate { corporateArticles += 1 }
    }

    /// The group as a headline that says what most of its articles say.
    var reading: GroupReading {
        let main = Set(subjects.filter(isMain).keys)
        return GroupReading(
            form: form, subjects: main, anySubjects: main.union(subjects.filter { 4 * $0.value >= articles }.keys),
            names: Set(names.filter { 3 * $0.value >= articles }.keys),
            lead: 2 * leadArticles >= articles ? Set(leads.filter { 2 * $0.value >= leadArticles }.keys) : [],
            opening: Set(openings.filter { 2 * $0.value >= openingArticles }.keys),
            events: Set(events.filter { 3 * $0.value >= eventArticles && 4 * $0.value >= articles }.keys),
            moves: Set(moves.filter { 2 * $0.value >= articles }.keys),
            amounts: Set(amounts.filter { 2 * $0.value >= articles }.keys), figures: figures,
            isCorporate: 2 * corporateArticles >= articles)
    }

    /// Whether the group is about a subject: about a company when half of its articles are. A country, a central bank or a
    /// market counts among the articles that name one, so that two economies do not meet by way of texts which name none.
    private func isMain(_ subject: HeadlineReading.Subject, _ count: Int) -> Bool {
        if 2 * count >= articles { return true }
        switch subject.kind {
        case .company: return false
        case .centralBank where 5 * count >= articles: return true
        case .centralBank, .institution, .country, .market:
            return 2 * corporateArticles < articles && 3 * count >= articlesOfKind[subject.kind, default: 0]
        }
    }
}

/// The subjects, names and events of a group or of one article.
struct GroupReading {
    var form: HeadlineReading.Form
    var subjects: Set<HeadlineReading.Subject>
    /// These, and others of at least a quarter of the articles.
    var anySubjects: Set<HeadlineReading.Subject>
    var names: Set<String>
    var lead: Set<String>
    /// Of at least half of the articles that open with a name.
    var opening: Set<String>
    var events: Set<EventKind>
    var moves: Set<MarketMove>
    /// The first amounts of at least half of the articles.
    var amounts: Set<String>
    /// Of all articles.
    var figures: EconomicFigures
    var isCorporate: Bool

    init(
        form: HeadlineReading.Form, subjects: Set<HeadlineReading.Subject>,
        anySubjects: Set<HeadlineReading.Subject>, names: Set<String>,
        lead: Set<String>, opening: Set<String>, events: Set<EventKind>, moves: Set<MarketMove>, amounts: Set<String>,
        figures: EconomicFigures, isCorporate: Bool
    ) {
        (self.form, self.subjects, self.anySubjects) = (form, subjects, anySubjects)
        (self.names, self.lead, self.events, self.moves) = (names, lead, events, moves)
        (self.opening, self.amounts, self.figures) = (opening, amounts, figures)
        self.isCorporate = isCorporate
    }

    init(_ reading: HeadlineReading) {
        self.init(
            form: reading.form, subjects: reading.subjects, anySubjects: reading.subjects,
            names: reading.names, lead: reading.lead, opening: reading.opening, events: reading.events,
            moves: reading.moves, amounts: Set([reading.amount].compactMap(\.self)),
            figures: reading.figures, isCorporate: reading.isCorporate)
    }

    func has(_ kind: HeadlineReading.Subject.Kind) -> Bool { subjects.contains { $0.kind == kind } }

    /// The countries whose economy it is about, those of central banks included.
    var economies: Set<String> {
        guard events.contains(where: \.isEconomic) else { return [] }
        return Set(
            subjects.compactMap { subject -> String? in
                switch subject {
                case .country(let country): country
                case .centralBank(let bank): KnownTopics.home(of: bank)
                case .company, .institution, .market: nil
                }
            })
    }

    var markets: Set<HeadlineReading.Subject> { subjects.filter { $0.kind == .market } }

    var companies: Set<HeadlineReading.Subject> { subjects.filter { $0.kind == .company } }

    /// Those that do something: companies, central banks and institutions.
    var actors: Set<HeadlineReading.Subject> {
        subjects.filter { [.company, .centralBank, .institution].contains($0.kind) }
    }

    /// Whether it tells of a country's economy and of nothing else.
    var isEconomic: Bool { !events.isEmpty && events.allSatisfy(\.isEconomic) }

    /// Whether it names a company, by a list or by the place in the headline.
    var namesCompany: Bool { !lead.isEmpty || has(.company) }
}

/// How two texts stand to each other by their subjects, before their words are compared.
enum SubjectRelation {
    /// They report what happens to their subject once on a day: its results, its decision on rates.
    case oneEvent
    /// They share a subject and report the same kind of event: their words need to agree less.
    case sameEvent
    /// The same of a kind of event that happens several times a day: a word in common beside the company's name shows that
    /// it is one.
    case sameKind
    /// They share a subject, or nothing is known against it.
    case open
    /// One company, and an event that one of the texts does not name: the company's name alone joins them as long as the
    /// day has one event of it; from the second event on they need a word in common beside the name.
    case named
    /// One company, and an event of a kind that happens several times a day, which one of the texts does not name: they
    /// need a word in common beside the company's name.
    case oneOfSeveral
    /// One subject and kinds of events of which one may follow from the other: they need two words in common that name
    /// something, the company and what happened.
    case related
    /// Different subjects of which one text may tell: they need a word in common that names something.
    case gated
    /// Different subjects that are not known to exclude each other: only words that name something count.
    case apart
    /// About different companies, about different events of one company, or of different forms.
    case barred

    /// The number of words in common that name something, at the least.
    var leastNames: Int {
        switch self {
        case .oneEvent, .sameEvent, .sameKind, .open, .named, .oneOfSeveral, .barred: 0
        case .apart, .gated: 1
        case .related: 2
        }
    }

    init(_ one: GroupReading, _ other: GroupReading) {
        guard one.form == .event, other.form == .event else {
            if one.form == other.form {
                self = Self.listTheSame(one, other) ? .open : .barred
            } else {
                self = Self.reportsNote(one, other) ? (Self.namesHouse(one, other) ? .open : .related) : .barred
            }
            return
        }
        if Self.isOfferBesideNews(one, other) || Self.isOfferBesideNews(other, one) {
            self = .barred
            return
        }
        if one.figures.contradicts(other.figures) {
            self = .barred
            return
        }
        let isShared =
            !one.subjects.isDisjoint(with: other.anySubjects)
            || !other.subjects.isDisjoint(with: one.anySubjects)
        // A name that two recognised companies share is that of a person.
        let isNamed =
            !(one.has(.company) && other.has(.company)) && !Self.shareAPartOfTheirNames(one, other)
            && (!one.lead.isDisjoint(with: other.names) || !other.lead.isDisjoint(with: one.names))
        if isShared || isNamed {
            self = Self.ofOneSubject(one, other)
            return
        }
        // `Euro zone gets its fourth rate cut` and `ECB lowers deposit rate`
        if one.companies.isEmpty, other.companies.isEmpty, one.events.contains(.rates), other.events.contains(.rates),
            !one.economies.isDisjoint(with: other.economies)
        {
            self = .oneEvent
            return
        }
        if Self.stateOneFigure(one, other) {
            self = .oneEvent
            return
        }
        let excludes =
            [.company, .country, .centralBank].contains { one.has($0) && other.has($0) }
            || !one.economies.isEmpty && !other.economies.isEmpty && one.economies.isDisjoint(with: other.economies)
        if excludes || one.namesCompany && other.namesCompany && (one.isCorporate || other.isCorporate) {
            self = .barred
        } else if one.isCorporate && other.isEconomic || other.isCorporate && one.isEconomic {
            // `Profit falls on weak demand in China` is no news of China's economy.
            self = .barred
        } else if Self.isMoveBesideEvent(one, other) || Self.isMoveBesideEvent(other, one)
            || Self.areMovesOfOtherMarkets(one, other)
        {
            self = .barred
        } else if one.isCorporate || other.isCorporate {
            self = .apart
        } else if Self.tellDifferentThingsOfACountry(one, other) {
            self = .related
        } else if !one.subjects.isEmpty && !other.subjects.isEmpty || one.events.contains(where: \.isEconomic)
            || other.events.contains(where: \.isEconomic)
        {
            self = .gated
        } else {
            self = .open
        }
    }

    /// `Amazon deals: 40 best gadgets under $50` and `Amazon beats estimates`
    private static func isOfferBesideNews(_ one: GroupReading, _ other: GroupReading) -> Bool {
        one.events.contains(.offer) && !other.events.contains(.offer)
            && (other.isCorporate || !one.companies.isDisjoint(with: other.companies))
    }

    /// `Inflation slows to 2.4%` and `US inflation slows to 2.4%`: one names no country, and both state one figure.
    private static func stateOneFigure(_ one: GroupReading, _ other: GroupReading) -> Bool {
        (one.subjects.isEmpty || other.subjects.isEmpty) && one.isEconomic && other.isEconomic
            && !one.events.isDisjoint(with: other.events)
            && (one.figures.agrees(with: other.figures)
                || !one.events.intersection(other.events).isDisjoint(with: [.inflation, .employment, .claims])
                    && !one.amounts.isDisjoint(with: other.amounts))
    }

    /// `Western Digital` and `Western Union`: each opens with a name that is not a part of the other.
    private static func shareAPartOfTheirNames(_ one: GroupReading, _ other: GroupReading) -> Bool {
        !one.opening.isDisjoint(with: other.opening) && !one.opening.isSubset(of: other.opening)
            && !other.opening.isSubset(of: one.opening)
    }

    /// Notes of one house on one company, and lists of the same companies.
    private static func listTheSame(_ one: GroupReading, _ other: GroupReading) -> Bool {
        if one.form == .list || one.subjects.isEmpty != other.subjects.isEmpty {
            return one.subjects == other.subjects && !one.subjects.isEmpty
        }
        return one.subjects.isEmpty ? !one.names.isDisjoint(with: other.names) : one.subjects == other.subjects
    }

    /// A note that is news itself: a headline about its company that names no event.
    private static func reportsNote(_ one: GroupReading, _ other: GroupReading) -> Bool {
        guard (one.form == .event) != (other.form == .event), one.form != .list, other.form != .list else {
            return false
        }
        let (note, report) = one.form == .event ? (other, one) : (one, other)
        return note.form != .note("") && report.events.isEmpty
            && (!note.subjects.isDisjoint(with: report.subjects) || !note.names.isDisjoint(with: report.names))
    }

    /// Whether the report names the house that the note comes from. Else the company's name alone makes no news of it.
    private static func namesHouse(_ one: GroupReading, _ other: GroupReading) -> Bool {
        let (note, report) = one.form == .event ? (other, one) : (one, other)
        guard case .note(let house) = note.form else { return false }
        let words = Set(house.split(separator: " ").map(String.init))
        return report.names.contains {
            !words.isDisjoint(with: Brokers.canonical($0).split(separator: " ").map(String.init))
        }
    }

    /// A country's jobs and its rates, or its prices and its shares: the country's name alone joins nothing.
    private static func tellDifferentThingsOfACountry(_ one: GroupReading, _ other: GroupReading) -> Bool {
        one.isEconomic && other.isEconomic && one.events.isDisjoint(with: other.events)
            || one.isEconomic && other.has(.market) || other.isEconomic && one.has(.market)
    }

    /// Where a market went, and the decision or the figure that it waited for.
    private static func isMoveBesideEvent(_ one: GroupReading, _ other: GroupReading) -> Bool {
        one.has(.market) && !one.moves.isEmpty && one.events.isEmpty && other.isEconomic && !other.has(.market)
    }

    /// `Gold climbs after Fed decision`, `Dollar weakens after Fed decision`
    private static func areMovesOfOtherMarkets(_ one: GroupReading, _ other: GroupReading) -> Bool {
        !one.moves.isEmpty && !other.moves.isEmpty && one.has(.market) && other.has(.market)
    }

    private static func ofOneSubject(_ one: GroupReading, _ other: GroupReading) -> SubjectRelation {
        // One buyer of two companies, one seller of two stakes.
        if !one.companies.isSubset(of: other.companies), !other.companies.isSubset(of: one.companies) {
            return one.events.isDisjoint(with: [.court]) && other.events.isDisjoint(with: [.court]) ? .barred : .related
        }
        if Self.shareAnInstitutionAlone(one, other) {
            // What an institution does, it does several times a day, and what it expects, of several countries.
            if !one.economies.isEmpty, !other.economies.isEmpty, one.economies.isDisjoint(with: other.economies) {
                return .barred
            }
            let events = one.events.intersection(other.events)
            return events.isEmpty ? .oneOfSeveral : events.contains(where: \.isEconomic) ? .sameEvent : .sameKind
        }
        guard !one.events.isEmpty, !other.events.isEmpty else {
            let isOneMove = !one.markets.isDisjoint(with: other.markets) && !one.moves.isDisjoint(with: other.moves)
            if isOneMove, !one.isCorporate, !other.isCorporate { return .sameEvent }
            guard !one.companies.isEmpty, !other.companies.isEmpty else { return .open }
            // An event of a company and a headline that names it, but no event.
            if Self.nameOneAmount(one, other) { return .sameEvent }
            let events = one.events.union(other.events)
            return !events.isEmpty && events.isSubset(of: EventKind.frequent) ? .oneOfSeveral : .named
        }
        if one.events.isDisjoint(with: other.events) {
            if one.isEconomic, other.isEconomic { return .related }
            // What a central bank does to a company is no decision on rates.
            if one.isCorporate && other.isEconomic || other.isCorporate && one.isEconomic { return .barred }
            // In a group, a few headlines that name an event tell the event of all.
            let areOfCompanies = !one.companies.isEmpty && !other.companies.isEmpty
            guard areOfCompanies || one.isCorporate && other.isCorporate else { return .open }
            return EventKind.areRelated(one.events, other.events) ? .related : .barred
        }
        // A company may be in court against one company and over something else against others.
        let isOtherCase = one.events.intersection(other.events) == [.court] && one.companies != other.companies
        if isOtherCase { return .related }
        let isFrequent = one.events.intersection(other.events).isSubset(of: EventKind.frequent)
        if isFrequent, !one.companies.isEmpty, !other.companies.isEmpty {
            return nameOneAmount(one, other) ? .sameEvent : .sameKind
        }
        return isOnceADay(one, other) ? .oneEvent : .sameEvent
    }

    /// Whether nothing but an institution, or a central bank's name beside its decision, is a subject of both.
    private static func shareAnInstitutionAlone(_ one: GroupReading, _ other: GroupReading) -> Bool {
        let shared = one.subjects.intersection(other.subjects)
        if shared.isEmpty { return false }
        let decides = one.events.contains(.rates) != other.events.contains(.rates)
        return shared.allSatisfy { $0.kind == .institution || $0.kind == .centralBank && decides }
    }

    /// `Walmart lays off 1,500` and `1,500 jobs to go at Walmart`. One percentage may be of anything.
    private static func nameOneAmount(_ one: GroupReading, _ other: GroupReading) -> Bool {
        one.amounts.intersection(other.amounts).contains { !$0.hasSuffix("%") }
    }

    /// Results of one company, or the same figure or decision of one economy.
    private static func isOnceADay(_ one: GroupReading, _ other: GroupReading) -> Bool {
        let events = one.events.intersection(other.events)
        if events.contains(.earnings) {
            return one.companies.count == 1 && one.companies == other.companies && events == [.earnings]
        }
        return !events.isDisjoint(with: [.rates, .inflation, .employment, .claims])
            && !one.economies.isDisjoint(with: other.economies)
    }
}
