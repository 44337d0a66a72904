import Foundation
import LanguageModels
import Prompts
import Simulator
import Testing

@testable import PromptRegression

/// Checks the baseline of the repository, made with the simulator, and compares runs with it.
@Suite struct CommittedBaselineTests {
    private func baseline() throws -> Baseline { try Baseline.read(from: Baseline.path(home: Workspace.repository)) }

    @Test func theBaselineHoldsAskableCasesAndIsMarkedAsSimulated() throws {
        let bundle = try BundleLoader.load(home: Workspace.repository, rules: Workspace.rules)
        let wanted = CaseLibrary.load(home: Workspace.repository, bundle: bundle).cases.filter { $0.simulation == nil }
        let entries = try baseline().entries
        // A case that is not in it yet counts as new; a removed one must be removed here too.
        #expect(Set(entries.keys.map(\.promptCase)).isSubset(of: wanted.map { "\($0.id)" }))
        #expect(entries.keys.contains { $0.promptCase == "research/apple-brief" })
        #expect(entries.values.allSatisfy { $0.isSimulated && $0.runs >= 10 })
    }

    private func run(_ faults: [FaultRule]) async throws -> LiveReport {
        let workspace = try Workspace(cases: ["research/apple-brief"])
        let simulated = SimulatedModelClient(try Workspace.catalogue(), faults: faults)
        let runner = LiveRunner(
            home: workspace.home, bundle: try workspace.bundle(), client: try await simulated.client(),
            runs: workspace.path("var/runs"), redactor: Redactor(), now: { "2026-01-01T00:00:00Z" })
        let report = try await runner.run(
            LivePlan(sides: [.provider(.claude)], repeats: 4, concurrency: 1), baseline: try baseline())
        await simulated.stop()
        return report
    }

    @Test func aGoodRunEqualsTheBaseline() async throws {
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

    @Test func answersOfRealServicesAreNotComparedWithASimulatedBaseline() async throws {
        let workspace = try Workspace(cases: ["research/apple-brief"])
        var answer = try workspace.recording(of: "research/apple-brief").response
        answer.id = "msg_01"
        let real = answer
        let client = ModelClient(try Workspace.catalogue()) { _, tier async throws(ModelError) in
            guard tier == "fast" else { return real }
            var grade = real
            grade.text = #"{"reason":"Good.","score":1,"pass":true}"#
            return grade
        }
        let runner = LiveRunner(
            home: workspace.home, bundle: try workspace.bundle(), client: client, runs: workspace.path("var/runs"),
            redactor: Redactor(), now: { "2026-01-01T00:00:00Z" })
        let report = try await runner.run(LivePlan(sides: [.provider(.claude)], repeats: 2), baseline: try baseline())
        #expect(report.cases.map(\.change) == [.new])
        #expect(LiveTextReport(report).text.contains("1 not compared: answers of the simulator"))
    }
}

/// Values from published examples and from R's fisher.test.
@Suite struct FisherExactTestTests {
    @Test(arguments: [
        // Fisher's lady tasting tea.
        (3, 1, 1, 3, 0.4857142857),
        (1, 9, 11, 3, 0.0027594562),
        (8, 2, 1, 5, 0.0349650350),
        (10, 0, 5, 5, 0.0325077399),
        (10, 0, 0, 10, 0.0000108251),
        (20, 0, 19, 1, 1.0),
        (5, 5, 5, 5, 1.0),
    ])
    func theTwoSidedValueIsThePublishedOne(a: Int, b: Int, c: Int, d: Int, expected: Double) {
        #expect(abs(FisherExactTest.twoSided(a, b, c, d) - expected) < 1e-9)
        // Rows and columns may be exchanged.
        #expect(abs(FisherExactTest.twoSided(c, d, a, b) - expected) < 1e-9)
        #expect(abs(FisherExactTest.twoSided(b, a, d, c) - expected) < 1e-9)
    }

    @Test func marginsOfZeroGiveAProbabilityOfOne() {
        #expect(FisherExactTest.twoSided(0, 0, 3, 4) == 1)
        #expect(FisherExactTest.twoSided(5, 0, 5, 0) == 1)
    }

    @Test func largeCountsNeitherOverflowNorVanish() {
        let value = FisherExactTest.twoSided(5000, 5000, 4800, 5200)
        #expect(value > 0.004 && value < 0.005)
    }
}
