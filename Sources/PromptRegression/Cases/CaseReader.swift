internal import JSON
internal import Prompts
internal import YAML

/// The content of a `case.yaml`, before it is joined with the case that it extends.
struct CaseDefinition {
    var summary: String
    var extends: PromptCase.ID?
    var persona: String?
    var input: JSON?
    var facts: [Fact]?
    var quotable: [String]?
    var expectation: PromptCase.Expectation
    var simulation: PromptCase.Simulation?
    var tags: [String]
    var answers: [HandWrittenAnswer]
}

/// Reads the files of a case strictly: an unknown field is rejected by name and line.
struct CaseReader {
    private static let keys = [
        "description", "extends", "persona", "input", "facts", "quotable", "expect", "simulate", "tags", "answers",
    ]

    /// The file as messages name it.
    let file: String
    let folder: CaseFolder

    func read() throws(CaseProblem) -> CaseDefinition {
        guard let text = folder.text(CaseFolder.definition) else {
            throw CaseProblem(file: file, line: nil, message: "the file cannot be read", fix: "save it as UTF-8 text")
        }
        let document: YAMLDocument
        do {
            document = try YAMLDocument(parsing: text)
        } catch {
            throw CaseProblem(
                file: file, line: error.line, message: "this is not valid YAML: \(error.message)",
                fix: "check indentation, colons and quotes")
        }
        let root = document.value
        do {
            return try definition(JSONField(root))
        } catch {
            let steps = error.path.split { ".[]".contains($0) }.map(String.init)
            throw CaseProblem(
                file: file, line: document.line(nearest: steps), message: "\(error)",
                fix: "docs/prompt-tests.md describes every field")
        }
    }

    private func definition(_ root: JSONField) throws(JSONFieldError) -> CaseDefinition {
        for key in try root.object().keys where !Self.keys.contains(key) {
            throw root[key].failure("is not known; there are \(Self.keys.joined(separator: ", "))")
        }
        let expect = root["expect"]
        for key in try expect.optional?.object().keys ?? [] where !["outcome", "failing"].contains(key) {
            throw expect[key].failure("is not known; there are outcome, failing")
        }
        let outcome = try word(expect["outcome"], AnswerOutcome.self)
        let checks = try expect["failing"].optional?.strings() ?? []
        return CaseDefinition(
            summary: try root["description"].string(), extends: try id(root["extends"]),
            persona: try root["persona"].optional?.string(), input: try input(root["input"]),
            facts: try facts(root["facts"]), quotable: try root["quotable"].optional?.strings(),
            expectation: .init(outcome: outcome ?? .answered, failing: Set(checks)),
            simulation: try word(root["simulate"], PromptCase.Simulation.self),
            tags: try root["tags"].optional?.strings() ?? [], answers: try answers(root["answers"]))
    }

    /// The values in the file itself, or those of `input.json`.
    private func input(_ field: JSONField) throws(JSONFieldError) -> JSON? {
        if let inline = field.optional { return .object(try inline.object()) }
        guard let text = folder.text(CaseFolder.input) else { return nil }
        guard let value = try? JSON(parsing: text), value.object != nil else {
            throw field.failure("is in \(CaseFolder.input), which holds no JSON object")
        }
        return value
    }

    /// The answers in the file itself, or those of `answers.yaml`.
    private func answers(_ field: JSONField) throws(JSONFieldError) -> [HandWrittenAnswer] {
        if let inline = field.optional { return try HandWrittenAnswerReader.answers(inline) }
        guard let text = folder.text(CaseFolder.answers) else { return [] }
        guard let document = try? YAMLDocument(parsing: text) else {
            throw field.failure("are in \(CaseFolder.answers), which is no YAML")
        }
        return try HandWrittenAnswerReader.answers(JSONField(document.value, path: CaseFolder.answers))
    }

    private func facts(_ field: JSONField) throws(JSONFieldError) -> [Fact]? {
        if let inline = field.optional { return try FactReader.facts(inline) }
        guard let text = folder.text(CaseFolder.facts) else { return nil }
        guard let value = try? JSON(parsing: text) else {
            throw field.failure("are in \(CaseFolder.facts), which is no JSON")
        }
        return try FactReader.facts(JSONField(value, path: CaseFolder.facts))
    }

    private func id(_ field: JSONField) throws(JSONFieldError) -> PromptCase.ID? {
        guard let text = try field.optional?.string() else { return nil }
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }) else {
            throw field.failure("must be another case as PROMPT/CASE")
        }
        return PromptCase.ID(prompt: parts[0], name: parts[1])
    }

    private func word<Word: RawRepresentable & CaseIterable>(
        _ field: JSONField, _: Word.Type
    ) throws(JSONFieldError) -> Word? where Word.RawValue == String {
        guard let text = try field.optional?.string() else { return nil }
        guard let word = Word(rawValue: text) else {
            throw field.failure("must be one of \(Word.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        return word
    }
}

/// Facts as cases write them: `{label: Revenue FY2025, value: 416161000000, unit: USD}`.
enum FactReader {
    private static let units: [(name: String, unit: Fact.Unit)] = [
        ("ratio", .ratio), ("percent", .percent), ("shares", .shares), ("times", .times), ("years", .years),
        ("number", .number),
    ]

    static func facts(_ field: JSONField) throws(JSONFieldError) -> [Fact] {
        var facts: [Fact] = []
        for entry in try field.array() { facts.append(try fact(entry)) }
        return facts
    }

    private static func fact(_ field: JSONField) throws(JSONFieldError) -> Fact {
        for key in try field.object().keys where !["label", "value", "unit"].contains(key) {
            throw field[key].failure("is not known; a fact has 'label', 'value' and 'unit'")
        }
        let name = try field["unit"].string()
        guard let unit = unit(named: name) else {
            throw field["unit"].failure(
                "must be \(units.map(\.name).joined(separator: ", ")) or a currency such as USD")
        }
        return Fact(try field["value"].double(), unit, label: try field["label"].string())
    }

    private static func unit(named name: String) -> Fact.Unit? {
        if let known = units.first(where: { $0.name == name }) { return known.unit }
        let isCurrency = name.utf8.count == 3 && name.utf8.allSatisfy { (0x41...0x5A).contains($0) }
        return isCurrency ? .currency(name) : nil
    }

    static func json(_ fact: Fact) -> JSON {
        let unit =
            if case .currency(let code) = fact.unit { code } else {
                units.first { $0.unit == fact.unit }?.name ?? "number"
            }
        return ["label": JSON(fact.label), "value": JSON(fact.value), "unit": JSON(unit)]
    }
}
