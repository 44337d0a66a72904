import Foundation
import JSON
import LanguageModels
import Testing

@testable import PromptRegression

/// Recording against a simulator in this process, over real HTTP.
@Suite struct RecorderTests {
    private func record(
        _ workspace: borrowing Workspace, _ filter: String, providers: [ModelProvider] = []
    ) async throws -> [Recorder.Outcome] {
        let simulated = SimulatedModelClient(try Workspace.catalogue())
        let recorder = Recorder(
            home: workspace.home, bundle: try workspace.bundle(), desk: nil, simulated: simulated, scrubber: Scrubber(),
            now: { "2026-01-01T00:00:00Z" })
        let outcomes = await recorder.record(CaseFilter(filter), providers: providers)
        await simulated.stop()
        return outcomes
    }

    @Test func anEditedPromptIsRecordedAcceptedAndPasses() async throws {
        let workspace = try Workspace(cases: ["research/apple-brief"])
        let old = try workspace.recordings(of: "research/apple-brief")
        try workspace.edit("prompts/research.prompt", "Write the report on", "Write the whole report on")
        let outcomes = try await record(workspace, "research/apple-brief")
        let recorded = try #require(outcomes.first).result.get()
        #expect(recorded.isSimulated && recorded.isExpected)
        #expect(try workspace.run().kinds(of: "research/apple-brief").first == .request)
        let changed = try workspace.queue().accept(environment: [:])
        #expect(changed.contains(old[0]))
        #expect(try workspace.run().isSuccess)
        #expect(try workspace.recordings(of: "research/apple-brief") != old)
    }

    @Test(arguments: [
        ("refusal", AnswerOutcome.refused), ("truncation", .truncated), ("broken-schema", .schemaViolation),
        ("invalid-json", .unparseable), ("empty-answer", .unusable),
    ])
    func theSimulatorDoesWrongWhatTheCaseWants(simulation: String, outcome: AnswerOutcome) async throws {
        let workspace = try Workspace(cases: ["research/apple-brief"])
        try workspace.write(
            "description: A\nextends: research/apple-brief\nsimulate: \(simulation)\nexpect: {outcome: \(outcome.rawValue)}\n",
            to: "prompts/cases/research/broken/case.yaml")
        let recorded = try #require(try await record(workspace, "research/broken").first).result.get()
        #expect(recorded.judgement.outcome == outcome)
        #expect(recorded.isExpected)
        _ = try workspace.queue().accept(environment: [:])
        #expect(try workspace.run().isSuccess)
    }

    @Test func severalProvidersHaveARecordingAndAGoldenEach() async throws {
        let workspace = try Workspace(cases: ["research/apple-brief"])
        try FileManager.default.removeItem(atPath: workspace.path(workspace.recordings(of: "research/apple-brief")[0]))
        let outcomes = try await record(workspace, "*", providers: [.claude, .gemini])
        #expect(try outcomes.map { try $0.result.get().judgement.outcome } == [.answered, .answered])
        _ = try workspace.queue().accept(environment: [:])
        #expect(try workspace.recordings(of: "research/apple-brief").count == 2)
        let report = try workspace.run()
        #expect(report.isSuccess, "\(TerminalReport(report).text)")
        #expect(report.cases.first?.answers.count == 2)
        try workspace.edit("prompts/cases/research/apple-brief/output.gemini.json", "simulated", "written")
        #expect(try workspace.run().kinds(of: "research/apple-brief") == [.output])
    }

    @Test func aProviderThatTheTierDoesNotHaveIsNamed() async throws {
        let workspace = try Workspace(cases: ["research/apple-brief"])
        let desk = ModelClient(try ModelCatalogue(parsing: Self.onlyGemini)) { _, _ async throws(ModelError) in
            throw ModelError(.timeout)
        }
        let simulated = SimulatedModelClient(try Workspace.catalogue())
        let recorder = Recorder(
            home: workspace.home, bundle: try workspace.bundle(), desk: desk, simulated: simulated,
            scrubber: Scrubber(), now: { "" })
        let outcomes = await recorder.record(.all, providers: [.claude])
        await simulated.stop()
        guard case .failure(let failure) = try #require(outcomes.first).result else {
            Issue.record("the call went through")
            return
        }
        #expect(failure.description.contains("the tier 'deep' has no model of 'claude'"))
    }

    private static let onlyGemini = """
        tiers: {deep: [flash], fast: [flash]}
        models:
          flash: {provider: gemini, context: 1000, max_output: 1000, prices: [{input: 1, output: 1}]}
        """
}
