import Foundation
import JSON
import LanguageModels
import Prompts
import Testing

@testable import PromptRegression

/// Answers graded by a model: grades are recorded like answers and count only for the answer that they grade.
@Suite struct RubricTests {
    private let name = "research/apple-brief"

    private func workspace() throws -> Workspace { try Workspace(cases: [name]) }

    private func gradeFile(_ workspace: borrowing Workspace) throws -> String {
        let folder = "prompts/cases/\(name)"
        let files = try FileManager.default.contentsOfDirectory(atPath: workspace.path(folder))
        return try #require(files.first { $0.hasPrefix("grade.") }.map { "\(folder)/\($0)" })
    }

    private func recordedScore(_ workspace: borrowing Workspace) throws -> Double {
        try #require(try Recording(parsing: workspace.text(try gradeFile(workspace))).response.json?["score"]?.double)
    }

    /// Puts another grade in the place of the recorded one, with a digest that fits.
    private func grade(_ workspace: borrowing Workspace, _ answer: JSON) throws {
        let file = try gradeFile(workspace)
        var grade = try Recording(parsing: workspace.text(file))
        grade.response.text = answer.compact
        grade.response.json = answer
        try workspace.write(grade.json.pretty, to: file)
    }

    @Test func aRecordedGradeIsReplayed() throws {
        let report = try workspace().run()
        #expect(report.isSuccess)
        #expect(report.cases.first?.skipped.isEmpty == true)
    }

    @Test func aBadGradeFailsTheCase() throws {
        let workspace = try workspace()
        try grade(workspace, ["reason": "It explains nothing.", "score": 0.2, "pass": false])
        let report = try workspace.run()
        #expect(report.kinds(of: name) == [.checks, .output])
        let details = try #require(report.cases.first?.findings.first?.details)
        #expect(details == ["llm-rubric: Graded 0.2 of 1: It explains nothing."])
    }

    @Test func aThresholdComesBeforeTheGradersVerdict() throws {
        let workspace = try workspace()
        try workspace.edit(
            "prompts/research.prompt", "- type: llm-rubric\n", "- type: llm-rubric\n    threshold: 0.7\n")
        #expect(try recordedScore(workspace) >= 0.7)
        #expect(try workspace.run().isSuccess)
        try grade(workspace, ["reason": "Nearly.", "score": 0.6, "pass": true])
        let details = try workspace.run().cases.first?.findings.first?.details
        #expect(details == ["llm-rubric: Graded 0.6 of 1, and 0.7 is wanted: Nearly."])
    }

    @Test(arguments: [
        ("prompts/research.prompt", "Explains to a beginner", "Explains to an expert"),
        ("prompts/llm-rubric.prompt", "You are strict", "You are mild"),
    ])
    func anEditedRubricOrGraderIsSkippedVisiblyUntilItIsGradedAnew(file: String, old: String, new: String) throws {
        let workspace = try workspace()
        try workspace.edit(file, old, new)
        let report = try workspace.run()
        #expect(report.kinds(of: name).isEmpty)
        #expect(report.cases.first?.skipped.first?.contains("dossier prompts record --grades") == true)
        #expect(report.headline.contains("1 check skipped"))
        #expect(TerminalReport(report).text.contains("skipped llm-rubric"))
        #expect(MarkdownReport(report).text.contains("## Skipped checks"))
        #expect(JUnitReport(report).text.contains("<system-out>skipped llm-rubric"))
        #expect(HTMLReport(report).text.contains("<b>Skipped</b> llm-rubric"))
        // The old grade is named as unused.
        #expect(report.orphans.map(\.reason) == ["it grades an answer that is not there"])
        #expect(!report.isSuccess)
    }

    @Test func missingGradesAreAskedForAndTheAnswersStay() async throws {
        let workspace = try workspace()
        let before = try workspace.text(try #require(try workspace.recordings(of: name).first))
        try FileManager.default.removeItem(atPath: workspace.path(try gradeFile(workspace)))
        let simulated = SimulatedModelClient(try Workspace.catalogue())
        let recorder = Recorder(
            home: workspace.home, bundle: try workspace.bundle(), client: nil, simulated: simulated,
            redactor: Redactor(), now: { "2026-01-01T00:00:00Z" })
        let outcomes = await recorder.recordGrades(.all)
        await simulated.stop()
        #expect(try outcomes.map { try $0.result.get().isExpected } == [true])
        #expect(try workspace.text(try #require(try workspace.recordings(of: name).first)) == before)
        #expect(try workspace.run().isSuccess)
        #expect(await recorder.recordGrades(.all).isEmpty)
    }

    @Test func aTamperedGradeFails() throws {
        let workspace = try workspace()
        let score = try recordedScore(workspace)
        try workspace.edit(try gradeFile(workspace), "\"score\": \(JSON(score).compact)", "\"score\": 0")
        #expect(try workspace.run().kinds(of: name) == [.tampered])
    }

    @Test func aGradeInThePlaceOfAnotherFails() throws {
        let workspace = try Workspace(cases: [name, "research/hostile-company"])
        let folder = "prompts/cases/research/hostile-company"
        let other = try #require(
            try FileManager.default.contentsOfDirectory(atPath: workspace.path(folder)).first { $0.hasPrefix("grade.") }
        )
        try workspace.write(workspace.text("\(folder)/\(other)"), to: try gradeFile(workspace))
        #expect(try workspace.run().kinds(of: name) == [.tampered])
    }

    @Test func theLiveRunnerGradesEachAnswerOnce() async throws {
        let workspace = try workspace()
        let answer = try workspace.recording(of: name).response
        let grade = try Recording(parsing: workspace.text(try gradeFile(workspace))).response
        let asked = Counter()
        let client = ModelClient(try Workspace.catalogue()) { request, tier async throws(ModelError) in
            asked.add(tier)
            guard tier == "fast" else { return answer }
            if asked.count(of: "fast") == 1 { throw ModelError(.rateLimited) }
            return grade
        }
        let runner = LiveRunner(
            home: workspace.home, bundle: try workspace.bundle(), client: client, runs: workspace.path("var/runs"),
            redactor: Redactor(), now: { "2026-01-01T00:00:00Z" }, sleep: { _ in })
        let report = try await runner.run(
            LivePlan(sides: [.provider(.claude)], repeats: 3, concurrency: 1), baseline: Baseline())
        #expect(report.isSuccess)
        #expect(report.cases.first?.now.passed == 3)
        // Equal answers share a grade; the rate limit was waited for.
        #expect(asked.count(of: "fast") == 2)
        #expect(report.gradingCost == grade.cost)
    }

    private final class Counter: @unchecked Sendable {
        // One call at a time: the plan allows no more.
        private var names: [String] = []
        func add(_ name: String) { names.append(name) }
        func count(of name: String) -> Int { names.count { $0 == name } }
    }
}
