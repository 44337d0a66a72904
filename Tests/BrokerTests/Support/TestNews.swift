import JSON
import JobQueue
import SQLiteStore
import Testing

extension Service {
    /// Writes records as a job does.
    func write(_ changes: [RecordChange]) async throws {
        let id = try await submit("note", input: [:], user: "900")
        let worker = try await FakeWorker(self, "writer-\(id)")
        let lease = try await worker.claim(id)
        try await store.complete(lease, with: [:], effects: changes.map { .record($0) })
    }
}

/// A made-up news day.
enum TestNews {
    /// 2026-01-04 09:46:40 in UTC
    static let timestamp: Int64 = 1_767_520_000_000

    /// A story of so many articles by as many publishers, as ingesting it leaves it.
    static func story(
        _ name: String, impact: ImpactLevel = .moderate, title: String? = nil, tickers: [(String, Bool)] = [],
        articles count: Int = 1, at timestamp: Int64 = timestamp - 3_600_000
    ) -> [RecordChange] {
        let day = "2026-01-0\(timestamp >= Self.timestamp - 35_000_000 ? 4 : 3)"
        let articles = (0..<count).map { place in
            NewsArticle(
                id: "\(name)-\(place)", url: "https://news.example/\(name)/\(place)",
                title: title ?? "\(name) reports earnings", description: "What \(name) said.",
                text: "A long text about \(name).", source: "Paper \(place)",
                tickers: tickers.map(\.0), publishedAt: timestamp - 60_000, fetchedAt: timestamp, day: day)
        }
        let story = NewsStory(
            key: "\(name)-0", day: day, title: title ?? "\(name) reports earnings", impact: impact, confidence: .medium,
            tickers: tickers.map { StoryTicker(symbol: $0.0, isSubject: $0.1) },
            members: articles.map {
                StoryMember(article: $0.id, url: $0.url, similarity: 9000, addedAt: timestamp)
            }, createdAt: timestamp, updatedAt: timestamp)
        return articles.map { .article($0) } + [.story(story)]
    }

    static func explanation(of name: String, for holdings: String...) -> RecordChange {
        let text = holdings.isEmpty ? "This is context." : "Since you hold \(holdings[0]), this is context."
        let body: JSON = [
            "what_happened": JSON("\(name) reported. Sales rose."), "why_it_happened": "One.\n\nTwo.\n\nThree.",
            "why_it_matters_now": JSON(text),
            "what_to_watch_next": JSON(
                "1) Growth goes on (Medium likelihood): Sales rise. They pass 3%.\n\n"
                    + "2) Growth ends (Low likelihood): Sales fall. They miss 1%."),
            "what_this_does_not_mean":
                "Some expect a fall. None is said. Others expect a rise. None is said. It can rest.",
            "sources_summary": [
                [
                    "publisher": "Paper 0", "title": "T", "published_date": "2026-01-04T08:00:00Z",
                    "url": "https://news.example/a",
                ]
            ],
            "cause_confidence": "Medium", "cause_reason": "Rests on 2 articles.", "decision_reasoning": nil,
        ]
        return .storyExplanation(
            StoryExplanation(
                ExplanationKey(story: "\(name)-0", version: "1", holdings: holdings), body: body.compact,
                provenance: "{}", createdAt: timestamp))
    }
}
