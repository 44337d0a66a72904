import Foundation
import Prompts
import Testing

@testable import PromptRegression

/// The repository's own cases, run offline as `make test` does.
@Suite struct RepositoryCasesTests {
    private let runner: () throws -> OfflineRunner = {
        OfflineRunner(
            home: Workspace.repository,
            bundle: try BundleLoader.load(home: Workspace.repository, rules: Workspace.rules))
    }

    @Test func everyCaseOfTheRepositoryPasses() throws {
        let report = try runner().run()
        #expect(report.isSuccess, "\(TerminalReport(report).text)")
        #expect(report.duration < .seconds(600))
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

    /// A partial is tested through the prompts that call it.
    @Test func everyPartialIsCalledByAPromptWithCases() throws {
        let folder = Workspace.repository + "/prompts"
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".prompt") }
        var calls: [String: Set<String>] = [:]
        for name in names {
            let text = try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
            calls[String(name.dropLast(7))] = Set(
                text.matches(of: #/\{\{~?#?>\s*"?([\w.-]+)/#).map { "_\($0.output.1)" })
        }
        var reached: Set<String> = []
        var open = calls.keys.filter { !$0.hasPrefix("_") }
        while let next = open.popLast() {
            for called in calls[next] ?? [] where reached.insert(called).inserted { open.append(called) }
        }
        #expect(calls.keys.filter { $0.hasPrefix("_") && !reached.contains($0) } == [])
    }

    @Test func casesAreNoPartOfTheBundle() throws {
        let workspace = try Workspace(cases: ["research/apple-brief"])
        let hash = try workspace.bundle().hash
        try workspace.edit("prompts/cases/research/apple-brief/case.yaml", "description: ", "description: A new ")
        #expect(try workspace.bundle().hash == hash)
    }

    @Test func answersOfTheSimulatorAreMarked() throws {
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
