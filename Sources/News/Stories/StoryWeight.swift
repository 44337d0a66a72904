internal import Basics
internal import JobQueue

/// How much a story weighs: who is affected, how much and how directly, beside how many report it.
///
/// A decision of the Federal Reserve weighs the same when one publisher has told it so far, and a quiz does not weigh
/// more because eight print it. All of it follows from the headlines, so that the level of a story can be retraced;
/// `docs/stories.md` has the table.
struct StoryWeight: Sendable, Hashable {
    /// What happened, by its kind and by whom it reaches: 0 to 3.
    var consequence: Int
    /// 1 for an amount that is large for what it counts.
    var scale: Int
    /// 1 where most headlines only ask, or tell of what could happen.
    var doubt: Int
    /// A step each at 2, 4 and 8 publishers.
    var breadth: Int

    /// - Parameters:
    ///   - readings: The headlines, read.
    ///   - titles: The same headlines.
    ///   - publishers: The number of publishers that tell it.
    init(readings: [HeadlineReading], titles: [String], publishers: Int) {
        breadth = publishers >= 8 ? 3 : publishers >= 4 ? 2 : publishers >= 2 ? 1 : 0
        let words = titles.map { Words.of($0).map(\.folded) }
        func most(_ isMeant: (Int) -> Bool) -> Bool {
            let count = titles.indices.count(where: isMeant)
            return count > 0 && 2 * count >= titles.count
        }
        let levels = titles.indices.map { Self.consequence(readings[$0], words[$0]) }
        consequence = (1...3).last { level in most { levels[$0] >= level } } ?? 0
        scale = consequence > 0 && most { Self.isLarge(words[$0]) } ? 1 : 0
        doubt = most { titles[$0].hasSuffix("?") || !hedges.isDisjoint(with: words[$0]) } ? 1 : 0
    }

    var impact: ImpactLevel {
        switch max(0, consequence + scale - doubt) + breadth {
        case 0: .veryLow
        case 1: .low
        case 2: .moderate
        default: .high
        }
    }

    private static func consequence(_ reading: HeadlineReading, _ words: [String]) -> Int {
        // Lists and notes tell what others did or think.
        guard reading.form == .event else { return 0 }
        let isLargeEconomy = reading.subjects.contains { largeEconomies.contains($0) }
        if reading.events.contains(.rates) || isBankDecision(reading, words) { return isLargeEconomy ? 3 : 1 }
        if reading.events.contains(where: \.isEconomic) { return isLargeEconomy ? 2 : 1 }
        let stems = words.map { Stemmer.stem($0) }
        if stems.contains(where: grave.contains) { return 2 }
        if !reading.events.isDisjoint(with: direct) || stems.contains(where: moving.contains) { return 1 }
        return 0
    }

    /// The minutes and the words of a large central bank are news of it even without a decision.
    private static func isBankDecision(_ reading: HeadlineReading, _ words: [String]) -> Bool {
        reading.subjects.contains { $0.kind == .centralBank }
            && words.contains { ["minutes", "rate", "rates", "policy", "emergency"].contains($0) }
    }

    /// `$40 billion`, `1.2 million vehicles`, `20,000 jobs`.
    private static func isLarge(_ words: [String]) -> Bool {
        words.indices.contains { place in
            let word = words[place]
            guard let first = word.utf8.first, first >= 0x30, first <= 0x39 else {
                return ["billion", "bn", "trillion"].contains(word)
            }
            if word.hasSuffix("bn") { return true }
            let next = words.dropFirst(place + 1).prefix(3)
            if next.first == "million" { return next.dropFirst().contains(where: counted.contains) }
            // `20,000` is read as two words.
            let isThousands = word.utf8.count >= 2 && next.first == "000"
            return isThousands && next.contains(where: { ["jobs", "workers", "staff", "positions"].contains($0) })
        }
    }

    private static let counted: Set<String> = ["vehicles", "cars", "trucks", "customers", "users", "jobs", "people"]

    private static let largeEconomies: Set<HeadlineReading.Subject> = [
        .centralBank("fed"), .centralBank("ecb"), .centralBank("boe"), .centralBank("boj"), .centralBank("pboc"),
        .country("us"), .country("eurozone"), .country("uk"), .country("jp"), .country("cn"), .country("de"),
    ]

    /// Events that change what a company is worth by themselves.
    private static let direct: Set<EventKind> = [
        .earnings, .leadership, .layoffs, .recall, .deal, .court, .approval, .strike, .outage,
    ]

    /// Events after which a company or a market is another one.
    private static let grave = stems(
        "bankruptcy bankrupt insolvency bailout default crash crisis invasion war nationalise nationalize collapse")

    /// Words of other events that move prices.
    private static let moving = stems(
        """
        fed ecb boj fomc rate rates inflation deflation recession gdp tariff tariffs sanction sanctions selloff rout
        merger merge acquisition acquire takeover buyout ipo recall recalls fraud hack hacked breach outage probe antitrust
        lawsuit indicted shutdown strike layoffs earnings guidance dividend writedown opec halving etf jobless
        unemployment payrolls
        """)

    private static func stems(_ text: String) -> Set<String> {
        Set(text.split(whereSeparator: \.isWhitespace).map { Stemmer.stem(String($0)) })
    }
}

/// Words by which a headline says that something may not happen.
let hedges: Set<String> = ["may", "might", "could", "reportedly", "rumor", "rumors", "rumour", "mulls", "considers"]
