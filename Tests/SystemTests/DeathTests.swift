import DossierAPI
import BrokerClient
import Foundation
import Glibc
import JobQueue
import JSON
import PostgresTesting
import Simulator
import TestSupport
import Testing

extension SystemTests.Timing {
    /// The time from the death of a worker to the next run of its jobs.
    @Suite(.serialized) struct DeathTests {
        /// A program that runs another one as a process of another machine would: with its own process numbers. It takes
        /// that process along when it is killed.
        private static let elsewhere = [
            "/usr/bin/unshare", "--pid", "--fork", "--mount-proc", "--kill-child=SIGKILL",
        ]
        /// Whether this machine allows it.
        private static let canSeparate: Bool = {
            let process = Process()
            process.executableURL = URL(filePath: elsewhere[0])
            process.arguments = elsewhere.dropFirst() + ["/bin/true"]
            process.standardError = FileHandle.nullDevice
            guard (try? process.run()) != nil else { return false }
            process.waitUntilExit()
            return process.terminationStatus == 0
        }()

        /// On a quiet machine it takes well under a second.
        @Test(.timeLimit(.minutes(10)), arguments: DatabaseEngine.allCases)
        func aRestartOnTheSameMachineGoesOnAtOnce(on engine: DatabaseEngine) async throws {
            try await Fleet.with(database: { try await engine.open(in: $0) }) { fleet in
                fleet.simulator.faults.add(FaultRule(.stall, service: .claude))
                try await fleet.startBroker()
                let begin = ContinuousClock.now
                let first = try await fleet.startWorker()
                let id = try await fleet.submit().id
                try await eventually("a model call") { fleet.calls().count == 1 }
                // A busy machine needs longer for both.
                let usual = ContinuousClock.now - begin
                try await first.crash()
                let start = ContinuousClock.now
                let second = try await fleet.startWorker()
                _ = try await second.errors.record("attempt started")
                let took = ContinuousClock.now - start
                print("a job runs \(took) after the start of the next worker on \(engine)")
                #expect(took < .seconds(4) + usual, "the first start took \(usual)")
                let job = try await fleet.client().job(id)
                #expect(job.attempt == 1 && job.status == "processing")
                _ = try await fleet.client().cancel(id)
            }
        }

        /// On a quiet machine it takes five seconds at most.
        @Test(.enabled(if: canSeparate), .timeLimit(.minutes(10)))
        func aDeathOnAnotherMachineIsNoticedWithinSeconds() async throws {
            try await Fleet.with(database: { try await DatabaseEngine.postgres.open(in: $0) }) { fleet in
                fleet.simulator.faults.add(FaultRule(.stall, service: .claude))
                try await fleet.startBroker()
                var workers = [try await start(in: fleet)]
                _ = try await fleet.submit().id
                try await eventually("a model call") { fleet.calls().count == 1 }
                workers.append(try await start(in: fleet))
                try await workers[0].crash()
                let start = ContinuousClock.now
                _ = try await workers[1].errors.record("attempt started")
                let took = ContinuousClock.now - start
                print("a job runs \(took) after the death of its worker on another machine")
                #expect(took < .seconds(8.5))
            }
        }

        /// No worker lives for longer than four seconds, and each death is noticed all the same.
        @Test(.enabled(if: canSeparate), .timeLimit(.minutes(10)))
        func jobsGoThroughWhileHalfOfTheFleetIsKilledEveryTwoSeconds() async throws {
            try await Fleet.with(
                variables: ["DOSSIER_STARTING_CREDITS": "1000"],
                database: { try await DatabaseEngine.postgres.open(in: $0) }
            ) { fleet in
                let home: Fleet.Variables = ["DOSSIER_HOME": try Fleet.contentWithDrill(in: fleet.folder)]
                try await fleet.startBroker(variables: home)
                var crew: [ChildProcess] = []
                for _ in 0..<4 { crew.append(try await start(in: fleet, home)) }
                for user in 1...60 {
                    let input = ["steps": 3, "pause": 400]
                    _ = try await fleet.client(user).submit(kind: "drill", input: input)
                }
                let end = ContinuousClock.now + .seconds(30)
                var longest = 0
                while ContinuousClock.now < end {
                    for worker in crew.prefix(2) { worker.signal(SIGKILL) }
                    for worker in crew.prefix(2) { _ = try await worker.ended() }
                    crew.removeFirst(2)
                    for _ in 0..<2 { crew.append(try fleet.start(["worker"], variables: home, by: Self.elsewhere)) }
                    try await Task.sleep(for: .seconds(2))
                    longest = max(longest, try await longestSilence(in: fleet))
                }
                print("the longest silence of a worker that was not rescued yet: \(longest) ms of the fleet's time")
                #expect(longest < 9000, "a death was not noticed")
                try await eventually(within: .seconds(90), "the end of all jobs") {
                    try await fleet.query("SELECT count(*) FROM job WHERE completed_at IS NULL") == ["0"]
                }
                let ends = try await fleet.query("SELECT DISTINCT status::text FROM job")
                #expect(ends == ["completed"])
                try await fleet.expectCleanAudit()
            }
        }

        /// Starts a worker with process numbers of its own.
        private func start(in fleet: Fleet, _ variables: Fleet.Variables = [:]) async throws -> ChildProcess {
            let worker = try fleet.start(["worker"], variables: variables, by: Self.elsewhere)
            _ = try await worker.errors.record("worker started")
            return worker
        }

        /// The longest time, in the fleet's milliseconds, since a worker was heard that holds jobs.
        private func longestSilence(in fleet: Fleet) async throws -> Int {
            let silence = """
                SELECT coalesce(max(c.elapsed - greatest(w.heard_at, c.resumed_at)), 0)
                FROM fleet_clock AS c, worker AS w WHERE EXISTS (SELECT FROM lease AS l WHERE l.worker = w.number)
                """
            return try await fleet.query(silence).first.flatMap { Int($0) } ?? 0
        }
    }
}
