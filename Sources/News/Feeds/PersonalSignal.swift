internal import Basics
internal import JobQueue
package import JSON

/// A story as the personalized feed shows it: its topic, the user's tickers, and its articles.
package struct PersonalSignal: Sendable, Hashable {
    package let story: FeedStory
    /// The user's tickers that the story is about, in the user's order; empty for general news.
    private let held: [String]
    private let explanation: JSON?

    /// Articles shown of one story.
    package static let articleLimit = 5
    /// Characters shown of one article's text.
    package static let bodyLimit = 2000
    private static let summaryLimit = 240

    /// Makes the signal of a story; `explanation` is its calm explanation where there is one.
    package init(of story: FeedStory, held: [String], explanation: JSON?) {
        self.story = story
        self.held = held
        self.explanation = explanation
    }

    /// The signal as the news documents print it.
    package var json: JSON {
        [
            "id": JSON(story.lead.url), "title": JSON(shown.title), "shortSummary": JSON(shortSummary),
            "tickerSummary": JSON(tickers.joined(separator: ", ")), "impactLevel": JSON(impactLevel),
            "scopeType": JSON(scopeType), "opportunitySignal": JSON(story.tone.rawValue),
            "relevanceType": JSON(story.topic.rawValue), "profileTier": JSON(profileTier),
            "published_at": JSON(FeedTimestamp.seconds(story.lead.publishedAt)),
            "rank_reason": JSON(held.first.map { "User holds \($0)" } ?? "Global impact"),
            "rawArticles": .array(rawArticles),
            "explanation": explanation.flatMap { PersonalExplanation($0, signal: Signal(of: story, held: held)) }?.json
                ?? .null,
            "judged_by": JSON(story.group.story.ratedBy),
        ]
    }

    /// The user's tickers first, then the others that the story names.
    private var tickers: [String] {
        held + story.group.story.tickers.map(\.symbol).filter { !held.contains($0) }
    }

    /// The article whose title represents the story; else the first one.
    private var shown: NewsArticle {
        story.articles.first { $0.title == story.group.story.title } ?? story.lead
    }

    /// The description of the shown article, else of the most similar other one that speaks of the same; else the title.
    private var shortSummary: String {
        func words(_ text: String) -> Set<String> {
            Set(Words.of(text).map { Stemmer.stem($0.folded) }).filter(Wording.isSpecific)
        }
        let title = words(shown.title)
        let own = shown.description.flatMap { $0.contains { !$0.isWhitespace } ? $0 : nil }
        let other = story.articles.lazy.compactMap(\.description).first { words($0).intersection(title).count >= 2 }
        return Self.shortened(own ?? other ?? shown.title, to: Self.summaryLimit)
    }

    private var impactLevel: String {
        switch story.group.story.impact {
        case .high: "high"
        case .moderate: "medium"
        case .low, .veryLow: "low"
        }
    }

    /// News of one or two companies, of three or more, or of none and the economy.
    private var scopeType: String {
        if story.topic == .economy || tickers.isEmpty { return "macro" }
        return tickers.count >= 3 ? "industry" : "company"
    }

    /// Relevance to the user: about a holding; mentions one, or of high impact; neither.
    private var profileTier: String {
        if !story.group.story.held(of: held, mentions: false).isEmpty { return "high" }
        return !held.isEmpty || story.group.story.impact == .high ? "medium" : "low"
    }

    private var rawArticles: [JSON] {
        ([shown] + story.articles.filter { $0.id != shown.id }).prefix(Self.articleLimit).enumerated().map {
            index, article in
            [
                "articleNumber": JSON(index + 1), "source": JSON(article.source), "title": JSON(article.title),
                "description": JSON(article.description ?? ""),
                "body": JSON(Self.shortened(article.text ?? "", to: Self.bodyLimit)), "url": JSON(article.url),
            ]
        }
    }

    /// The text, cut between words.
    private static func shortened(_ text: String, to limit: Int) -> String {
        let head = text.prefix(scalars: limit)
        guard head.endIndex < text.endIndex else { return text }
        return String(head.lastIndex(where: \.isWhitespace).map { head[..<$0] } ?? head) + "…"
    }
}

/// One path of "what to watch next", read from the text that explanations print:
/// `1) Title (Medium likelihood): What it would look like. A sign of it.`
struct Scenario: Hashable {
    /// The title and the description of the path.
    var path: String
    /// `Low`, `Medium` or `High`.
    var likelihood: String
    /// The sentence with a sign of it.
    var sign: String

    static func all(in text: String) -> [Scenario] {
        text.split(separator: "\n").compactMap { Scenario(String($0)) }
    }

    private init?(_ line: String) {
        var rest = line[...]
        let digits = rest.prefix { $0.isNumber }
        if !digits.isEmpty, rest.dropFirst(digits.count).first == ")" {
            rest = rest.dropFirst(digits.count + 1).drop { $0.isWhitespace }
        }
        guard let mark = rest.firstRange(of: "):"), let open = rest[..<mark.lowerBound].lastIndex(of: "("),
            let level = ExplanationWords.level(of: rest[rest.index(after: open)..<mark.lowerBound])
        else { return nil }
        likelihood = level
        let title = rest[..<open].reversed().drop { $0.isWhitespace }.reversed()
        var sentences = Sentences.of(String(rest[mark.upperBound...]))
        sign = sentences.count > 1 ? sentences.removeLast() : ""
        path = "\(String(title)): \(sentences.joined(separator: " "))"
    }
}
