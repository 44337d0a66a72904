import BrokerClient
import DossierAPI
import Glibc
import HTTP
import JSON
import Simulator
import Testing

extension SystemTests.Timing {
    @Suite(.serialized) struct StalledWorkerTests {
        /// The promised time from a worker's last heartbeat to the rescue; a heartbeat comes every 1.5 s.
        private static let rescue: Duration = .seconds(13.5)
        /// The allowance for a loaded machine. The conformance cases check the time itself by a clock of their own.
        private static let slack: Duration = .seconds(60)

        @Test(.timeLimit(.minutes(10)))
        func aWorkerThatWakesUpAfterItsJobWasRescuedChangesNothing() async throws {
            try await Fleet.with(pacing: Pacing(tokensPerSecond: 1500, deltaLength: 80)) { fleet in
                try await fleet.startBroker()
                let sleeper = try await fleet.startWorker()
                fleet.tempo.hold(after: 15)
                let id = try await fleet.submit().id
                try await fleet.state(of: id) { $0.progress > 31 }
                let rescuer = try await fleet.startWorker()
                try await fleet.freeze(sleeper)
                let stopped = ContinuousClock.now
                fleet.tempo.release()
                let rescued = try await fleet.rescue(of: sleeper)
                let silence = ContinuousClock.now - stopped
                #expect(rescued["requeued"]?.integer == 1)
                #expect(silence <= Self.rescue + Self.slack, "the death was noticed after \(silence)")

                let job = try await fleet.end(of: id)
                #expect(job.status == "completed" && job.attempt == 1)
                let before = try await snapshot(of: id, in: fleet)
                // By now the stopped worker's answer is complete in its socket: it wakes up with something to write.
                #expect(fleet.calls().count == 2)
                try await eventually("the end of both calls") {
                    fleet.calls().allSatisfy { $0.outcome == .answered(status: 200) }
                }
                sleeper.signal(SIGCONT)
                _ = try await sleeper.errors.record("declared dead; starting over under a new id")
                for await line in sleeper.errors.follow() where line.contains(id) && line.contains("taken away") {
                    break
                }
                #expect(try await snapshot(of: id, in: fleet) == before)

                // It works on under its new name.
                rescuer.signal(SIGTERM)
                #expect(try await rescuer.ended() == .code(0))
                let next = try await fleet.submit().id
                #expect(try await fleet.end(of: next).status == "completed")
                try await fleet.expectBalance(used: 2)
                try await fleet.expectCleanAudit()
            }
        }

        @Test(.timeLimit(.minutes(10)))
        func aWorkerThatSleptThroughACancelChangesNothing() async throws {
            try await Fleet.with(pacing: Pacing(tokensPerSecond: 1500, deltaLength: 80)) { fleet in
                try await fleet.startBroker()
                let worker = try await fleet.startWorker()
                fleet.tempo.hold(after: 15)
                let id = try await fleet.submit().id
                try await fleet.state(of: id) { $0.progress > 31 }
                try await fleet.freeze(worker)
                fleet.tempo.release()
                #expect(try await fleet.client().cancel(id).status == "cancelled")
                try await eventually("the end of the answer") {
                    fleet.calls().first?.outcome == .answered(status: 200)
                }
                let before = try await fleet.send(.get, "/api/v1/jobs/\(id)")
                worker.signal(SIGCONT)
                for await line in worker.errors.follow() where line.contains(id) && line.contains("taken away") {
                    break
                }
                let after = try await fleet.send(.get, "/api/v1/jobs/\(id)")
                #expect(after.headers["ETag"] == before.headers["ETag"] && after.data == before.data)
                #expect(try await fleet.send(.get, "/api/v1/jobs/\(id)/result").status == 409)
                try await fleet.expectBalance(used: 0)
                try await fleet.expectCleanAudit()
            }
        }

        /// All that a late write could change.
        private func snapshot(of id: String, in fleet: Fleet) async throws -> [String] {
            let job = try await fleet.send(.get, "/api/v1/jobs/\(id)")
            let result = try await fleet.send(.get, "/api/v1/jobs/\(id)/result")
            let rows = try await fleet.query(
                "SELECT (SELECT count(*) FROM ledger) || ' ' || (SELECT count(*) FROM step) || ' ' "
                    + "|| (SELECT count(*) FROM model_call)")
            return [job.headers["ETag"] ?? "", job.data.canonical, result.data.canonical] + rows
        }
    }
}
