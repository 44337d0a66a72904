import TestSupport
import DossierAPI
import BrokerClient
import Foundation
import Simulator
import Synchronization
import Testing

extension SystemTests.Crashes {
    /// Eight workers on one database, half of them killed every few seconds while jobs go through. `FLEET_JOBS` says
    /// how many jobs, `FLEET_DATABASE` on which database alone; `make fleet` takes 20,000 on each.
    @Suite(.serialized) struct FleetTests {
        private static let environment = ProcessInfo.processInfo.environment
        private static let jobs = environment["FLEET_JOBS"].flatMap(Int.init) ?? 1000
        private static let engines =
            environment["FLEET_DATABASE"].flatMap(DatabaseEngine.init).map { [$0] } ?? DatabaseEngine.allCases
        private static let users = 50
        private static let workers = 8
        private static let submitters = 8
        /// One job of this many asks a model; the others ask none.
        private static let oneReportIn = 200

        @Test(.timeLimit(.minutes(60)), arguments: engines)
        func everyJobGoesThroughOnceWhileHalfOfTheWorkersAreKilledAgainAndAgain(
            on engine: DatabaseEngine
        ) async throws {
            try await Fleet.with(
                pacing: Pacing(tokensPerSecond: 3000, deltaLength: 200),
                variables: ["DOSSIER_STARTING_CREDITS": "\(Self.jobs)"], database: { try await engine.open(in: $0) }
            ) { fleet in
                let home: Fleet.Variables = ["DOSSIER_HOME": try Fleet.contentWithDrill(in: fleet.folder)]
                try await fleet.startBroker(variables: home)
                let crew = try await Crew(Self.workers, in: fleet, home)
                let start = ContinuousClock.now
                let ids = try await withThrowingTaskGroup(of: [String].self) { group in
                    for number in 0..<Self.submitters {
                        group.addTask {
                            try await submit(stride(from: number, to: Self.jobs, by: Self.submitters), to: fleet)
                        }
                    }
                    let killer = Task { try await crew.thinOut(until: { try await unfinished(in: fleet) == 0 }) }
                    let ids = try await group.reduce(into: []) { $0 += $1 }
                    crew.everythingIsSubmitted()
                    let killed = try await killer.value
                    let seconds = (ContinuousClock.now - start).components.seconds
                    print("\(killed) workers died while \(ids.count) jobs went through in \(seconds) s on \(engine)")
                    return ids
                }
                #expect(Set(ids).count == Self.jobs, "a submit was answered with another one's job")
                try await expectBooks(of: fleet)
                try await expectCalls(of: fleet)
            }
        }

        private func submit(_ numbers: StrideTo<Int>, to fleet: Fleet) async throws -> [String] {
            var ids: [String] = []
            for number in numbers {
                let key = "job-\(number)"
                if number % Self.oneReportIn == 0 {
                    // A user of its own, since the spend of each user on models in a day is limited.
                    let client = fleet.client(1000 + number)
                    ids.append(try await submit("research", Fleet.input, key, by: client))
                } else {
                    let client = fleet.client(1 + number % Self.users)
                    let input = ["steps": number % 3, "pause": 20 * (number % 4)]
                    ids.append(try await submit("drill", input, key, by: client))
                }
            }
            return ids
        }

        /// Submits a job, again with the same key while the database has no time for it.
        private func submit(
            _ kind: String, _ input: some Encodable & Sendable, _ key: String, by client: BrokerClient
        ) async throws -> String {
            while true {
                do throws(ClientError) {
                    return try await client.submit(kind: kind, input: input, idempotencyKey: key).id
                } catch {
                    guard case .refused(_, let body) = error, body.code == .database else { throw error }
                }
            }
        }

        private func unfinished(in fleet: Fleet) async throws -> Int {
            Int(try await fleet.query("SELECT count(*) FROM job WHERE completed_at IS NULL").first ?? "") ?? -1
        }

        private func expectBooks(of fleet: Fleet) async throws {
            #expect(try await fleet.query("SELECT count(*) FROM job") == ["\(Self.jobs)"])
            let ends = try await fleet.query("SELECT status || ' ' || count(*) FROM job GROUP BY status")
            #expect(ends == ["completed \(Self.jobs)"], "\(ends)")
            let results =
                fleet.database.engine == .sqlite
                ? "SELECT (SELECT count(*) FROM job_result) + (SELECT count(*) FROM finished_job)"
                : "SELECT count(*) FROM job WHERE result IS NOT NULL OR packed IS NOT NULL"
            #expect(try await fleet.query(results) == ["\(Self.jobs)"])
            for (kind, count) in [("hold", Self.jobs), ("settle", Self.jobs), ("release", 0)] {
                let entries = try await fleet.query("SELECT count(*) FROM ledger WHERE kind = '\(kind)'")
                #expect(entries == ["\(count)"], "\(kind)")
            }
            let steps = (0..<Self.jobs).reduce(0) { $0 + ($1 % Self.oneReportIn == 0 ? 0 : $1 % 3) }
            let journalled = try await fleet.query(
                "SELECT count(*) FROM step AS s WHERE (SELECT kind FROM job WHERE number = s.job) = 'drill'")
            #expect(journalled == ["\(steps)"])
            #expect(try await fleet.query("SELECT count(*) FROM balance WHERE held <> 0") == ["0"])
            for table in ["ready", "scheduled", "lease"] {
                #expect(try await fleet.query("SELECT count(*) FROM \(table)") == ["0"], "\(table) is not empty")
            }
            try await fleet.expectCleanAudit()
        }

        /// A model was asked at most once in each run of a report, and each journalled answer was bought
        /// once.
        private func expectCalls(of fleet: Fleet) async throws {
            let calls = fleet.simulator.calls(to: .claude).count
            let reports = (Self.jobs + Self.oneReportIn - 1) / Self.oneReportIn
            let epochs = try await fleet.query("SELECT sum(epoch) FROM job WHERE kind = 'research'").first
            let runs = epochs.flatMap { Int($0) } ?? 0
            #expect(calls >= reports && calls <= runs, "\(calls) calls in \(runs) runs")
            #expect(try await fleet.query("SELECT count(*) FROM model_call WHERE state = 'ok'") == ["\(reports)"])
            let drafts = try await fleet.query("SELECT count(*) FROM step WHERE name = 'draft'")
            #expect(drafts == ["\(reports)"])
        }
    }

    /// Workers of which half die at once, again and again, each replaced by a new one.
    private final class Crew: Sendable {
        private let fleet: Fleet
        private let variables: Fleet.Variables
        private let workers: Mutex<[ChildProcess]>
        private let isComplete = Mutex(false)
        private static let pause: Duration = .seconds(4)

        init(_ count: Int, in fleet: Fleet, _ variables: Fleet.Variables) async throws {
            self.fleet = fleet
            self.variables = variables
            var workers: [ChildProcess] = []
            for _ in 0..<count { workers.append(try await fleet.startWorker(variables: variables)) }
            self.workers = Mutex(workers)
        }

        func everythingIsSubmitted() { isComplete.withLock { $0 = true } }

        /// Kills half of them every few seconds, until nothing is left to do; at least twice.
        ///
        /// - Returns: How many were killed.
        func thinOut(until isDone: () async throws -> Bool) async throws -> Int {
            var random = SeededRandom()
            print("workers are killed by seed \(random.seed)")
            var killed = 0
            while true {
                let half = workers.withLock { Array($0.shuffled(using: &random).prefix($0.count / 2)) }
                for worker in half { worker.signal(SIGKILL) }
                for worker in half { _ = try await worker.ended() }
                killed += half.count
                for worker in half {
                    let fresh = try fleet.start(["worker"], variables: variables)
                    workers.withLock { workers in
                        workers.removeAll { $0 === worker }
                        workers.append(fresh)
                    }
                }
                let next = ContinuousClock.now + Self.pause
                repeat {
                    if isComplete.withLock({ $0 }), try await isDone() { return killed }
                    try await Task.sleep(for: .milliseconds(500))
                } while ContinuousClock.now < next
            }
        }
    }
}
