import Broker
import DossierAPI
import HTTP
import JSON
import JobQueue
import SQLiteStore
import Testing

/// Work without credits at the service's limit of a day's spend.
@Suite struct SpendGateTests {
    /// Books a call of a running job.
    private func spend(_ cost: Int64, on lease: Lease, in service: TestService) async throws {
        let call = ModelCall(
            id: "call-\(cost)", provider: "claude", model: "m", state: .running, certainty: .estimated, inputTokens: 1,
            outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0, costMicroDollars: cost)
        _ = try await service.store.begin(call, under: lease, limits: SpendLimits())
    }

    private func submit(_ kind: String, to service: TestService) async throws -> Answer {
        let input: JSON = kind == "education" ? ["question": "What is a moat?"] : TestService.order
        return try await service.ask(.post, "/api/v1/jobs", ["kind": JSON(kind), "input": input])
    }

    @Test func submitsWithoutCreditsAreRefusedUntilMidnightOnceTheLimitIsReached() async throws {
        var plans = Plans()
        plans.service.freeSpendPerDay = 1_000_000
        let current = CurrentPlans(plans)
        try await TestService.with({ $0.plans = current }) { service in
            let accepted = try await submit("education", to: service)
            #expect(accepted.status == 202, "\(accepted.text)")
            let id = try #require(accepted["data"]?["id"]?.string.flatMap(JobID.init))
            let worker = try await FakeWorker(service)
            let lease = try await worker.claim(id)
            try await spend(989_000, on: lease, in: service)
            service.time.stop(at: service.time.now + 1001)
            #expect(try await submit("education", to: service).status == 202)
            try await spend(2_000, on: lease, in: service)
            // The sums may be a second old.
            service.time.stop(at: service.time.now + 1001)
            let refused = try await submit("education", to: service)
            #expect(refused.status == 503 && refused["error"]?["code"] == "BIZ_2009", "\(refused.text)")
            #expect(refused.header("Retry-After").flatMap { Int($0) }.map { $0 > 0 } == true)
            #expect(try await submit("research", to: service).status == 202)
            // A reload of the plans holds at once.
            plans.service.freeSpendPerDay = 2_000_000
            current.replace(with: plans)
            #expect(try await submit("education", to: service).status == 202)
            plans.service.spendPerDay = 900_000
            current.replace(with: plans)
            #expect(try await submit("education", to: service).status == 503)
        }
    }
}
