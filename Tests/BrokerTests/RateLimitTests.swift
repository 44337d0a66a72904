import HTTP
import JSON
import Testing

@testable import Broker

@Suite(.serialized, .timeLimit(.minutes(10))) struct RateLimitTests {
    /// 20 s into a minute.
    private static let timestamp: Int64 = 1_795_260_020_000

    @Test func requestsPerMinuteAreLimitedAndTheRemainderIsInHeaders() async throws {
        try await TestService.with {
            $0.rateLimit = 3
        } _: { service in
            service.time.stop(at: Self.timestamp)
            for remaining in [2, 1, 0] {
                let answer = try await service.ask(.get, "/api/v1/credits")
                #expect(answer.status == 200)
                #expect(answer.header("X-RateLimit-Limit") == "3")
                #expect(answer.header("X-RateLimit-Remaining") == "\(remaining)")
                #expect(answer.header("X-RateLimit-Reset") == "1795260060")
            }
            for method in [HTTPMethod.get, .post] {
                let refused = try await service.ask(method, "/api/v1/jobs")
                #expect(refused.status == 429 && refused.code == "VAL_3006")
                #expect(refused.header("Retry-After") == "40" && refused["error"]?["retry_after"] == 40)
                #expect(refused.header("X-RateLimit-Remaining") == "0")
                #expect(refused["error"]?["action"] == "wait")
            }
            // Another user, and a route without a user.
            let other = try await service.ask(.get, "/api/v1/credits", headers: ["X-User-ID": "2"])
            #expect(other.status == 200)
            let health = try await service.ask(.get, "/health")
            #expect(health.status == 200 && health.header("X-RateLimit-Limit") == nil)
            // The next minute.
            service.time.stop(at: Self.timestamp + 40_000)
            #expect(try await service.ask(.get, "/api/v1/credits").status == 200)
        }
    }

    @Test func readsOfJobsHaveALargerLimit() async throws {
        try await TestService.with {
            $0.rateLimit = 2
        } _: { service in
            service.time.stop(at: Self.timestamp)
            let id = try await service.submit()
            _ = try await service.ask(.get, "/api/v1/credits")
            #expect(try await service.ask(.get, "/api/v1/credits").status == 429)
            let paths = [
                "/api/v1/jobs/\(id)", "/api/v1/jobs/\(id)/result", "/api/v1/research/reports/\(id)",
                "/api/v1/research/reports/\(id)/status",
            ]
            for (place, path) in paths.enumerated() {
                let answer = try await service.ask(.get, path)
                #expect(answer.header("X-RateLimit-Limit") == "40", "\(path)")
                #expect(answer.header("X-RateLimit-Remaining") == "\(39 - place)", "\(path)")
            }
            for _ in paths.count..<40 { _ = try await service.ask(.get, paths[0]) }
            let refused = try await service.ask(.get, paths[0])
            #expect(refused.status == 429 && refused.header("Retry-After") == "40")
            #expect(try await service.ask(.get, "/api/v1/jobs/\(id)/events").status == 429)
        }
    }

    @Test func twoBrokersShareALimit() async throws {
        try await TestService.with {
            $0.rateLimit = 10
        } _: { first in
            first.time.stop(at: Self.timestamp)
            try await first.beside {
                $0.rateLimit = 10
            } _: { second in
                func remaining(_ service: TestService) async throws -> String? {
                    try await service.ask(.get, "/api/v1/credits").header("X-RateLimit-Remaining")
                }
                for _ in 0..<6 { _ = try await first.ask(.get, "/api/v1/credits") }
                await first.broker.exchangeCounts()
                // Requests before the second broker's exchange are allowed: that is the overshoot.
                #expect(["9", "3"].contains(try await remaining(second)))
                await second.broker.exchangeCounts()
                #expect(try await remaining(second) == "2")
                await second.broker.exchangeCounts()
                _ = try await remaining(first)
                await first.broker.exchangeCounts()
                #expect(try await remaining(first) == "0")
                #expect(try await first.ask(.get, "/api/v1/credits").status == 429)
                await first.broker.exchangeCounts()
                // The second broker allows one more request until its next exchange.
                _ = try await second.ask(.get, "/api/v1/credits")
                await second.broker.exchangeCounts()
                let refused = try await second.ask(.get, "/api/v1/credits")
                #expect(refused.status == 429 && refused.header("Retry-After") == "40")
                // Another user, and the next minute.
                #expect(try await second.ask(.get, "/api/v1/credits", headers: ["X-User-ID": "2"]).status == 200)
                first.time.stop(at: Self.timestamp + 40_000)
                #expect(try await remaining(second) == "9")
            }
        }
    }

    @Test func withoutALimitThereAreNoHeaders() async throws {
        try await TestService.with { service in
            let answer = try await service.ask(.get, "/api/v1/credits")
            #expect(answer.header("X-RateLimit-Limit") == nil)
        }
    }
}
