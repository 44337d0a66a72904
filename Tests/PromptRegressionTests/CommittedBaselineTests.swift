import Foundation
import LanguageModels
import Prompts
import Simulator
import Testing

@testable import PromptRegression

/// The baseline of the repository, made with the simulator, and runs against it.
@Suite struct CommittedBaselineTests {
    private func baseline() throws -> Baseline { try Baseline.read(from: Baseline.path(home: Workspace.repository)) }

    @Test func itHoldsCasesThatCanBeAskedAndSaysThatItIsSimulated() throws {
        let bundle = try BundleLoader.load(home: Workspace.repository, rules: Workspace.rules)
        let wanted = CaseLibrary.load(home: Workspace.repository, bundle: bundle).cases.filter { $0.simulation == nil }
        let entries = try baseline().entries
        // A case that is not in it yet counts as new; one that is gone must go here too.
        #expect(Set(entries.keys.map(\.promptCase)).isSubset(of: wanted.map { "\($0.id)" }))
        #expect(entries.keys.contains { $0.promptCase == "research/apple-brief" })
        #expect(entries.values.allSatisfy { $0.isSimulated && $0.runs >= 10 })
    }

    private func run(_ faults: [FaultRule]) async throws -> LiveReport {
        let workspace = try Workspace(cases: ["research/apple-brief"])
        let simulated = SimulatedModelClient(try Workspace.catalogue(), faults: faults)
        let queue = LiveRunner(
            home: workspace.home, bundle: try workspace.bundle(), desk: try await simulated.desk(),
            runs: workspace.path("var/runs"), scrubber: Scrubber(), now: { "2026-01-01T00:00:00Z" })
        let report = try await queue.run(
            LivePlan(providers: [.claude], repeats: 4, concurrency: 1), baseline: try baseline())
        await simulated.stop()
        return report
    }

    @Test func aGoodRunIsTheSame() async throws {
        let report = try await run([])
        #expect(report.cases.map(\.change) == [.same])
        #expect(report.isSuccess)
    }

    @Test func aCaseThatBeginsToFailSometimesIsNamed() async throws {
        let report = try await run([FaultRule(.brokenSchema, service: .claude, times: 1)])
        #expect(report.cases.map(\.change) == [.flaky])
        #expect(
            LiveTextReport(report).text.contains("FLAKY research/apple-brief, claude: always passed before, now 3 of 4")
        )
    }

    @Test func answersOfRealServicesAreNotHeldAgainstIt() async throws {
        let workspace = try Workspace(cases: ["research/apple-brief"])
        var answer = try workspace.recording(of: "research/apple-brief").response
        answer.id = "msg_01"
        let real = answer
        let desk = ModelClient(try Workspace.catalogue()) { _, tier async throws(ModelError) in
            guard tier == "fast" else { return real }
            var grade = real
            grade.text = #"{"reason":"Good.","score":1,"pass":true}"#
            return grade
        }
        let queue = LiveRunner(
            home: workspace.home, bundle: try workspace.bundle(), desk: desk, runs: workspace.path("var/runs"),
            scrubber: Scrubber(), now: { "2026-01-01T00:00:00Z" })
        let report = try await queue.run(LivePlan(providers: [.claude], repeats: 2), baseline: try baseline())
        #expect(report.cases.map(\.change) == [.new])
        #expect(LiveTextReport(report).text.contains("1 not compared: answers of the simulator"))
    }
}
