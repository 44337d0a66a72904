import DossierClient
import DossierAPI
import Foundation
import HTTP
import JSON
import JobQueue
import TestSupport
import PostgresStore
import SQLiteStore
import Simulator
import Testing

extension SystemTests.Surface {
    /// An explanation that many users request at once, with real processes and the simulated models.
    @Suite(.serialized) struct SharedExplanationTests {
        private static let users = 50

        @Test(.timeLimit(.minutes(5)), arguments: DatabaseEngine.allCases)
        func fiftyWhoAskAtOnceCostOneModelCallAndACreditEach(on engine: DatabaseEngine) async throws {
            try await withStory(on: engine) { fleet, story in
                let jobs = try await ask(for: story, in: fleet)
                for (user, id) in jobs { #expect(try await fleet.end(of: id, user: user).status == "completed") }
                #expect(fleet.simulator.count(of: .claude) == 1)
                var texts: Set<String> = []
                for (user, id) in jobs {
                    try await fleet.expectBalance(user: user, used: 1)
                    texts.insert(try await fleet.result(of: id, user: user)["explanation"]?.compact ?? "")
                }
                #expect(texts.count == 1 && texts.first?.contains("what_happened") == true)

                // A later request is answered with the stored explanation.
                let late = try await fleet.client(99).submit(kind: "explanation", input: Order(story: story))
                #expect(late.status == "completed" && fleet.simulator.count(of: .claude) == 1)
                try await fleet.expectBalance(user: 99, used: 1)
                try await fleet.expectCleanAudit()
            }
        }

        @Test(.timeLimit(.minutes(5)), arguments: DatabaseEngine.allCases)
        func aFailureReleasesAllSubscribersAndARetryIsSharedAgain(on engine: DatabaseEngine) async throws {
            try await withStory(on: engine, workers: 0) { fleet, story in
                fleet.simulator.faults.add(FaultRule(.refusal, service: .claude, times: 1))
                let jobs = try await ask(for: story, in: fleet)
                _ = try await fleet.startWorker()
                for (user, id) in jobs {
                    #expect(try await fleet.end(of: id, user: user).status == "failed")
                    try await fleet.expectBalance(user: user, used: 0)
                }
                let calls = fleet.simulator.count(of: .claude)
                for (user, id) in jobs.sorted(by: { $0.key < $1.key }).prefix(5) {
                    let answer = try await fleet.send(.post, "/api/v1/jobs/\(id)/retry", user: user)
                    #expect(answer.status == 202, "\(answer.body)")
                }
                for (user, id) in jobs.sorted(by: { $0.key < $1.key }).prefix(5) {
                    #expect(try await fleet.end(of: id, user: user).status == "completed")
                    try await fleet.expectBalance(user: user, used: 1)
                }
                #expect(fleet.simulator.count(of: .claude) == calls + 1)
                try await fleet.expectCleanAudit()
            }
        }

        @Test(.timeLimit(.minutes(5))) func aDeadWorkersSharedJobStillServesAllSubscribers() async throws {
            try await withStory(on: .sqlite, workers: 0) { fleet, story in
                fleet.tempo.hold(after: 3)
                let first = try await fleet.startWorker()
                let jobs = try await ask(for: story, in: fleet)
                try await eventually("the model was asked") { fleet.simulator.count(of: .claude) == 1 }
                first.signal(SIGKILL)
                fleet.tempo.release()
                _ = try await fleet.startWorker()
                for (user, id) in jobs {
                    #expect(try await fleet.end(of: id, user: user).status == "completed")
                    try await fleet.expectBalance(user: user, used: 1)
                }
                try await fleet.expectCleanAudit()
            }
        }

        private struct Order: Encodable {
            var story: Int64

            private enum CodingKeys: String, CodingKey { case story = "story_id" }
        }

        /// All users submit at once; the jobs by user.
        private func ask(for story: Int64, in fleet: Fleet) async throws -> [Int: String] {
            try await withThrowingTaskGroup(of: (Int, String).self) { group in
                for user in 1...Self.users {
                    group.addTask {
                        let job = try await fleet.client(user).submit(
                            kind: "explanation", input: Order(story: story))
                        return (user, job.id)
                    }
                }
                return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
            }
        }

        private func withStory(
            on engine: DatabaseEngine, workers: Int = 1, _ body: (Fleet, Int64) async throws -> Void
        ) async throws {
            try await Fleet.with(database: { try await engine.open(in: $0) }) { fleet in
                try await fleet.startBroker()
                let story = try await StoryKeeper(fleet).keep()
                for _ in 0..<workers { _ = try await fleet.startWorker() }
                try await body(fleet, story)
            }
        }
    }
}

/// Puts a story into a fleet's database, as an ingest would.
private struct StoryKeeper {
    let fleet: Fleet

    init(_ fleet: Fleet) { self.fleet = fleet }

    /// The number of the story's group.
    func keep() async throws -> Int64 {
        switch fleet.database.engine {
        case .sqlite:
            let store = try await SQLiteStore.open(path: String(fleet.database.url.dropFirst("sqlite:".count)))
            return try await keep(in: store) { await store.close() }
        case .postgres:
            let store = try await PostgresStore.open(try PostgresURL(fleet.database.url))
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
