import LanguageModels
import Prompts
import Testing

@testable import PromptRegression

@Suite struct HandWrittenTests {
    private let file = "prompts/cases/summary/rates/answers.yaml"
    private static let good =
        "{paragraphs: [The bank raised its key rate by 0.25 percentage points., Loans become dearer.]"
        + ", sentiment: neutral}"

    private func findings(_ answers: String) throws -> [Finding] {
        let workspace = try Workspace(cases: ["summary/rates"], answers: true)
        try workspace.write(answers, to: file)
        return try workspace.run("summary/rates").cases.first?.findings ?? []
    }

    @Test func aGoodAnswerIsAcceptedInTheFormatOfEachProvider() throws {
        #expect(try findings("- {because: good, json: \(Self.good)}") == [])
    }

    @Test(arguments: [
        ("- {because: a, breaks: [no-advice], json: \(good)}", "no-advice: passes, but must fail"),
        (
            "- {because: a, json: {paragraphs: [It costs four hundred billion dollars., More is not known yet.], sentiment: neutral}}",
            "four hundred billion"
        ),
        ("- {because: a, ends: limit, json: \(good)}", nil),
        ("- {because: a, breaks: [schema], json: \(good)}", "not as 'schema_violation'"),
        ("- {because: a, text: Yes}", "counts as 'unparseable'"), ("- {because: a, patch: {sentiment: mixed}}", nil),
        ("- {because: a, json: \(good), repaired: {json: \(good)}}", "would not be sent back"),
    ]) func anAnswerOfAnotherResultThanItSaysIsNamed(answers: String, problem: String?) throws {
        let found = try findings(answers)
        guard let problem else {
            #expect(found == [])
            return
        }
        #expect(found.count == ModelProvider.allCases.count && found.allSatisfy { $0.kind == .handWritten })
        #expect(
            found.first.map { ([$0.message] + $0.details).joined(separator: " ").contains(problem) } == true, "\(found)"
        )
    }

    @Test func aBadRepairIsNotAccepted() throws {
        let bad = "{paragraphs: [It costs four hundred billion dollars., More is not known yet.], sentiment: neutral}"
        let start = "- {because: a, breaks: [figures-in-facts, told-in-source], json: \(bad), repaired: {json: "
        #expect(try findings(start + Self.good + "}}") == [])
        #expect(try findings(start + bad + "}}").first?.message.contains("its repair is not accepted") == true)
    }

    @Test(arguments: [
        ("- {because: a}", "needs 'text', 'json', 'patch' or 'body'"), ("- {text: a}", "because"),
        ("- {because: a, body: {}}", "needs 'provider'"), ("- {because: a, texts: a}", "texts"),
        ("- {because: a, text: b, breaks: [nothing]}", "'answers' name 'nothing'"),
    ]) func aMalformedAnswerIsNamed(answers: String, problem: String) throws {
        let workspace = try Workspace(cases: ["summary/rates"], answers: true)
        try workspace.write(answers, to: file)
        let problems = try workspace.run("summary/rates").problems
        #expect(problems.first?.description.contains(problem) == true, "\(problems)")
    }

    /// An edit of the wording makes recordings worthless, and leaves hand-written answers as they are.
    @Test func anEditOfTheWordingLeavesThemAsTheyAre() throws {
        let workspace = try Workspace(cases: ["summary/rates"], answers: true)
        try workspace.edit("prompts/summary.prompt", "You summarise news", "You sum up news")
        let kinds = try workspace.run("summary/rates").kinds(of: "summary/rates")
        #expect(kinds.contains(.request) && !kinds.contains(.handWritten))
    }

    @Test func everyPromptHasGoodBadAndCutOffAnswers() throws {
        let bundle = try Workspace(cases: []).bundle()
        let cases = CaseLibrary.load(home: Workspace.repository, bundle: bundle).cases
        for name in bundle.prompts.keys.sorted() {
            let answers = cases.filter { $0.id.prompt == name }.flatMap(\.answers)
            #expect(answers.contains { $0.outcome == .answered && $0.breaks.isEmpty }, "\(name): no good one")
            #expect(answers.contains { $0.outcome == .truncated }, "\(name): none that is cut off")
            // Of a reading, code leaves out each finding whose quote does not stand in its passage (`FilingFinding`).
            if name == "filing-reading" { continue }
            // An answer about impact has ids and levels alone, and no text that could have a figure.
            if name != "impact" {
                #expect(answers.contains { $0.breaks.contains("figures-in-facts") }, "\(name): no invented figure")
            }
            let bad = Set(answers.flatMap(\.breaks))
            #expect(!bad.isDisjoint(with: ["quotations-in-source", "quote-in-source", "sources-in-input"]), "\(name)")
        }
    }
}
