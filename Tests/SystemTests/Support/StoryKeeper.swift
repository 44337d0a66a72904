import JSON
import JobQueue
import PostgresStore
import SQLiteStore
import TestSupport
import Testing

/// Puts a story into a fleet's database, as an ingest would.
struct StoryKeeper {
    let fleet: Fleet

    init(_ fleet: Fleet) { self.fleet = fleet }

    /// The number of the story's group.
    func keep() async throws -> Int64 {
        switch fleet.database.engine {
        case .sqlite:
            let store = try await SQLiteStore.open(
                path: String(fleet.database.url.dropFirst("sqlite:".count)), migrations: .create)
            return try await keep(in: store) { await store.close() }
        case .postgres:
            let store = try await PostgresStore.open(try PostgresURL(fleet.database.url), migrations: .create)
            return try await keep(in: store) { await store.close() }
        }
    }

    private func keep(
        in store: any JobStore & StoryRepository, _ close: () async -> Void
    ) async throws -> Int64 {
        let now = try await store.now()
        var generator = SystemRandomNumberGenerator()
        let worker = WorkerID(rawValue: "keeper")
        let id = JobID(at: now, using: &generator)
        _ = try await store.submit(
            NewJob(
                id: id, user: .system, kind: "ingest", input: [:], bundle: "none", cost: 0,
                deadline: now + .seconds(600), startingCredits: 0))
        try await store.register(WorkerRegistration(id: worker, host: "here", processID: 1, concurrency: 1))
        let lease = try await store.claim(for: worker, upTo: [.background: 1]).jobs.first?.lease
        try await store.complete(try #require(lease), with: 1, effects: records.map { .record($0) })
        try await store.deregister(worker)
        let group = try await store.globalGroups(on: "2026-11-21", limit: 1).first?.id
        await close()
        return try #require(group)
    }

    private var records: [RecordChange] {
        let texts = [
            """
            The central bank of Norland kept its rate at 4 percent on Thursday. It said that prices rose 2 percent over \
            the last year. Its next meeting is in January.
            """,
            """
            Borrowing costs in Norland stay where they are. The bank said that it wants to see more of the same before \
            it lowers them. House prices rose 3 percent over the year.
            """,
        ]
        let articles = texts.enumerated().map { place, text in
            NewsArticle(
                id: "n\(place)", url: "https://news.example/\(place)", title: "Norland keeps its rate", text: text,
                source: place == 0 ? "Harbour Times" : "Town Ledger", publishedAt: 1_795_000_000_000,
                fetchedAt: 1_795_000_000_000, day: "2026-11-21")
        }
        let story = NewsStory(
            key: "n0", day: "2026-11-21", title: "Norland keeps its rate", impact: .high, confidence: .medium,
            members: articles.map { StoryMember(article: $0.id, url: $0.url, similarity: 9000, addedAt: 1) },
            createdAt: 1, updatedAt: 1)
        return articles.map { .article($0) } + [.story(story)]
    }
}
