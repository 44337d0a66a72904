internal import Basics
package import JobQueue
package import JSON

/// A story as the general feed shows it: whether it is worth knowing, and why.
///
/// Everything follows from the levels of the story and the words of its titles. Where a model has interpreted the
/// article, its interpretation replaces it.
package struct Signal: Sendable, Hashable {
    package let story: FeedStory
    /// The user's tickers that the story is about, in the user's order.
    private let held: [String]
    private let interpretation: JSON?

    /// Makes the signal of a story; `interpretation` is an object as `POST /v1/interpret` answers.
    package init(of story: FeedStory, held: [String] = [], interpretation: JSON? = nil) {
        self.story = story
        self.held = held
        self.interpretation = interpretation?.object == nil ? nil : interpretation
    }

    /// The signal as the news documents print it.
    package var json: JSON {
        let lead = story.lead
        var body: JSONObject = [
            "id": JSON(lead.url), "url": JSON(lead.url), "title": JSON(lead.title), "source": JSON(lead.source),
            "published_at": JSON(FeedTimestamp.seconds(lead.publishedAt)),
        ]
        let source = interpretation ?? computed
        for name in Self.interpretedMembers { body[name] = source[name] ?? .null }
        return .object(body)
    }

    /// The members that a model's interpretation replaces.
    package static let interpretedMembers = [
        "verdict", "why", "action", "horizon", "opportunity_type", "opportunity_note", "confidence", "importance_score",
    ]

    // MARK: Without a model

    private var computed: JSON {
        [
            "verdict": JSON(isWorthKnowing ? "aware" : "ignore"), "why": JSON(reasons),
            "action": JSON(action.rawValue), "horizon": JSON(horizon),
            "opportunity_type": JSON(opportunity.type), "opportunity_note": JSON(opportunity.note),
            "confidence": JSON(SignalScore.confidence(story.group.story.confidence)),
            "importance_score": JSON(importance),
        ]
    }

    private var importance: Int { story.group.importance }

    private var isWorthKnowing: Bool { !held.isEmpty || importance >= SignalScore.threshold }

    private var action: SignalAction {
        guard isWorthKnowing else { return .nothing }
        if story.group.story.impact >= .moderate { return .understand }
        return story.group.story.confidence == .low ? .readSource : .keepInMind
    }

    private var horizon: String? {
        guard isWorthKnowing else { return nil }
        return switch story.topic {
        case .earnings, .market: "short"
        case .economy, .product, .leadership: "medium"
        case .deal, .regulation: "long"
        case .general: nil
        }
    }

    private var opportunity: (type: String, note: String) {
        guard isWorthKnowing else { return ("none", "") }
        return switch story.tone {
        case .positive: ("positive", "The headlines speak of a gain.")
        case .negative: ("negative", "The headlines speak of a loss.")
        case .neutral: ("none", "")
        }
    }

    /// The tickers concerned, the sources, and the topic.
    private var reasons: [String] { [concern, breadth, kind] }

    private var concern: String {
        if !held.isEmpty { return "You hold \(Self.list(held))" }
        let tickers = story.group.story.tickers
        let subjects = tickers.filter(\.isSubject).map(\.symbol)
        if !subjects.isEmpty { return "It concerns \(Self.list(subjects))" }
        if !tickers.isEmpty { return "It mentions \(Self.list(tickers.map(\.symbol)))" }
        return story.group.concernsInvestors
            ? "It concerns markets as a whole" : "It does not concern companies or markets"
    }

    private var breadth: String {
        let publishers = story.publishers
        let isPart = story.articles.count < story.group.story.members.count
        return publishers.count > 1
            ? "\(isPart ? "At least " : "")\(publishers.count) publishers tell it"
            : "One publisher tells it so far: \(publishers.first ?? "unnamed")"
    }

    private var kind: String {
        let impact = "its impact counts as \(story.group.story.impact.rawValue.lowercased())"
        return story.topic == .general ? "By its breadth and words, \(impact)" : "News of \(topicWord): \(impact)"
    }

    private var topicWord: String {
        switch story.topic {
        case .earnings: "results"
        case .economy: "the economy"
        case .deal: "a deal"
        case .regulation: "courts and regulators"
        case .market: "markets"
        case .product: "products and services"
        case .leadership: "people at the top"
        case .general: "general interest"
        }
    }

    /// `AAPL`, `AAPL and MSFT`, `AAPL, MSFT and 3 others`.
    private static func list(_ names: [String]) -> String {
        switch names.count {
        case 0...1: names.first ?? ""
        case 2: names.joined(separator: " and ")
        case 3: "\(names[0]), \(names[1]) and \(names[2])"
        default: "\(names[0]), \(names[1]) and \(names.count - 2) others"
        }
    }
}

/// The actions that a signal may suggest. None of them is a trade.
package enum SignalAction: String, Sendable, CaseIterable {
    case understand = "Understand the context"
    case keepInMind = "Keep it in mind"
    case readSource = "Read the source"
    case nothing = "No action needed"
}

/// The importance and the certainty of a story, as numbers from 0 to 100.
///
/// Each level has a band of twenty, so that no number contradicts a level; `docs/feeds.md` tabulates them.
package enum SignalScore {
    /// Stories for investors matter from this importance on.
    package static let threshold = 40

    /// 20, 40, 60 or 80 by impact, and 1 for each further article up to 12.
    package static func importance(impact: ImpactLevel, articles: Int) -> Int {
        20 + 20 * impact.rank + min(max(articles - 1, 0), 12)
    }

    package static func confidence(_ level: ConfidenceLevel) -> Int {
        switch level {
        case .high: 90
        case .medium: 70
        case .low: 50
        }
    }
}

/// Cuts plain prose into its sentences.
enum Sentences {
    /// A sentence ends at a point, a question or an exclamation mark before a space and a capital, unless the point
    /// belongs to an abbreviation of single letters (`U.S. shares`).
    static func of(_ text: String) -> [String] {
        var sentences: [String] = []
        var current = ""
        let characters = Array(text)
        for (place, character) in characters.enumerated() {
            current.append(character)
            guard ".!?".contains(character), place + 1 < characters.count, characters[place + 1].isWhitespace,
                let next = characters[(place + 1)...].first(where: { !$0.isWhitespace }),
                next.isUppercase || next.isNumber || next == "\"" || next == "“",
                !(character == "." && isInitial(characters[..<place]))
            else { continue }
            sentences.append(current)
            current = ""
        }
        return (sentences + [current]).map(\.trimmed).filter { !$0.isEmpty }
    }

    /// Whether the text before a point is a single capital, or a capital after a point.
    private static func isInitial(_ before: ArraySlice<Character>) -> Bool {
        guard before.last?.isUppercase == true else { return false }
        guard let previous = before.dropLast().last else { return true }
        return previous.isWhitespace || previous == "."
    }
}
