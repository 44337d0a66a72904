import DossierAPI
import DossierClient
import Foundation
import Synchronization
import Testing

extension SystemTests.Crashes {
    /// Eight workers on one database, half of them killed every few seconds while jobs go through. `FLEET_JOBS` says how
    /// many jobs; `make fleet` takes 20,000.
    @Suite(.serialized) struct FleetTests {
        private static let jobs = ProcessInfo.processInfo.environment["FLEET_JOBS"].flatMap(Int.init) ?? 600
        private static let users = 50
        private static let workers = 8
        private static let submitters = 8

        @Test(.timeLimit(.minutes(60)))
        func everyJobGoesThroughOnceWhileHalfOfTheWorkersAreKilledAgainAndAgain() async throws {
            try await Fleet.with(variables: ["DOSSIER_STARTING_CREDITS": "\(Self.jobs)"]) { fleet in
                let home: Fleet.Variables = ["DOSSIER_HOME": try Fleet.contentWithDrill(in: fleet.folder)]
                try await fleet.startBroker(variables: home)
                let crew = try await Crew(Self.workers, in: fleet, home)
                let ids = try await withThrowingTaskGroup(of: [String].self) { group in
                    for number in 0..<Self.submitters {
                        group.addTask {
                            try await submit(stride(from: number, to: Self.jobs, by: Self.submitters), to: fleet)
                        }
                    }
                    let killer = Task { try await crew.thinOut(until: { try unfinished(in: fleet) == 0 }) }
                    let ids = try await group.reduce(into: []) { $0 += $1 }
                    crew.everythingIsSubmitted()
                    print("\(try await killer.value) workers were killed while \(ids.count) jobs went through")
                    return ids
                }
                #expect(Set(ids).count == Self.jobs, "a submit was answered with another one's job")
                try await expectBooks(of: fleet)
            }
        }

        private func submit(_ numbers: StrideTo<Int>, to fleet: Fleet) async throws -> [String] {
            var ids: [String] = []
            for number in numbers {
                let client = fleet.client(1 + number % Self.users)
                let input = ["steps": number % 3, "pause": 20 * (number % 4)]
                ids.append(try await client.submit(kind: "drill", input: input, idempotencyKey: "job-\(number)").id)
            }
            return ids
        }

        private func unfinished(in fleet: Fleet) throws -> Int {
            Int(try fleet.query("SELECT count(*) FROM job WHERE completed_at IS NULL").first ?? "") ?? -1
        }

        private func expectBooks(of fleet: Fleet) async throws {
            #expect(try fleet.query("SELECT count(*) FROM job") == ["\(Self.jobs)"])
            let ends = try fleet.query("SELECT status || ' ' || count(*) FROM job GROUP BY status")
            #expect(ends == ["completed \(Self.jobs)"], "\(ends)")
            #expect(try fleet.query("SELECT count(*) FROM job_result") == ["\(Self.jobs)"])
            for (kind, count) in [("hold", Self.jobs), ("settle", Self.jobs), ("release", 0)] {
                let entries = try fleet.query("SELECT count(*) FROM ledger WHERE kind = '\(kind)'")
                #expect(entries == ["\(count)"], "\(kind)")
            }
            let steps = (0..<Self.jobs).reduce(0) { $0 + $1 % 3 }
            #expect(try fleet.query("SELECT count(*) FROM step") == ["\(steps)"])
            #expect(
                try fleet.query("SELECT count(*) FROM balance WHERE held <> 0 OR granted <> remaining + used") == ["0"])
            for table in ["ready", "schedule", "lease"] {
                #expect(try fleet.query("SELECT count(*) FROM \(table)") == ["0"], "\(table) is not empty")
            }
            try await fleet.expectCleanAudit()
        }
    }

    /// Workers of which half die at once, again and again, each replaced by a new one.
    private final class Crew: Sendable {
        private let fleet: Fleet
        private let variables: Fleet.Variables
        private let workers: Mutex<[ChildProcess]>
        private let isComplete = Mutex(false)
        /// Few jobs at a time: a job that loses three workers in a row without a new step counts as poison, and who
        /// dies with two hundred jobs in hand is rarely killed by one of them.
        private static let concurrency = ["--concurrency", "8"]
        private static let pause: Duration = .seconds(4)

        init(_ count: Int, in fleet: Fleet, _ variables: Fleet.Variables) async throws {
            self.fleet = fleet
            self.variables = variables
            var workers: [ChildProcess] = []
            for _ in 0..<count { workers.append(try await fleet.startWorker(Self.concurrency, variables: variables)) }
            self.workers = Mutex(workers)
        }

        func everythingIsSubmitted() { isComplete.withLock { $0 = true } }

        /// Kills half of them every few seconds, until nothing is left to do; at least twice.
        ///
        /// - Returns: How many were killed.
        func thinOut(until isDone: () throws -> Bool) async throws -> Int {
            var random = SeededRandom()
            print("workers are killed by seed \(random.seed)")
            var killed = 0
            while true {
                let half = workers.withLock { Array($0.shuffled(using: &random).prefix($0.count / 2)) }
                for worker in half { worker.signal(SIGKILL) }
                for worker in half { _ = try await worker.ended() }
                killed += half.count
                for worker in half {
                    let fresh = try fleet.start(["worker"] + Self.concurrency, variables: variables)
                    workers.withLock { workers in
                        workers.removeAll { $0 === worker }
                        workers.append(fresh)
                    }
                }
                let next = ContinuousClock.now + Self.pause
                repeat {
                    if isComplete.withLock({ $0 }), try isDone() { return killed }
                    try await Task.sleep(for: .milliseconds(200))
                } while ContinuousClock.now < next
            }
        }
    }
}
