import Foundation
import Prompts
import Testing

@testable import PromptRegression

/// The repository's own cases: the offline lane as `make test` runs it.
@Suite struct RepositoryCasesTests {
    private let lane: () throws -> OfflineLane = {
        OfflineLane(
            home: Workspace.repository,
            bundle: try BundleLoader.load(home: Workspace.repository, rules: Workspace.rules))
    }

    @Test func everyCaseOfTheRepositoryPasses() throws {
        let report = try lane().run()
        #expect(report.isSuccess, "\(TerminalReport(report).text)")
        #expect(report.duration < .seconds(120))
    }

    @Test func everyPromptHasItsCasesOfEveryKind() throws {
        let bundle = try BundleLoader.load(home: Workspace.repository, rules: Workspace.rules)
        let cases = CaseLibrary.load(home: Workspace.repository, bundle: bundle).cases
        for prompt in bundle.prompts.keys {
            let own = cases.filter { $0.id.prompt == prompt }
            #expect(own.count >= 5, "\(prompt)")
            for tag in ["missing-data", "hostile", "very-long"] {
                #expect(own.contains { $0.tags.contains(tag) }, "\(prompt) has no case '\(tag)'")
            }
            for outcome in [AnswerOutcome.answered, .refused, .truncated, .schemaViolation] {
                #expect(own.contains { $0.expectation.outcome == outcome }, "\(prompt) has no case '\(outcome)'")
            }
        }
    }

    @Test func casesAreNoPartOfTheBundle() throws {
        let workspace = try Workspace(cases: ["research/apple-brief"])
        let hash = try workspace.bundle().hash
        try workspace.edit("prompts/cases/research/apple-brief/case.yaml", "description: ", "description: A new ")
        #expect(try workspace.bundle().hash == hash)
    }

    @Test func answersOfTheSimulatorSaySo() throws {
        let workspace = try Workspace()
        let bundle = try workspace.bundle()
        for item in CaseLibrary.load(home: workspace.home, bundle: bundle).cases {
            for file in try workspace.recordings(of: "\(item.id)") {
                let recording = try Recording(parsing: workspace.text(file))
                #expect(recording.isSimulated == recording.response.isSimulated, "\(file)")
            }
        }
    }
}
