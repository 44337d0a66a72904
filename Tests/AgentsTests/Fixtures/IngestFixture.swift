import Basics
import DataSources
import Foundation
import HTTP
import JobQueue
import JSON
import LanguageModels
import Observability
import Prompts
import SQLiteStore
import Synchronization
import SQLSupport
import TestSupport
import Testing

@testable import Agents

/// Ingest jobs over a database and a scripted web, at a time that the test sets.
final class IngestFixture: Sendable {
    let test: StoreFixture
    let web = ScriptedWeb()
    private let clock: Mutex<Timestamp>
    private let workers = Mutex(0)
    private let bundle: Prompts.Bundle

    /// 2026-11-21T12:00:00Z
    static let noon: Timestamp = 1_795_262_400_000
    static let feed = "https://wire.example/feed.xml"

    static func run(
        at now: Timestamp = noon, holding held: [String] = [], _ body: (IngestFixture) async throws -> Void
    ) async throws {
        let bundle = try ContentFiles.bundle.get()
        try await StoreFixture.run { test in
            // The first symbol has the most holders.
            for count in 1..<(held.count + 1) {
                _ = try await test.store.change(
                    preferencesOf: UserID(rawValue: Int64(100 + count)),
                    PreferencesChange(holdings: held.prefix(count).map { Holding(ticker: $0) }))
            }
            try await body(IngestFixture(test, now, bundle))
        }
    }

    private init(_ test: StoreFixture, _ now: Timestamp, _ bundle: Prompts.Bundle) {
        self.test = test
        self.bundle = bundle
        clock = Mutex(now)
    }

    var now: Timestamp {
        get { clock.withLock(\.self) }
        set { clock.withLock { $0 = newValue } }
    }

    var store: SQLiteStore { test.store }

    /// Puts headlines in a feed, each published the given number of minutes before now.
    func publish(
        _ titles: [String], at url: String = feed, minutesAgo: Int64 = 60, etag: String? = nil,
        link: (String) -> String = { "https://wire.example/\($0.filter(\.isLetter))" }
    ) {
        let published = NewsItemDate.mail(now - .seconds(minutesAgo * 60))
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

    func agent(
        embedding: Bool = false, newsKey: String? = nil, fmpKey: String? = nil,
        onFailure: @escaping @Sendable (SourceFailure) -> Void = { _ in }
    ) throws -> IngestAgent {
        let fetcher = WebFetcher(transport: web)
        let catalogue = try ModelCatalogue(
            parsing: String(contentsOfFile: ContentFiles.path + "/models.yaml", encoding: .utf8))
        let models = ModelsConfiguration(gemini: .init(key: Secret("k"), baseURL: "https://gemini.example"))
        let model = EmbeddingModel(catalogue, configuration: models, over: web)
        return IngestAgent(
            fetcher: NewsFetcher(
                feeds: FeedFetcher(web: fetcher),
                headlines: newsKey.map {
                    NewsAPIClient(key: Secret($0), base: "https://newsapi.example/v2", transport: web)
                },
                stocks: fmpKey.map { FMPClient(key: Secret($0), base: "https://fmp.example/stable", transport: web) },
                pages: ContentFetcher(web: fetcher, videos: YouTubeClient(transport: web))),
            store: store, embedder: embedding ? model.map { ArticleEmbedder($0) } : nil, onFailure: onFailure,
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

    /// Today's groups for all users, by number, with the titles of their articles.
    func groups(on day: String = "2026-11-21") async throws -> [Int64: [String]] {
        var groups: [Int64: [String]] = [:]
        for group in try await store.globalGroups(on: day, limit: 1000) {
            let articles = try await store.articles(ids: group.story.members.map(\.article))
            groups[group.id] = articles.map(\.title)
        }
        return groups
    }
}

/// Dates in the form of feeds.
enum NewsItemDate {
    static func mail(_ timestamp: Timestamp) -> String {
        let text = timestamp.iso8601
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let parts = text.split { "-T:Z.".contains($0) }
        return "\(parts[2]) \(months[(Int(parts[1]) ?? 1) - 1]) \(parts[0]) \(parts[3]):\(parts[4]):\(parts[5]) GMT"
    }
}
