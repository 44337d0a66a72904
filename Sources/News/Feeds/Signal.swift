package import Basics
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
    /// All of the user's tickers.
    private let holdings: [String]
    private let interpretation: JSON?
    private let language: Language

    /// Makes the signal of a story for a user; `interpretation` is an object as `POST /v1/interpret` answers.
    package init(
        of story: FeedStory, held: [String] = [], holdings: [String] = [], interpretation: JSON? = nil,
        language: Language = .english
    ) {
        self.story = story
        self.held = held
        self.holdings = holdings
        self.language = language
        self.interpretation = interpretation?.object == nil ? nil : interpretation
    }

    /// The signal as the news documents print it.
    package var json: JSON {
        let lead = story.lead
        var body: JSONObject = [
            "id": JSON(lead.url), "url": JSON(lead.url), "title": JSON(lead.title), "source": JSON(lead.source),
            "published_at": JSON(FeedTimestamp.seconds(lead.publishedAt)),
        ]
        // A rating from before the user held the company does not hide news of a holding.
        let rating = held.isEmpty || interpretation?["verdict"] == "aware" ? interpretation : nil
        let source = rating ?? computed
        for name in Self.interpretedMembers { body[name] = source[name] ?? .null }
        body["judged_by"] = rating == nil ? JSON(story.group.story.ratedBy) : "model"
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
            "confidence": JSON(SignalScore.confidence(of: story)),
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
        switch story.event {
        case .outage, .strike, .payout, .note: return "short"
        case .recall, .layoffs, .breach, .disaster, .halt: return "medium"
        default: break
        }
        return switch story.topic {
        case .earnings, .market: "short"
        case .economy, .product, .leadership: "medium"
        case .deal, .regulation: "long"
        case .general: nil
        }
    }

    private var opportunity: (type: String, note: String) {
        let about = held.filter(subjects.contains)
        guard isWorthKnowing, story.tone != .neutral, held.isEmpty || !about.isEmpty else { return ("none", "") }
        let isGain = story.tone == .positive
        return (
            isGain ? "positive" : "negative",
            words.opportunity(
                isGain: isGain, of: about.isEmpty ? subjects : about, held: !about.isEmpty, event)
        )
    }

    // MARK: Reasons

    private var words: SignalWords { SignalWords(language: language) }

    private var subjects: [String] { story.subjects }

    /// Whom it concerns, what such an event changes, and how soon that shows and what it rests on.
    private var reasons: [String] {
        guard isUnread else { return [concern, words.consequence(story.event, reaching: reach), breadth] }
        let isNamed = !held.isEmpty || !subjects.isEmpty || !story.group.story.tickers.isEmpty
        return isNamed ? [concern, words.notRead, breadth] : [words.notRead, words.weighedByPublishers, breadth]
    }

    /// Whether its rules read no word of the story, whose letters are of another script or whose language has no glossary,
    /// and no model rated it.
    private var isUnread: Bool {
        guard story.group.story.ratedArticles == nil else { return false }
        let letters = story.lead.title.unicodeScalars.filter(\.properties.isAlphabetic)
        return 2 * letters.count { $0.value >= Self.endOfLatin } > letters.count
            || HeadlineWords.isUnread(story.lead.title)
    }

    /// The first scalar after the Latin letters of European languages.
    private static let endOfLatin: UInt32 = 0x250

    /// Why this user should care: by what is held, else by whom it is about.
    private var concern: String {
        if !held.isEmpty {
            let about = held.filter { subjects.contains($0) || !story.group.story.tickers.map(\.symbol).contains($0) }
            return about.isEmpty ? words.holdsNamed(held) : words.holds(about, event)
        }
        let kind = heldOfKind
        if !subjects.isEmpty {
            return kind.map { words.concerns(subjects, event, with: $0.tickers, $0.group) }
                ?? words.concerns(subjects, event)
        }
        let tickers = story.group.story.tickers.map(\.symbol)
        if !tickers.isEmpty { return words.mentions(tickers) }
        guard story.group.concernsInvestors else { return words.noConcern }
        // The results of a company that no list knows are not the markets'.
        guard story.event.isWide else { return words.namesNone(holdsSome: !holdings.isEmpty) }
        return kind.map { words.holds($0.tickers, of: $0.group, event) } ?? words.markets(with: holdings, event)
    }

    private var event: String { words.event(story.event, tone: story.tone, in: story.lead.title) }

    private var reach: SignalWords.Reach {
        guard held.isEmpty, !holdings.isEmpty, !subjects.isEmpty else { return .direct }
        return heldOfKind == nil ? .none : .sameKind
    }

    /// The holdings of the narrowest group that the story touches, and the group.
    private var heldOfKind: (tickers: [String], group: HoldingGroup)? {
        for group in HoldingGroup.touched(by: story.articles.map(\.title), story.event, subjects: subjects) {
            let tickers = holdings.filter { HoldingGroup.of($0).first == group }
            if !tickers.isEmpty { return (tickers, group) }
        }
        return nil
    }

    private var breadth: String {
        let publishers = story.publishers
        let isPart = story.articles.count < story.group.story.members.count
        // Names keep their capitals within a sentence.
        let beginsWithName = publishers.count == 2 && !isPart
        let sources =
            if beginsWithName {
                words.publishers(publishers[0], publishers[1])
            } else if publishers.count > 1 {
                words.publishers(publishers.count, atLeast: isPart)
            } else {
                words.onePublisher(publishers.first)
            }
        guard let horizon else { return sources }
        return words.shows(horizon, beginsWithName ? sources : sources.prefix(1).lowercased() + sources.dropFirst())
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

    /// A scale within the band of the level: 30 to 59, 60 to 79, 80 to 95.
    ///
    /// More publishers, a source that is an authority itself and headlines that agree raise it; headlines that ask or
    /// say that something may happen lower it.
    static func confidence(of story: FeedStory) -> Int {
        let members = story.group.story.members
        let likeness = members.reduce(0) { $0 + $1.similarity } / max(members.count, 1)
        let titles = story.articles.map(\.title)
        let doubtful = titles.count { $0.hasSuffix("?") || Hedges.occur(in: Words.of($0)) }
        var value = (story.publishers.count > 1 ? 45 : 35) + 5 * min(story.publishers.count, 8) + likeness / 1000
        if story.articles.contains(where: { PrimarySources.contain($0.url) }) { value += 15 }
        if 2 * doubtful >= titles.count, doubtful > 0 { value -= 15 }
        let band =
            switch story.group.story.confidence {
            case .high: 80...95
            case .medium: 60...79
            case .low: 30...59
            }
        return min(max(value, band.lowerBound), band.upperBound)
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
