/// What an article is surely about, by which it excludes others from its story.
///
/// `SubjectRelation` compares an article with what most of a group says, so a third text could stand between two that
/// exclude each other: an explainer of rates without a bank between the Fed and the ECB. Signatures are therefore kept
/// of every article of a group, and a group takes no article, and merges with no group, that one of them excludes.
struct StorySignature: Sendable, Hashable {
    /// Of an event of companies.
    var companies: Set<HeadlineReading.Subject>
    var centralBanks: Set<HeadlineReading.Subject>
    /// Countries whose economy it is about.
    var economies: Set<String>
    /// The house of an analyst's note.
    var house: String
    /// Which kinds of events its companies, or its countries, have.
    var events: Set<EventKind>

    /// `nil` for a headline that excludes nothing.
    init?(_ reading: HeadlineReading) {
        let group = GroupReading(reading)
        house = if case .note(let house) = reading.form { house } else { "" }
        guard reading.form == .event || !house.isEmpty else { return nil }
        events = reading.events
        companies = reading.events.allSatisfy(\.isEconomic) && !reading.events.isEmpty ? [] : group.companies
        centralBanks = group.isEconomic ? reading.subjects.filter { $0.kind == .centralBank } : []
        economies =
            companies.isEmpty && !events.isDisjoint(with: [.rates, .inflation, .employment]) ? group.economies : []
        if companies.isEmpty, centralBanks.isEmpty, economies.isEmpty, house.isEmpty { return nil }
    }

    /// Whether two texts cannot tell one story.
    ///
    /// - Parameters:
    ///   - other: the other text.
    ///   - parties: companies that an event between them makes one subject.
    /// - Returns: whether a group with the one takes no text with the other.
    func excludes(_ other: StorySignature, parties: [Set<HeadlineReading.Subject>]) -> Bool {
        func differ<Key>(_ one: Set<Key>, _ other: Set<Key>) -> Bool {
            !one.isEmpty && !other.isEmpty && one.isDisjoint(with: other)
        }
        if differ(centralBanks, other.centralBanks) || differ(economies, other.economies) { return true }
        if !house.isEmpty, !other.house.isEmpty, house != other.house { return true }
        // `Profit falls on weak demand in China` is no news of China's economy.
        if companies.isEmpty != other.companies.isEmpty, economies.isEmpty != other.economies.isEmpty { return true }
        if !economies.isEmpty, !other.economies.isEmpty {
            // A bank's report on inflation and its decision on rates may be one.
            let isOneBank = !centralBanks.isDisjoint(with: other.centralBanks)
            return !isOneBank && differ(events.filter(\.isEconomic), other.events.filter(\.isEconomic))
        }
        guard !companies.isEmpty, !other.companies.isEmpty else { return false }
        return companies.isDisjoint(with: other.companies)
            && events.isDisjoint(with: [.product]) && other.events.isDisjoint(with: [.product])
            && !parties.contains { !$0.isDisjoint(with: companies) && !$0.isDisjoint(with: other.companies) }
    }
}

/// The signatures of a group's articles, each once.
struct StorySignatures {
    private var all: Set<StorySignature> = []
    /// Companies of one event of the group: the two of a merger, of a lawsuit.
    private var parties: [Set<HeadlineReading.Subject>] = []

    mutating func insert(_ reading: HeadlineReading) {
        guard let signature = StorySignature(reading), all.insert(signature).inserted else { return }
        let isBetween = !signature.events.isDisjoint(with: [.deal, .court])
        if isBetween, signature.companies.count == 2, !parties.contains(signature.companies) {
            parties.append(signature.companies)
        }
    }

    func excludes(_ other: StorySignatures) -> Bool {
        let parties = parties + other.parties
        return all.contains { one in other.all.contains { one.excludes($0, parties: parties) } }
    }
}
