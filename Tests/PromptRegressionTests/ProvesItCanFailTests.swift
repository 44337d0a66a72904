import Foundation
import JSON
import Prompts
import Testing

@testable import PromptRegression

/// Edits that a person can make, in a copy, and the failure that each has to cause.
@Suite struct ProvesItCanFailTests {
    private let name = "research/apple-brief"

    private func workspace() throws -> Workspace { try Workspace(cases: ["research/apple-brief"]) }

    @Test func theCopyPassesBeforeAnythingIsEdited() throws {
        let report = try workspace().run()
        #expect(report.isSuccess, "\(TerminalReport(report).text)")
        #expect(report.cases.count == 1)
    }

    @Test func anEditedPromptDoesNotReplayTheOldAnswer() throws {
        let workspace = try workspace()
        try workspace.edit("prompts/research.prompt", "Write the report on", "Write the whole report on")
        let report = try workspace.run()
        #expect(report.kinds(of: name) == [.request, .recording])
        let findings = try #require(report.cases.first).findings
        let diff = try #require(findings.first?.diff).unified
        #expect(diff.contains("-  Write the report on this company as one JSON object."))
        #expect(diff.contains("+  Write the whole report on this company as one JSON object."))
        #expect(findings.last?.commands.first?.line == "dossier prompts record --filter research/apple-brief")
        #expect(report.cases.first?.answers.isEmpty == true)
    }

    @Test(arguments: ["prompts/_house_style.prompt", "personas/buffett.yaml", "jobs/research.yaml"])
    func everyChangeOfTheRequestMakesTheAnswerStale(file: String) throws {
        let workspace = try workspace()
        if file == "jobs/research.yaml" {
            // A tier of the prompt's own would come before that of the kind.
            try workspace.edit("prompts/research.prompt", "model: deep\n", "")
            #expect(try workspace.run().isSuccess)
        }
        let text = try workspace.text(file)
        let place = try #require(
            text.range(of: #"(?m)^# Tone$|^voice: .*\n(  .*\n)*|^tier: deep$"#, options: .regularExpression))
        let edit =
            switch file {
            case "personas/buffett.yaml": "voice: Edited, and short.\n"
            case "jobs/research.yaml": "tier: fast"
            default: "# The tone"
            }
        try workspace.write(text.replacingCharacters(in: place, with: edit), to: file)
        #expect(try workspace.run().kinds(of: name) == [.request, .recording])
    }

    @Test func anEditedGoldenRequestFails() throws {
        let workspace = try workspace()
        try workspace.edit("prompts/cases/\(name)/request.json", "Apple Inc.", "Apple Incorporated")
        #expect(try workspace.run().kinds(of: name) == [.request])
    }

    @Test func anEditedGoldenOutputFails() throws {
        let workspace = try workspace()
        try workspace.edit("prompts/cases/\(name)/output.json", "simulated", "written")
        #expect(try workspace.run().kinds(of: name) == [.output])
    }

    @Test func aTamperedRecordingFails() throws {
        let workspace = try workspace()
        try workspace.edit(
            try #require(try workspace.recordings(of: name).first), "no language model", "a language model")
        #expect(try workspace.run().kinds(of: name) == [.tampered])
    }

    /// The ways in which a person or a merge can spoil a recording, and the finding that the report has to name.
    @Test(arguments: [
        ("\"input\": ", "\"input\": 9", "its digest does not fit its content"),
        ("\"cost_micro_dollars\": ", "\"cost_micro_dollars\": 9", "its digest does not fit its content"),
        ("\"simulated\": true", "\"simulated\": false", "its digest does not fit its content"),
        ("\"outcome\": \"answered\"", "\"outcome\": \"refused\"", "its digest does not fit its content"),
        ("\"request_sha256\": \"", "\"request_sha256\": \"0", "its digest does not fit its content"),
        ("\"sha256\": \"", "\"sha256\": \"0", "its digest does not fit its content"),
        ("\"format\": 1", "\"format\": 2", "its digest does not fit its content"),
        ("\"response\": {", "\"response\": [", "it cannot be read"),
    ])
    func everyEditOfARecordingIsFoundOut(old: String, new: String, reason: String) throws {
        let workspace = try workspace()
        try workspace.edit(try #require(try workspace.recordings(of: name).first), old, new)
        let report = try workspace.run()
        #expect(report.kinds(of: name) == [.tampered])
        #expect(report.cases.first?.findings.first?.message.contains(reason) == true, "\(report.cases)")
    }

    @Test(arguments: ["", "{}", "[]", "null", "not JSON", "\u{FEFF}{}"])
    func aFileThatIsNoRecordingFails(content: String) throws {
        let workspace = try workspace()
        try workspace.write(content, to: try #require(try workspace.recordings(of: name).first))
        #expect(try workspace.run().kinds(of: name) == [.tampered])
    }

    @Test func aTruncatedRecordingFails() throws {
        let workspace = try workspace()
        let file = try #require(try workspace.recordings(of: name).first)
        try workspace.write(String(try workspace.text(file).prefix(1500)), to: file)
        let report = try workspace.run()
        #expect(report.kinds(of: name) == [.tampered])
        #expect(report.cases.first?.findings.first?.commands.first?.line.contains("prompts record") == true)
    }

    @Test func aRenamedOrDuplicatedRecordingIsNamed() throws {
        let workspace = try workspace()
        let file = try #require(try workspace.recordings(of: name).first)
        let copy = "prompts/cases/\(name)/recording.0123456789abcdef.json"
        try workspace.write(workspace.text(file), to: copy)
        #expect(try workspace.run().orphans.map(\.path) == [copy])
        try FileManager.default.removeItem(atPath: workspace.path(file))
        let report = try workspace.run()
        #expect(report.kinds(of: name) == [.recording])
        #expect(
            report.cases.first?.findings.first?.details.contains("there is: recording.0123456789abcdef.json") == true)
        // A name without a meaning.
        try FileManager.default.moveItem(
            atPath: workspace.path(copy), toPath: workspace.path("prompts/cases/\(name)/old.json"))
        #expect(try workspace.run().orphans.contains { $0.reason == "no file of a case has this name" })
    }

    @Test(arguments: ["", "[]", "{\"tier\": \"deep\"", "{}"])
    func aFileThatIsNoGoldenFails(content: String) throws {
        let workspace = try workspace()
        try workspace.write(content, to: "prompts/cases/\(name)/request.json")
        #expect(try workspace.run().kinds(of: name) == [.request])
        try workspace.write(content, to: "prompts/cases/\(name)/output.json")
        #expect(try workspace.run().kinds(of: name) == [.request, .output])
    }

    @Test func aRecordingInThePlaceOfAnotherFails() throws {
        let workspace = try Workspace(cases: [name, "research/hostile-company"])
        let own = try #require(try workspace.recordings(of: name).first)
        let other = try #require(try workspace.recordings(of: "research/hostile-company").first)
        try workspace.write(workspace.text(other), to: own)
        #expect(try workspace.run().kinds(of: name) == [.tampered])
    }

    @Test func aStricterCheckFails() throws {
        let workspace = try Workspace(cases: [name], answers: true)
        try workspace.edit(
            "prompts/research.prompt", "path: summary, value: {min: 2, max: 6}", "path: summary, value: 40")
        let report = try workspace.run()
        // The request is the same: checks are not sent to the model. Good answers written by hand fail, too.
        let kinds = report.kinds(of: name)
        #expect(kinds.prefix(2) == [.checks, .output])
        #expect(kinds.count > 2 && kinds.dropFirst(2).allSatisfy { $0 == .handWritten })
        let details = try #require(report.cases.first?.findings.first?.details)
        #expect(details.contains { $0.hasPrefix("sentence-count: summary: It has") })
    }

    @Test func aCheckThatMustFailAndPassesIsAFailure() throws {
        let workspace = try Workspace(cases: [name, "research/invented-figure"])
        try workspace.edit(
            "prompts/research.prompt",
            "  - type: figures-in-facts\n    exempt: [\"what_would_change_the_view[].threshold\", \"claims[].text\"]\n",
            "")
        let report = try workspace.run()
        #expect(report.problems.count == 1)
        #expect(report.problems.first?.message.contains("figures-in-facts") == true)
        try workspace.edit(
            "prompts/research.prompt", "dossier.checks:\n",
            "dossier.checks:\n  - {type: figures-in-facts, path: sources_note}\n")
        #expect(try workspace.run().kinds(of: "research/invented-figure").first == .checks)
    }

    @Test func anAnswerOfAnotherKindThanExpectedFails() throws {
        let workspace = try Workspace(cases: [name, "research/truncated"])
        try workspace.edit("prompts/cases/research/truncated/case.yaml", "outcome: truncated", "outcome: refused")
        #expect(try workspace.run().kinds(of: "research/truncated") == [.outcome])
    }

    @Test func aMissingRecordingOrGoldenFails() throws {
        let workspace = try workspace()
        try FileManager.default.removeItem(atPath: workspace.path("prompts/cases/\(name)/output.json"))
        #expect(try workspace.run().kinds(of: name) == [.output])
        for file in try workspace.recordings(of: name) {
            try FileManager.default.removeItem(atPath: workspace.path(file))
        }
        #expect(try workspace.run().kinds(of: name) == [.recording])
    }

    @Test func filesThatNoCaseUsesAreNamed() throws {
        let workspace = try workspace()
        try workspace.write("{}", to: "prompts/cases/\(name)/recording.0123456789abcdef.json")
        try workspace.write("{}", to: "prompts/cases/\(name)/output.gemini.json")
        try workspace.write("", to: "prompts/cases/\(name)/notes.txt")
        try workspace.write("", to: "prompts/cases/research/left-over/request.json")
        try workspace.write("", to: "prompts/cases/no-such-prompt/a/case.yaml")
        let report = try workspace.run()
        #expect(!report.isSuccess)
        #expect(
            Set(report.orphans.map(\.path)) == [
                "prompts/cases/\(name)/recording.0123456789abcdef.json", "prompts/cases/\(name)/output.gemini.json",
                "prompts/cases/\(name)/notes.txt", "prompts/cases/research/left-over", "prompts/cases/no-such-prompt",
            ])
    }

    @Test func acceptingAnEditNeedsAnAnswerToIt() throws {
        let workspace = try workspace()
        try workspace.edit("prompts/research.prompt", "Write the report on", "Write the whole report on")
        let before = try workspace.recordings(of: name)
        #expect(try workspace.runner().accept(environment: [:]).isEmpty)
        #expect(try workspace.recordings(of: name) == before)
    }

    @Test func acceptingRemovesWhatNoCaseUses() throws {
        let workspace = try workspace()
        try workspace.write("{}", to: "prompts/cases/\(name)/recording.0123456789abcdef.json")
        try workspace.write("Keep me", to: "prompts/cases/\(name)/notes.txt")
        let changed = try workspace.runner().accept(environment: ["CI": "false"])
        #expect(changed == ["prompts/cases/\(name)/recording.0123456789abcdef.json"])
        #expect(try workspace.text("prompts/cases/\(name)/notes.txt") == "Keep me")
    }

    @Test func nothingIsApprovedWhereCIIsSet() throws {
        let workspace = try workspace()
        try workspace.edit("prompts/cases/\(name)/output.json", "simulated", "written")
        let runner = try workspace.runner()
        #expect(throws: ApprovalError.self) { try runner.update(environment: ["CI": "true"]) }
        #expect(throws: ApprovalError.self) { try runner.accept(environment: ["CI": "1"]) }
        #expect(try workspace.run().kinds(of: name) == [.output])
        #expect(try runner.update(environment: [:]) == ["prompts/cases/\(name)/output.json"])
        #expect(try workspace.run().isSuccess)
    }
}
