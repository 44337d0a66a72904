import Broker
import DossierAPI
import Foundation
import HTTP
import JSON
import JobQueue
import SQLiteStore
import Testing

/// Submits at the limits of a day's spend, of the service and of a user.
@Suite struct SpendGateTests {
    /// Books a call of a running job.
    private func spend(_ cost: Int64, on lease: Lease, in service: TestService) async throws {
        let call = ModelCall(
            id: "call-\(cost)", provider: "claude", model: "m", state: .running, certainty: .estimated, inputTokens: 1,
            outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0, costMicroDollars: cost)
        _ = try await service.store.begin(call, under: lease, limits: SpendLimits())
    }

    private func submit(
        _ kind: String, to service: TestService, headers: HTTPHeaders = [:], runAt: String? = nil
    ) async throws -> Answer {
        let input: JSON = kind == "education" ? ["question": "What is a moat?"] : TestService.order
        let body: JSON = ["kind": JSON(kind), "input": input, "run_at": JSON(runAt)]
        return try await service.ask(.post, "/api/v1/jobs", body, headers: headers)
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
            try await spend(949_000, on: lease, in: service)
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

    @Test("Paid jobs are refused at the submit once the service or the user has spent the day's limit")
    func paidSubmitsAreRefusedAtTheLimits() async throws {
        var plans = Plans()
        let current = CurrentPlans(plans)
        try await TestService.with({ $0.plans = current }) { service in
            let key: HTTPHeaders = ["Idempotency-Key": "first"]
            let accepted = try await submit("research", to: service, headers: key)
            let id = try #require(accepted["data"]?["id"]?.string.flatMap(JobID.init), "\(accepted.text)")
            let worker = try await FakeWorker(service)
            let lease = try await worker.claim(id)
            try await spend(951_000, on: lease, in: service)
            service.time.stop(at: service.time.now + 1001)
            plans.service.spendPerDay = 1_000_000
            current.replace(with: plans)
            let full = try await submit("research", to: service)
            #expect(full.status == 503 && full.code == "BIZ_2009" && full.header("Retry-After") != nil)
            #expect(full.text.contains("$1 a day") && service.log.text.contains("service.spend_dollars_per_day"))
            #expect(try await submit("education", to: service).status == 503)
            // Answers that cost nothing, and jobs of another day.
            let known = try await submit("research", to: service, headers: key)
            #expect(known["data"]?["id"] == accepted["data"]?["id"])
            let later = Date(timeIntervalSinceNow: 2 * 86_400).formatted(.iso8601)
            #expect(try await submit("research", to: service, runAt: later).status == 202)

            plans.service.spendPerDay = 500_000_000
            plans.standard.spendPerDay = 1_000_000
            current.replace(with: plans)
            for kind in ["research", "education"] {
                let refused = try await submit(kind, to: service)
                #expect(refused.status == 403 && refused.code == "BIZ_2002", "\(refused.text)")
                #expect(refused.header("Retry-After") != nil)
            }
            let order: JSON = [
                "content_url": "https://example.com/a", "user_id_hash": "u", "goal_id": "g",
                "goal_description": "Learn about moats",
            ]
            let analyze = try await service.client.send(
                HTTPRequest(
                    .post, service.url + "/api/analyze", headers: ["Content-Type": "application/json"],
                    body: order.utf8))
            #expect(analyze.status == 403 && analyze.text.contains("Daily limit reached"), "\(analyze.text)")
            #expect(try await submit("research", to: service, headers: ["X-User-ID": "2"]).status == 202)
            try await worker.fail(lease)
            let retry = try await service.ask(.post, "/api/v1/jobs/\(id)/retry")
            #expect(retry.status == 403 && retry.code == "BIZ_2002", "\(retry.text)")
        }
    }
}
