import DossierAPI
import Foundation
import JSON
import Simulator
import Testing

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
                #expect(time >= .seconds(10) && time < .seconds(100), "it took \(time)")
                try await fleet.expectBalance(used: 0)
                try await eventually("the end of the model call") {
                    fleet.calls().allSatisfy { $0.outcome == .brokenOff(status: 200) }
                }
                #expect(fleet.calls().count == 1)
                try await fleet.expectCleanAudit()
            }
        }

        @Test(.timeLimit(.minutes(10)))
        func aJobThatNobodyTookUpInTimeFailsOnceAWorkerLooks() async throws {
            try await Fleet.with { fleet in
                let home = try Self.content(of: fleet, deadline: 1)
                try await fleet.startBroker(variables: ["DOSSIER_HOME": home])
                let id = try await fleet.submit().id
                // Time itself is what is tested.
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
