import TestSupport
import DossierAPI
import BrokerClient
import Glibc
import HTTP
import JobQueue
import JSON
import Simulator
import Synchronization
import Testing

extension SystemTests.Crashes {
    @Suite(.serialized) struct BrokerCrashTests {
        private static let clients = 6
        private static let submitsEach = 25
        private static let all = clients * submitsEach
        private static let crashes = 6

        @Test(.timeLimit(.minutes(10)))
        func aRepeatedSubmitIsOneJobHoweverOftenTheBrokerIsKilled() async throws {
            try await Fleet.with(variables: ["DOSSIER_STARTING_CREDITS": "\(Self.all)"]) { fleet in
                let first = try await fleet.startBroker()
                let answered = LogLines()
                let jobs = try await withThrowingTaskGroup(of: [String: String].self) { group in
                    for client in 0..<Self.clients {
                        group.addTask { try await submitAll(of: client, to: fleet, answered) }
                    }
                    try await crash(first, of: fleet, whenever: answered)
                    return try await group.reduce(into: [:]) { $0.merge($1) { $1 } }
                }
                #expect(Set(jobs.values).count == Self.all, "two keys got the same job")
                let list = try await fleet.send(.get, "/api/v1/jobs?per_page=1")
                #expect(list.body["pagination"]?["total_items"]?.integer == Int64(Self.all))
                // A repeated submit gets the first answer.
                for (key, id) in jobs { #expect(try await fleet.submit(key: key).id == id) }
                try await fleet.expectBalance(used: 0, held: Self.all, granted: Self.all)
                try await fleet.expectCleanAudit()
            }
        }

        /// Submits until each key is answered; returns the jobs' ids.
        private func submitAll(
            of client: Int, to fleet: Fleet, _ answered: LogLines
        ) async throws -> [String: String] {
            var jobs: [String: String] = [:]
            for number in 0..<Self.submitsEach {
                let key = "client-\(client)-\(number)"
                while jobs[key] == nil {
                    do {
                        jobs[key] = try await fleet.submit(key: key).id
                    } catch ClientError.noAnswer {
                        try await eventually("a broker's answer") { await Self.isUp(fleet) }
                    }
                }
                answered.add(key)
            }
            return jobs
        }

        private static func isUp(_ fleet: Fleet) async -> Bool {
            (try? await fleet.send(.get, "/health"))?.status == 200
        }

        /// Kills the broker in the midst of submits, each time after a few more were answered.
        private func crash(_ first: ChildProcess, of fleet: Fleet, whenever answered: LogLines) async throws {
            var random = SeededRandom()
            print("the broker is killed by seed \(random.seed)")
            var broker = first
            var count = 0
            var next = 1
            var crashes = 0
            for await _ in answered.follow() {
                count += 1
                guard count >= next else { continue }
                try await broker.crash()
                broker = try await fleet.startBroker()
                crashes += 1
                if crashes == Self.crashes { return }
                next = count + Int.random(in: 1...(Self.all / Self.crashes - 3), using: &random)
            }
        }
    }
}

extension SystemTests.Crashes {
    @Suite(.serialized) struct RestartTests {
        @Test(.timeLimit(.minutes(10)))
        func jobsFinishAfterAllProcessesWereKilledAndRestarted() async throws {
            let pacing = Pacing(tokensPerSecond: 600, deltaLength: 80)
            try await Fleet.with(pacing: pacing, variables: ["DOSSIER_STARTING_CREDITS": "20"]) { fleet in
                var processes = [try await fleet.startBroker()]
                for _ in 0..<2 { processes.append(try await fleet.startWorker(["--concurrency", "8"])) }
                var ids: [String] = []
                for _ in 0..<12 { ids.append(try await fleet.submit().id) }
                // A client follows its job from before the crash to the end, over a broker that stops.
                let first = ids[0]
                async let followed = fleet.state(of: first) { $0.isFinished }
                try await fleet.state(of: ids[1]) { $0.progress > 35 }
                for process in processes { process.signal(SIGKILL) }
                for process in processes { _ = try await process.ended() }
                try await fleet.startBroker()
                for _ in 0..<2 { _ = try await fleet.startWorker(["--concurrency", "8"]) }
                for id in ids {
                    let job = try await fleet.end(of: id)
                    #expect(job.status == "completed" && job.attempt == 1, "\(job)")
                }
                #expect(try await followed.status == "completed")
                try await fleet.expectBalance(used: 12, granted: 20)
                try await fleet.expectCleanAudit()
                let calls = fleet.calls().count
                #expect(calls <= 24, "more was asked than once before and once after the crash")
                // Each job used one answer; the calls that the crash cut off are on the books, too.
                #expect(try await fleet.query("SELECT count(*) FROM model_call WHERE state = 'ok'") == ["12"])
                let rows = try await fleet.query("SELECT count(*) FROM model_call").first.flatMap { Int($0) } ?? 0
                #expect((calls...24).contains(rows), "\(rows) calls are on the books, \(calls) were made")
            }
        }
    }
}
