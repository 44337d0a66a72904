package import JSON
internal import JobQueue

/// A story as the general feed shows it: whether it is worth knowing, and why.
///
/// Everything follows from the levels of the story and the words of its titles. Where a model has interpreted the
/// article, its judgement stands instead.
package struct Signal: Sendable, Hashable {
    package let story: FeedStory
    /// Tickers of the reader's that the story is about, in the reader's order.
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
        let judged = interpretation ?? computed
        for name in Self.judgement { body[name] = judged[name] ?? .null }
        return .object(body)
    }

    /// The members that a model's interpretation replaces.
    package static let judgement = [
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

    /// Whom it concerns, who tells it, and what kind of news it is.
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
