import BrokerClient
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

                // A later request is answered with the stored explanation, which feeds show for nothing.
                let late = try await fleet.client(99).submit(kind: "explanation", input: Order(story: story))
                #expect(late.status == "completed" && fleet.simulator.count(of: .claude) == 1)
                try await fleet.expectBalance(user: 99, used: 0)
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
            try await Fleet.with(
                pacing: Pacing(tokensPerSecond: 1500, deltaLength: 80), database: { try await engine.open(in: $0) }
            ) { fleet in
                try await fleet.startBroker()
                let story = try await StoryKeeper(fleet).keep()
                for _ in 0..<workers { _ = try await fleet.startWorker() }
                try await body(fleet, story)
            }
        }
    }
}
