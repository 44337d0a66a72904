import DossierAPI
import BrokerClient
import Foundation
import HTTP
import JSON
import Simulator
import Testing

extension SystemTests.Timing {
    @Suite(.serialized) struct CancelTests {
        @Test(.timeLimit(.minutes(10)))
        func aPendingJobIsCancelledAtOnceAndItsCreditComesBack() async throws {
            try await Fleet.with { fleet in
                try await fleet.startBroker()
                let id = try await fleet.submit().id
                try await fleet.expectBalance(used: 0, held: 1)
                #expect(try await fleet.client().cancel(id).status == "cancelled")
                try await fleet.expectBalance(used: 0)
                // Cancelling again changes nothing.
                #expect(try await fleet.client().cancel(id).status == "cancelled")
                try await fleet.expectBalance(used: 0)
                let worker = try await fleet.startWorker()
                let other = try await fleet.submit().id
                #expect(try await fleet.end(of: other).status == "completed")
                #expect(worker.errors.records("attempt started").count == 1, "a cancelled job was run")
                #expect(try await fleet.client().job(id).status == "cancelled")
                try await fleet.expectCleanAudit()
            }
        }

        @Test(.timeLimit(.minutes(10)))
        func theModelCallOfACancelledJobIsInterrupted() async throws {
            try await Fleet.with(pacing: Pacing(tokensPerSecond: 1500, deltaLength: 80)) { fleet in
                try await fleet.startBroker()
                let worker = try await fleet.startWorker()
                fleet.tempo.hold(after: 15)
                let id = try await fleet.submit().id
                try await fleet.state(of: id) { $0.progress > 31 }
                #expect(try await fleet.client().cancel(id).status == "cancelled")
                try await fleet.expectBalance(used: 0)
                try await eventually("the end of the model call") {
                    fleet.calls().first?.outcome == .brokenOff(status: 200)
                }

                let before = try await fleet.send(.get, "/api/v1/jobs/\(id)")
                _ = try await worker.errors.record("attempt stopped: the job was taken away")
                let after = try await fleet.send(.get, "/api/v1/jobs/\(id)")
                #expect(after.headers["ETag"] == before.headers["ETag"] && after.data == before.data)
                #expect(try await fleet.send(.get, "/api/v1/jobs/\(id)/result").status == 409)
                // The only candidate is asked once more after a silence.
                #expect((1...2).contains(fleet.calls().count))
                try await fleet.expectCleanAudit()
            }
        }

        @Test(.timeLimit(.minutes(10)))
        func cancelAndCompletionNeverBothSettle() async throws {
            try await Fleet.with(variables: ["DOSSIER_STARTING_CREDITS": "30"]) { fleet in
                try await fleet.startBroker()
                _ = try await fleet.startWorker()
                // The jobs are cancelled at different stages: some in time, some too late.
                let ends = try await withThrowingTaskGroup(of: String.self) { group in
                    for number in 0..<20 {
                        group.addTask {
                            let id = try await fleet.submit().id
                            try await fleet.state(of: id) { $0.progress >= number * 5 || $0.isFinished }
                            let answer = try await fleet.client().cancel(id)
                            let job = try await fleet.end(of: id)
                            #expect(answer.status == job.status, "an ended job changed its mind")
                            return job.status
                        }
                    }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
                let completed = ends.filter { $0 == "completed" }.count
                let cancelled = ends.filter { $0 == "cancelled" }.count
                #expect(completed + cancelled == 20, "\(ends)")
                try await fleet.expectBalance(used: completed, granted: 30)
                try await fleet.expectCleanAudit()
            }
        }
    }
}

extension SystemTests.Timing {
    @Suite(.serialized) struct DeadlineTests {
        @Test(.timeLimit(.minutes(10)))
        func aJobPastItsDeadlineFailsIsStoppedAndCostsNothing() async throws {
            try await Fleet.with { fleet in
                let home = try Self.content(of: fleet, deadline: 10)
                fleet.simulator.faults.add(FaultRule(.stallMidStream(after: 10), service: .claude))
                try await fleet.startBroker(variables: ["DOSSIER_HOME": home])
                _ = try await fleet.startWorker(variables: ["DOSSIER_HOME": home])
                let start = ContinuousClock.now
                let id = try await fleet.submit().id
                let job = try await fleet.end(of: id)
                let time = ContinuousClock.now - start
                #expect(job.status == "failed" && job.error?.code == .deadlinePassed, "\(job)")
                // The last candidate of a tier has all of the job's time but two seconds, which are for the end of the job.
                #expect(time >= .seconds(7.9) && time < .seconds(100), "it took \(time)")
                try await fleet.expectBalance(used: 0)
                try await eventually("the end of the model call") {
                    fleet.calls().allSatisfy { $0.outcome == .brokenOff(status: 200) }
                }
                // The only candidate is asked once more after a silence.
                #expect((1...2).contains(fleet.calls().count))
                try await fleet.expectCleanAudit()
            }
        }

        @Test(.timeLimit(.minutes(10)))
        func anUnclaimedJobPastItsDeadlineFailsAtAWorkersNextCheck() async throws {
            try await Fleet.with { fleet in
                let home = try Self.content(of: fleet, deadline: 1)
                try await fleet.startBroker(variables: ["DOSSIER_HOME": home])
                let id = try await fleet.submit().id
                // The test is about time itself.
                try await Task.sleep(for: .milliseconds(1100))
                _ = try await fleet.startWorker(variables: ["DOSSIER_HOME": home])
                let job = try await fleet.end(of: id)
                #expect(job.status == "failed" && job.error?.code == .deadlinePassed, "\(job)")
                #expect(fleet.calls().isEmpty, "a model was paid for a job that was too late")
                try await fleet.expectBalance(used: 0)
            }
        }

        private static func content(of fleet: Fleet, deadline: Int) throws -> String {
            try fleet.copyContent { kind in
                kind.replacing("deadline: 170 s", with: "deadline: \(deadline) s")
                    .replacing("estimate: 30 s", with: "estimate: 1 s")
            }
        }
    }
}
