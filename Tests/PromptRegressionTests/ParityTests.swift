import JSON
import LanguageModels
import Prompts
import Testing

@testable import PromptRegression

/// The suite makes the same requests as production: `PromptSettingsTests` shows the same of the agents.
@Suite struct ParityTests {
    private func request(_ old: String, _ new: String) throws -> CanonicalRequest {
        let workspace = try Workspace(cases: ["research/apple-brief"])
        for prompt in ["research", "research-repair"] { try workspace.edit("prompts/\(prompt).prompt", old, new) }
        let bundle = try workspace.bundle()
        let promptCase = try #require(CaseLibrary.load(home: workspace.home, bundle: bundle).cases.first)
        return try CaseRun(promptCase, bundle: bundle).request.get()
    }

    @Test func theTierOfThePromptComesBeforeThatOfTheKind() throws {
        #expect(try request("model: deep", "model: fast").tier == "fast")
        #expect(try request("model: deep\n", "").tier == "deep")
    }

    @Test func everySettingIsPartOfTheRequestAndOfItsHash() throws {
        let plain = try request("effort: medium", "effort: medium")
        let edits: [(String, (ModelRequest) -> Bool)] = [
            ("effort: medium\n  temperature: 0.25", { $0.temperature == 0.25 }),
            ("effort: low", { $0.effort == .low }),
            ("effort: medium\n  stopSequences: [HALT]", { $0.stopSequences == ["HALT"] }),
        ]
        for (edit, holds) in edits {
            let edited = try request("effort: medium", edit)
            #expect(holds(edited.request), "\(edit)")
            #expect(edited.hash != plain.hash, "\(edit)")
        }
        #expect(try request("maxOutputTokens: 8000", "maxOutputTokens: 77").request.maxOutputTokens == 77)
    }

    @Test func aRequestSurvivesTheJournalWithItsTemperature() throws {
        let request = try request("effort: medium", "effort: medium\n  temperature: 0.25").request
        #expect(try ModelRequest(decoding: JSONField(request.encoded)) == request)
    }
}
