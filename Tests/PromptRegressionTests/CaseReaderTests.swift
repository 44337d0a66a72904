import JSON
import Prompts
import Testing

@testable import PromptRegression

@Suite struct CaseReaderTests {
    private let file = "prompts/cases/research/new/case.yaml"

    private func library(_ yaml: String, cases: [String] = ["research/apple-brief"]) throws -> CaseLibrary {
        let workspace = try Workspace(cases: cases)
        try workspace.write(yaml, to: file)
        return CaseLibrary.load(home: workspace.home, bundle: try workspace.bundle())
    }

    @Test(arguments: [
        ("description: A\nexpext: 1\n", 2, "'expext' is not known"),
        ("description: A\nexpect:\n  outcome: refusd\n", 3, "must be one of answered, refused"),
        ("input: {}\n", 1, "'description' is missing"),
        ("description: A\nsimulate: fire\n", 2, "must be one of refusal"),
        ("description: A\nfacts:\n  - {label: a, value: 1, unit: stones}\n", 3, "or a currency such as USD"),
        ("description: A\nextends: apple\n", 2, "must be another case as PROMPT/CASE"),
        ("description: [\n", nil, "this is not valid YAML"),
    ])
    func whatIsWrongIsNamedWithItsLine(yaml: String, line: Int?, message: String) throws {
        let problem = try #require(try library(yaml).problems.first)
        #expect(problem.file == file)
        if let line { #expect(problem.line == line) }
        #expect(problem.message.contains(message), "\(problem)")
    }

    @Test(arguments: [
        ("description: A\nextends: research/none\n", "it extends 'research/none', which is no case"),
        ("description: A\nextends: research/new\n", "it extends itself"),
        ("description: A\npersona: nobody\n", "there is no persona 'nobody'"),
        ("description: A\nexpect: {failing: [no-such-check]}\n", "names 'no-such-check'"),
        ("description: A\nexpect: {outcome: refused, failing: [word-count]}\n", "checks look at usable answers only"),
    ])
    func whatDoesNotFitTheRestIsNamed(yaml: String, message: String) throws {
        let problem = try #require(try library(yaml).problems.first)
        #expect(problem.message.contains(message), "\(problem)")
    }

    @Test func aCaseOverridesTheValuesOfTheCaseThatItExtends() throws {
        let yaml = "description: A\nextends: research/apple-brief\ninput: {company: {name: Other}, missing: []}\n"
        let library = try library(yaml)
        #expect(library.problems.isEmpty)
        let item = try #require(library.cases.first { $0.id.name == "new" })
        #expect(item.input["company"]?["name"] == "Other")
        #expect(item.input["company"]?["ticker"] == "AAPL")
        #expect(item.input["missing"] == [])
        #expect(item.facts.count == 15)
        #expect(item.persona == "buffett")
        #expect(item.input["persona"]?["name"] == "Warren Buffett")
    }

    @Test func aMergePatchRemovesWithNull() throws {
        let value = try JSON(parsing: #"{"a":{"b":1,"c":2},"d":[1]}"#)
        let patch = try JSON(parsing: #"{"a":{"b":null},"d":{"e":null,"f":3}}"#)
        #expect(MergePatch.apply(patch, to: value) == (try JSON(parsing: #"{"a":{"c":2},"d":{"f":3}}"#)))
    }

    @Test func oneBrokenCaseDoesNotHideTheOthers() throws {
        let library = try library("nonsense: true\n")
        #expect(library.problems.count == 1)
        #expect(library.cases.map(\.id.name) == ["apple-brief"])
    }

    @Test func factsComeBackAsTheyWereWritten() throws {
        let facts = [
            Fact(0.25, .ratio, label: "a"), Fact(12.5, .currency("EUR"), label: "b"), Fact(3, .times, label: "c"),
            Fact(1, .number, label: "d"), Fact(7, .years, label: "e"), Fact(9, .shares, label: "f"),
            Fact(50, .percent, label: "g"),
        ]
        #expect(try FactReader.facts(JSONField(.array(facts.map(FactReader.json)))) == facts)
    }
}
