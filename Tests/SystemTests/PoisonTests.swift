import DossierAPI
import DossierClient
import Simulator
import Testing

extension SystemTests.Crashes {
    @Suite(.serialized) struct PoisonTests {
        @Test(.timeLimit(.minutes(10)))
        func aJobThatTakesThreeWorkersWithItFailsAndCostsNothing() async throws {
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
