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
            home: workspace.home, bundle: try workspace.bundle(), client: nil, simulated: simulated,
            redactor: Redactor(),
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
        let changed = try workspace.runner().accept(environment: [:])
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
        #expect(recorded.evaluation.outcome == outcome)
        #expect(recorded.isExpected)
        _ = try workspace.runner().accept(environment: [:])
        #expect(try workspace.run().isSuccess)
    }

    @Test func severalProvidersHaveARecordingAndAGoldenEach() async throws {
        let workspace = try Workspace(cases: ["research/apple-brief"])
        try FileManager.default.removeItem(atPath: workspace.path(workspace.recordings(of: "research/apple-brief")[0]))
        let outcomes = try await record(workspace, "*", providers: [.claude, .gemini])
        #expect(try outcomes.map { try $0.result.get().evaluation.outcome } == [.answered, .answered])
        _ = try workspace.runner().accept(environment: [:])
        #expect(try workspace.recordings(of: "research/apple-brief").count == 2)
        let report = try workspace.run()
        #expect(report.isSuccess, "\(TerminalReport(report).text)")
        #expect(report.cases.first?.answers.count == 2)
        try workspace.edit("prompts/cases/research/apple-brief/output.gemini.json", "simulated", "written")
        #expect(try workspace.run().kinds(of: "research/apple-brief") == [.output])
    }

    @Test func aProviderThatTheTierDoesNotHaveIsNamed() async throws {
        let workspace = try Workspace(cases: ["research/apple-brief"])
        let client = ModelClient(try ModelCatalogue(parsing: Self.onlyGemini)) { _, _ async throws(ModelError) in
            throw ModelError(.timeout)
        }
        let simulated = SimulatedModelClient(try Workspace.catalogue())
        let recorder = Recorder(
            home: workspace.home, bundle: try workspace.bundle(), client: client, simulated: simulated,
            redactor: Redactor(), now: { "" })
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

@Suite struct RedactorTests {
    @Test(arguments: [
        ("key sk-ant-api03-abcdefgh12345678 end", "key [redacted] end"),
        ("AIzaSyA1234567890abcdefghijklmnopqrs", "[redacted]"),
        ("Authorization: Bearer abc.def-123456", "Authorization: [redacted]"),
        ("{\"x-api-key\": \"0123456789\"}", "{\"x-api-key\": \"[redacted]\"}"),
        ("api_key=0123456789&b=1", "api_key=[redacted]"),
        ("token eyJhbGciOiJI.eyJzdWIiOiIx.c2lnbmF0dXJl", "token [redacted]"),
        ("write to jane.doe+x@mail.example.co.uk.", "write to [redacted]."),
        ("a plain sentence about $416.2 billion", "a plain sentence about $416.2 billion"),
        ("the my-own-secret-key here", "the [redacted] here"),
    ])
    func secretsAreTakenOut(text: String, expected: String) {
        #expect(Redactor(secrets: ["my-own-secret-key", "abc"]).redact(text) == expected)
    }

    @Test func everyTextOfARecordingIsRedacted() throws {
        var recording = try Workspace(cases: ["research/apple-brief"]).recording(of: "research/apple-brief")
        recording.response.text = "my-own-secret-key said jane@example.org"
        recording.response.json = ["a": ["my-own-secret-key"], "jane@example.org": 1]
        recording.response.original = ProviderContent(
            provider: .claude, content: [["type": "text", "text": "Bearer abcdefgh1234"]])
        recording.detail = "my-own-secret-key"
        let text = try recording.redacted(by: Redactor(secrets: ["my-own-secret-key"])).json.compact
        for secret in ["my-own-secret-key", "jane@", "abcdefgh1234"] { #expect(!text.contains(secret)) }
        // A redacted recording has a new digest and can be read back.
        #expect(try Recording(parsing: text).response.text == "[redacted] said [redacted]")
    }
}
