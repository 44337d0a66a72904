import Basics
import Broker
import DataSources
import HTTP
import JobQueue
import JSON
import SQLiteStore
import Synchronization
import TestSupport
import Testing

extension TestService {
    /// Writes records through a job.
    func write(_ changes: [RecordChange]) async throws {
        let id = try await submit("note", input: [:], user: "900")
        let worker = try await FakeWorker(self, "writer-\(id)")
        let lease = try await worker.claim(id)
        try await store.complete(lease, with: [:], effects: changes.map { .record($0) })
    }
}

/// An invented day of news.
enum TestNews {
    /// 2026-01-04 09:46:40 in UTC
    static let timestamp = Timestamp(milliseconds: 1_767_520_000_000)

    /// A story with a number of articles, each by another publisher, as an ingest job stores it.
    static func story(
        _ name: String, impact: ImpactLevel = .moderate, title: String? = nil, tickers: [(String, Bool)] = [],
        articles count: Int = 1, at timestamp: Timestamp = timestamp - .seconds(3600)
    ) -> [RecordChange] {
        let day = "2026-01-0\(timestamp >= Self.timestamp - .seconds(35_000) ? 4 : 3)"
        let articles = (0..<count).map { place in
            NewsArticle(
                id: "\(name)-\(place)", url: "https://news.example/\(name)/\(place)",
                title: title ?? "\(name) reports earnings", description: "What \(name) said.",
                text: "A long text about \(name).", source: "Paper \(place)",
                tickers: tickers.map(\.0), publishedAt: timestamp - .seconds(60), fetchedAt: timestamp, day: day)
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

/// NewsAPI with a number of invented headlines; records the requests.
final class ScriptedNews: HTTPTransport {
    private struct State {
        var asked: [String] = []
        var isFailing = false
    }

    private let count: Int
    private let state = Mutex(State())

    init(_ count: Int) { self.count = count }

    /// The requested addresses.
    var asked: [String] { state.withLock(\.asked) }

    func fail() { state.withLock { $0.isFailing = true } }

    var sources: NewsSources {
        NewsSources(newsAPI: NewsAPIClient(key: Secret("k3y"), base: "http://news.test/v2", transport: self))
    }

    func send(_ request: HTTPRequest) async throws(HTTPClientError) -> HTTPResponse {
        let isFailing = state.withLock { state in
            state.asked.append(request.url)
            return state.isFailing
        }
        guard !isFailing else { return HTTPResponse(status: 500) }
        let articles = (0..<count).map { number -> JSON in
            [
                "source": ["id": nil, "name": "Harbour Times"], "author": number == 0 ? nil : "Ann Sample",
                "title": JSON("Headline \(number) about tin"),
                "description": number == 0 ? nil : JSON("Part \(number)."),
                "url": JSON("https://harbour.example/\(number)?utm_source=x"),
                "urlToImage": number == 0 ? nil : "https://harbour.example/i.png",
                "publishedAt": "2026-11-20T08:00:00Z", "content": "The beginning of it… [+900 chars]",
            ]
        }
        let body: JSON = ["status": "ok", "totalResults": JSON(count), "articles": .array(articles)]
        return HTTPResponse(status: 200, body: body.utf8)
    }

    func stream(_ request: HTTPRequest) async throws(HTTPClientError) -> HTTPStreamingResponse {
        HTTPStreamingResponse(status: 500, headers: [:], body: AsyncThrowingStream { $0.finish() })
    }
}
