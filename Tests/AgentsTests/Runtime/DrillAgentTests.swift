import Foundation
import JobQueue
import JSON
import Prompts
import TestSupport
import Testing

@testable import Agents

@Suite struct DrillAgentTests {
    private func attempt(
        _ job: ClaimedJob, in test: StoreFixture, report: @escaping @Sendable (Int, String) -> Void = { _, _ in }
    ) async throws -> JSON {
        let file = ContentFiles.path + "/Benchmarks/drill.yaml"
        let bundle = try Prompts.Bundle(
            files: ["jobs/drill.yaml": String(contentsOfFile: file, encoding: .utf8)], rules: ContentFiles.rules)
        let kind = try #require(bundle.kinds["drill"])
        return try await DrillAgent().run(
            JobContext(
                job: job, kind: kind, bundle: bundle,
                journal: try await Journal(of: job.lease, in: test.store),
                isLive: { true }, report: report)
        ).body
    }

    @Test func eachStepIsJournalledAndReported() async throws {
        try await StoreFixture.run { test in
            let id = try await test.submit(["steps": 3, "pause": 3])
            let result = try await attempt(try await test.claim(), in: test)
            #expect(result == ["steps": 3, "replayed": 0])
            #expect(try await test.steps(of: id) == ["work", "work", "work"])
        }
    }

    @Test func stepsOfAnEarlierRunAreNotRepeated() async throws {
        try await StoreFixture.run { test in
            try await test.submit([:])
            _ = try await attempt(try await test.claim(), in: test)
            try await test.rescue()
            let result = try await attempt(try await test.claim(by: "w2"), in: test)
            #expect(result == ["steps": 2, "replayed": 2])
        }
    }

    @Test(arguments: [["steps": 101], ["steps": -1], ["pause": 600_001], ["steps": "many"], ["pause": 0.5]] as [JSON])
    func invalidInputFailsPermanently(input: JSON) async throws {
        try await StoreFixture.run { test in
            try await test.submit(input)
            let job = try await test.claim()
            do {
                _ = try await attempt(job, in: test)
                Issue.record("the attempt succeeded")
            } catch {
                guard case AgentError.failed(let failure) = error else { throw error }
                #expect(!failure.isTransient && failure.error.code == "VAL_3004")
            }
        }
    }
}
