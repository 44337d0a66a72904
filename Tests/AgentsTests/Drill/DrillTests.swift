import JSON
import JobQueue
import Prompts
import Testing

@testable import Agents

@Suite struct DrillTests {
    private func attempt(
        _ job: ClaimedJob, in test: TestStore, report: @escaping @Sendable (Int, String) -> Void = { _, _ in }
    ) async throws -> JSON {
        let kind = JobKind(
            name: "drill", title: "A drill", agent: "drill", credits: 0, queue: .background, deadline: .seconds(60),
            estimate: .seconds(1), retries: RetryPolicy(attempts: 1, initialPause: .zero, longestPause: .zero),
            tier: "fast", prompts: [:], stages: [.init(name: "work", weight: 100, says: "Working")], inputSchema: [:])
        return try await DrillAgent().run(
            JobContext(
                job: job, kind: kind, bundle: try Home.bundle.get(),
                journal: try await Journal(of: job.lease, in: test.store),
                isLive: { true }, report: report)
        ).body
    }

    @Test func eachStepIsJournalledAndReported() async throws {
        try await TestStore.run { test in
            let id = try await test.submit(["steps": 3, "pause": 3])
            let result = try await attempt(try await test.claim(), in: test)
            #expect(result == ["steps": 3, "replayed": 0])
            #expect(try await test.steps(of: id) == ["work", "work", "work"])
        }
    }

    @Test func whatAnEarlierRunDidIsNotDoneAgain() async throws {
        try await TestStore.run { test in
            try await test.submit([:])
            _ = try await attempt(try await test.claim(), in: test)
            try await test.rescue()
            let result = try await attempt(try await test.claim(by: "w2"), in: test)
            #expect(result == ["steps": 2, "replayed": 2])
        }
    }

    @Test(arguments: [["steps": 101], ["steps": -1], ["pause": 600_001], ["steps": "many"], ["pause": 0.5]] as [JSON])
    func anOrderThatMakesNoSenseFailsForGood(input: JSON) async throws {
        try await TestStore.run { test in
            try await test.submit(input)
            let job = try await test.claim()
            do {
                _ = try await attempt(job, in: test)
                Issue.record("it was carried out")
            } catch AgentError.failed(let failure) {
                #expect(!failure.isTransient && failure.error.code == "VAL_3004")
            }
        }
    }
}
