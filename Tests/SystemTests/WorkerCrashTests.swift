import TestSupport
import DossierAPI
import BrokerClient
import JobQueue
import JSON
import Simulator
import SQLiteStore
import Testing

extension SystemTests.Crashes {
    @Suite(.serialized) struct WorkerCrashTests {
        private static let jobs = 40
        private static let workers = 3
        private static let killing: Duration = .seconds(17)
        /// A job may lose this many workers; with three it may count as poison.
        private static let deaths = 2
        private static let concurrency = ["--concurrency", "20"]

        @Test(.timeLimit(.minutes(10)))
        func everyJobCompletesOnceHoweverOftenItsWorkersAreKilled() async throws {
            // A draft takes some seconds, as with a real model.
            let pacing = Pacing(firstByte: .milliseconds(300), tokensPerSecond: 450, deltaLength: 80)
            try await Fleet.with(pacing: pacing) { fleet in
                try await fleet.startBroker()
                // Every other job needs a repair, so that workers die with a paid draft in the journal, too.
                for user in 1...Self.jobs where user.isMultiple(of: 2) {
                    fleet.fail(.inventedFigure, user: user, times: 1)
                }
                var ids: [Int: String] = [:]
                for user in 1...Self.jobs { ids[user] = try await fleet.submit(user: user).id }
                let losses = try await kill(in: fleet)
                for (user, id) in ids.sorted(by: { $0.key < $1.key }) {
                    let job = try await fleet.end(of: id, user: user)
                    #expect(job.status == "completed", "\(job)")
                    let stalled = try await calls(of: id, "state = 'stalled'", in: fleet)
                    #expect(job.attempt == 1 || stalled > 0, "a worker's death cost a retry")
                    try await fleet.expectBalance(user: user, used: 1)
                    try await expectCalls(of: user, job: id, losses[id] ?? Losses(), in: fleet)
                }
                #expect(losses.values.contains { $0.draft > 0 }, "no worker died while it waited for a draft")
                try await expectBooks(of: fleet)
            }
        }

        /// The number of times that a job lost its worker while it had no draft, and while it had one and no repair.
        private struct Losses {
            var draft = 0
            var repair = 0
            var deaths = 0
        }

        /// Kills workers at random times and starts new ones.
        private func kill(in fleet: Fleet) async throws -> [String: Losses] {
            var random = SeededRandom()
            print("workers are killed by seed \(random.seed)")
            var workers: [ChildProcess] = []
            for _ in 0..<Self.workers { workers.append(try await fleet.startWorker(Self.concurrency)) }
            var losses: [String: Losses] = [:]
            var kills = 0
            let end = ContinuousClock.now + Self.killing
            while true {
                try await Task.sleep(for: .milliseconds(Int.random(in: 0...2500, using: &random)))
                guard ContinuousClock.now < end else { break }
                let place = Int.random(in: workers.indices, using: &random)
                let held = try await jobs(of: workers[place], in: fleet)
                guard held.allSatisfy({ losses[$0.description, default: Losses()].deaths < Self.deaths }) else {
                    continue
                }
                try await workers[place].crash()
                kills += 1
                // Other workers rescue its jobs at once.
                try await note(held.union(try await jobs(of: workers[place], in: fleet)), in: fleet, &losses)
                workers[place] = try await fleet.startWorker(Self.concurrency)
            }
            let (drafts, repairs) = losses.values.reduce((0, 0)) { ($0.0 + $1.draft, $0.1 + $1.repair) }
            print("\(kills) workers were killed; \(drafts) runs died before their draft, \(repairs) after it")
            return losses
        }

        /// Notes the jobs of a dead worker by their journalled steps.
        private func note(
            _ jobs: Set<JobID>, in fleet: Fleet, _ losses: inout [String: Losses]
        ) async throws {
            let journals = try await fleet.withStore { store in
                var journals: [String: [String]] = [:]
                for job in jobs { journals[job.description] = try await store.journal(of: job).map(\.name) }
                return journals
            }
            for (job, steps) in journals {
                losses[job, default: Losses()].deaths += 1
                if !steps.contains("draft") {
                    losses[job, default: Losses()].draft += 1
                } else if !steps.contains("repair") {
                    losses[job, default: Losses()].repair += 1
                }
            }
        }

        /// The jobs that a worker holds.
        private func jobs(of worker: ChildProcess, in fleet: Fleet) async throws -> Set<JobID> {
            let id = try #require(try await worker.errors.record("worker started")["worker"]?.string)
            return try await fleet.withStore { store in
                Set(try await store.leases(of: WorkerID(rawValue: id)).map(\.job))
            }
        }

        /// The booked calls of a job in some states.
        private func calls(of job: String, _ condition: String, in fleet: Fleet) async throws -> Int {
            let id = job.filter { $0 != "-" }
            let count = try await fleet.query(
                "SELECT count(*) FROM model_call WHERE \(condition) AND lower(hex(job)) = '\(id)'")
            return try #require(count.first.flatMap { Int($0) })
        }

        /// Compares a job's calls with those that gave no answer: no journalled call was made again. A worker was lost
        /// in the midst of such a call, or a machine that could not keep up took it for silent or dead. In the last case
        /// the worker lives and books its answer, but the journal of another worker's job takes none.
        private func expectCalls(of user: Int, job: String, _ losses: Losses, in fleet: Fleet) async throws {
            let calls = fleet.calls(of: user)
            let drafts = calls.filter { $0.bodyHash == calls.first?.bodyHash }.count
            let repairs = calls.count - drafts
            let named = try await fleet.result(of: job, user: user)["provenance"]?["model_calls"]?.array ?? []
            let unanswered = try await self.calls(of: job, "state <> 'ok'", in: fleet)
            let late = fleet.records("attempt stopped: the job was taken away", of: job).count
            let rows = try await rows(of: job, in: fleet)
            let more = unanswered + late
            #expect((1...1 + more).contains(drafts), "\(drafts) drafts, \(losses), \(rows)")
            #expect(Set(calls.map(\.bodyHash)).count == named.count, "the same job asked for different things")
            let needed = named.count - 1
            #expect((needed...needed + more).contains(repairs), "\(repairs) repairs, \(losses), \(rows)")
            // A call without a prompt finds out whether a model is back, and its answer is no part of a result.
            let bought = try await self.calls(of: job, "state = 'ok' AND prompt IS NOT NULL", in: fleet)
            #expect(
                (named.count...named.count + late).contains(bought),
                "calls were bought that the result does not name: \(rows)")
        }

        /// The bookings of a job, for the message of a failure.
        private func rows(of job: String, in fleet: Fleet) async throws -> [String] {
            let id = job.filter { $0 != "-" }
            return try await fleet.query(
                """
                SELECT id || ' ' || coalesce(prompt, 'no prompt') || ' ' || state || ' ' || created_at || ' to '
                    || coalesce(ended_at, '')
                FROM model_call WHERE lower(hex(job)) = '\(id)' ORDER BY created_at
                """)
        }

        private func expectBooks(of fleet: Fleet) async throws {
            try await fleet.expectCleanAudit()
            let jobs = String(Self.jobs)
            #expect(try await fleet.query("SELECT count(*) FROM ledger WHERE kind = 'settle'") == [jobs])
            #expect(try await fleet.query("SELECT count(*) FROM ledger WHERE kind = 'release'") == ["0"])
            #expect(try await fleet.query("SELECT count(*) FROM (SELECT job FROM model_call GROUP BY job)") == [jobs])
            for table in ["ready", "scheduled", "lease"] {
                #expect(try await fleet.query("SELECT count(*) FROM \(table)") == ["0"], "\(table) is not empty")
            }
        }
    }
}

extension SystemTests.Crashes {
    @Suite(.serialized) struct PoisonTests {
        @Test(.timeLimit(.minutes(10)))
        func aJobThatKillsThreeWorkersFailsAndCostsNothing() async throws {
            try await Fleet.with { fleet in
                fleet.simulator.faults.add(FaultRule(.stall, service: .claude))
                try await fleet.startBroker()
                let id = try await fleet.submit().id
                for death in 1...3 {
                    let worker = try await fleet.startWorker()
                    try await eventually("model call \(death)") { fleet.calls().count == death }
                    try await worker.crash()
                }
                let last = try await fleet.startWorker()
                let job = try await fleet.end(of: id)
                #expect(job.status == "failed" && job.error?.code == .internal, "\(job)")
                #expect(last.errors.records("attempt started").isEmpty)
                #expect(fleet.calls().count == 3)
                try await fleet.expectBalance(used: 0)
                try await fleet.expectCleanAudit()
            }
        }
    }
}
