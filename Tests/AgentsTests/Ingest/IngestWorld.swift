import DataSources
import Foundation
import HTTP
import JSON
import JobQueue
import LanguageModels
import Observability
import Prompts
import SQLiteStore
import Basics
import Synchronization
import Testing

@testable import Agents

/// Ingest jobs over a real database and a scripted web, at a time of the test's choice.
final class IngestWorld: Sendable {
    let test: TestStore
    let web = ScriptedWeb()
    private let clock: Mutex<Int64>
    private let workers = Mutex(0)
    private let bundle: Prompts.Bundle
    private let held: [String]

    /// 2026-11-21T12:00:00Z
    static let noon: Int64 = 1_795_262_400_000
    static let feed = "https://wire.example/feed.xml"

    static func run(
        at now: Int64 = noon, holding held: [String] = [], _ body: (IngestWorld) async throws -> Void
    ) async throws {
        let bundle = try Home.bundle.get()
        try await TestStore.run { test in try await body(IngestWorld(test, now, held, bundle)) }
    }

    private init(_ test: TestStore, _ now: Int64, _ held: [String], _ bundle: Prompts.Bundle) {
        self.test = test
        self.held = held
        self.bundle = bundle
        clock = Mutex(now)
    }

    var now: Int64 {
        get { clock.withLock(\.self) }
        set { clock.withLock { $0 = newValue } }
    }

    var store: SQLiteStore { test.store }

    /// Puts headlines in a feed, each published so many minutes before now.
    func publish(
        _ titles: [String], at url: String = feed, minutesAgo: Int64 = 60, etag: String? = nil,
        link: (String) -> String = { "https://wire.example/\($0.filter(\.isLetter))" }
    ) {
        let published = NewsItemDate.mail(now - minutesAgo * 60_000)
        let items = titles.map { title in
            "<item><title>\(title)</title><link>\(link(title))</link><pubDate>\(published)</pubDate></item>"
        }
        let body = "<rss version=\"2.0\"><channel><title>Wire</title>\(items.joined())</channel></rss>"
        web.set(url) { request in
            if let etag, request.headers["If-None-Match"] == etag { return HTTPResponse(status: 304) }
            var headers: HTTPHeaders = ["Content-Type": "application/rss+xml"]
            headers["ETag"] = etag
            return HTTPResponse(status: 200, headers: headers, body: Array(body.utf8))
        }
    }

    func agent(embedding: Bool = false, newsKey: String? = nil, fmpKey: String? = nil) throws -> IngestAgent {
        let fetcher = WebFetcher(transport: web)
        let catalogue = try ModelCatalogue(
            parsing: String(contentsOfFile: Home.path + "/models.yaml", encoding: .utf8))
        let models = ModelsConfiguration(gemini: .init(key: Secret("k"), baseURL: "https://gemini.example"))
        let model = EmbeddingModel(catalogue, configuration: models, over: web)
        return IngestAgent(
            desk: NewsFetcher(
                feeds: FeedFetcher(web: fetcher),
                headlines: newsKey.map {
                    NewsAPIClient(key: Secret($0), base: "https://newsapi.example/v2", transport: web)
                },
                stocks: fmpKey.map { FMPClient(key: Secret($0), base: "https://fmp.example/stable", transport: web) },
                pages: ContentFetcher(web: fetcher, videos: YouTubeClient(transport: web))),
            news: store, held: Held(symbols: held), embedder: embedding ? model.map(ArticleEmbedder.init) : nil,
            now: { [self] in now })
    }

    /// Runs a job to its end and returns its result.
    @discardableResult
    func ingest(
        _ input: JSON = ["feeds": [JSON(feed)]], settings: JSON = [:], with agent: IngestAgent? = nil
    ) async throws -> JSON {
        let job = try await claim(input)
        let result = try await attempt(job, settings: settings, agent ?? (try self.agent()))
        try await store.complete(job.lease, with: result.body, effects: result.records.map(Effect.record))
        return result.body
    }

    func claim(_ input: JSON) async throws -> ClaimedJob {
        let timestamp = try await store.now()
        var generator = SystemRandomNumberGenerator()
        let job = NewJob(
            id: JobID(at: timestamp, using: &generator), user: UserID(rawValue: 1), kind: "ingest", input: input,
            bundle: bundle.hash, cost: 0, deadline: timestamp + .seconds(600), startingCredits: 10)
        _ = try await store.submit(job)
        let number = workers.withLock {
            $0 += 1
            return $0
        }
        return try await test.claim(by: "w\(number)")
    }

    func attempt(_ job: ClaimedJob, settings: JSON = [:], _ agent: IngestAgent) async throws -> AgentResult {
        var kind = try #require(bundle.kinds["ingest"])
        kind.settings = settings
        let journal = try await Journal(of: job.lease, in: store)
        return try await agent.run(
            JobContext(job: job, kind: kind, bundle: bundle, journal: journal, isLive: { true }) { _, _ in })
    }

    /// Today's groups that everybody sees, by number, with the titles of their articles.
    func groups(on day: String = "2026-11-21") async throws -> [Int64: [String]] {
        var groups: [Int64: [String]] = [:]
        for group in try await store.globalGroups(on: day, limit: 1000) {
            let articles = try await store.articles(ids: group.story.members.map(\.article))
            groups[group.id] = articles.map(\.title)
        }
        return groups
    }

    private struct Held: HeldTickers {
        let symbols: [String]

        func heldTickers(limit: Int) async throws(StoreError) -> [String] { Array(symbols.prefix(limit)) }
    }
}

/// Dates as feeds write them.
enum NewsItemDate {
    static func mail(_ milliseconds: Int64) -> String {
        let text = ISO8601.text(milliseconds: milliseconds)
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let parts = text.split { "-T:Z.".contains($0) }
        return "\(parts[2]) \(months[(Int(parts[1]) ?? 1) - 1]) \(parts[0]) \(parts[3]):\(parts[4]):\(parts[5]) GMT"
    }
}
