import BrokerClient
import HTTP
import JSON
import JobQueue
import SQLSupport
import SQLiteStore
import Testing

@testable import Broker

/// What models were asked, and the prompt suite, for operators.
@Suite(.timeLimit(.minutes(10))) struct CallRequestTests {
    private static let path = "/api/v1/admin"

    /// The requests of every job.
    private struct Requests: CallRequestSource {
        var found: [CallRequest]?

        func requests(of job: Job, steps: [Step]) async throws(StoreError) -> [CallRequest]? { found }
    }

    private func request(_ hash: String) -> CallRequest {
        CallRequest(prompt: "research", request: ["asked": JSON(hash)], inputHash: hash)
    }

    /// Runs a job with a journalled draft, whose model call is the first, and another call without an answer.
    private func withCalls(
        _ requests: [CallRequest]?, _ body: (TestService, JobID, [String]) async throws -> Void
    ) async throws {
        try await TestService.with {
            $0.callRequests = Requests(found: requests)
        } _: { service in
            let id = try await service.submit()
            let store = service.store
            try await store.register(
                WorkerRegistration(id: WorkerID(rawValue: "w"), host: "h", processID: 1, concurrency: 1))
            let claimed = try await store.claim(for: WorkerID(rawValue: "w"), upTo: [.background: 1]).jobs.first
            let lease = try #require(claimed).lease
            let step = Step(name: "draft", occurrence: 0, inputHash: "h1", output: ["x": 1])
            _ = try await store.append(step, replacingFrom: nil, effects: [], under: lease)
            let calls = ["draft", "repair"].enumerated().map { "\(id)/\(lease.epoch)/\($1)/\($0)" }
            let records = calls.map { call in
                ModelCall(
                    id: call, provider: "claude", model: "sonnet", state: .ok, certainty: .told, inputTokens: 1,
                    outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0, costMicroDollars: 1)
            }
            try await store.settle(records, of: lease)
            try await body(service, id, calls)
        }
    }

    private func ask(_ service: TestService, _ id: JobID, _ call: String) async throws -> Answer {
        let name = call.replacing("/", with: "%2F")
        return try await service.ask(.get, Self.path + "/jobs/\(id)/calls/\(name)/request")
    }

    @Test func theRequestOfAnAnsweredCallIsTheOneOfTheJournalAndIsAudited() async throws {
        try await withCalls([request("h0"), request("h1"), request("h2")]) { service, id, calls in
            let answered = try await ask(service, id, calls[0])
            #expect(answered["data"]?["request"] == ["asked": "h1"] && answered["data"]?["exact"] == true)
            #expect(answered["data"]?["model"] == "sonnet" && answered["data"]?["prompt"] == "research")
            let open = try await ask(service, id, calls[1])
            #expect(open["data"]?["request"] == ["asked": "h2"] && open["data"]?["exact"] == false)
            #expect(try await ask(service, id, "x").status == 404)
            #expect(try await ask(service, JobID(high: 1, low: 1), calls[0]).status == 404)
            let audit = try await service.store.auditEntries(
                AuditFilter(action: "jobs.read_content"), after: nil, limit: 9)
            #expect(audit.map(\.details) == [["call": JSON(calls[1])], ["call": JSON(calls[0])]])
        }
    }

    @Test func aRequestWhoseMaterialIsGoneIsNotFound() async throws {
        try await withCalls(nil) { service, id, calls in
            let answer = try await ask(service, id, calls[0])
            #expect(answer.status == 404)
        }
        try await withCalls([request("h1")]) { service, id, calls in
            let answer = try await ask(service, id, calls[1])
            #expect(answer.status == 404, "all requests have answers")
        }
    }

    private struct Suite: PromptSuite {
        func latest() async -> JSON? { Self.result }
        func run() async -> JSON? { Self.result }

        func one(prompt: String, name: String) async -> JSON? {
            guard name == "apple" else { return nil }
            return [
                "prompt": JSON(prompt), "name": JSON(name), "description": "", "tags": [], "outcome": "passed",
                "failing": [], "recorded_at": .null, "model": .null, "simulated": false,
                "request": ["expected": .null, "actual": "a", "diff": .null],
                "output": ["expected": "b", "actual": "c", "diff": "d"], "findings": ["It differs."],
                "checks": [["name": "no-urgency", "type": "regex", "passed": false, "reason": "It hurries."]],
            ]
        }

        static let result: JSON = ["at": "2026-11-24T08:00:00.000Z", "bundle": "b", "cases": [], "runs": []]
    }

    @Test func theSuiteIsReadAndItsRunIsAudited() async throws {
        try await TestService.with {
            $0.suite = Suite()
        } _: { service in
            #expect(try await service.ask(.get, Self.path + "/suite")["data"] == Suite.result)
            #expect(try await service.ask(.get, Self.path + "/suite/research/apple")["data"]?["prompt"] == "research")
            #expect(try await service.ask(.get, Self.path + "/suite/research/none").status == 404)
            #expect(try await service.ask(.post, Self.path + "/suite/run")["data"] == Suite.result)
            let audit = try await service.store.auditEntries(AuditFilter(), after: nil, limit: 9)
            #expect(audit.map(\.action) == ["suite.run"])
        }
        try await TestService.with { service in
            let (read, run) = (
                try await service.ask(.get, Self.path + "/suite"),
                try await service.ask(.post, Self.path + "/suite/run")
            )
            #expect(read.status == 404 && run.status == 404)
        }
    }
}
