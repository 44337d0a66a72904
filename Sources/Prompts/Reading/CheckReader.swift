internal import Basics
internal import JSON

/// Reads the checks that a prompt declares.
struct CheckReader {
    private static let names =
        [
            "is-json", "json-schema", "contains", "contains-any", "contains-all", "icontains", "icontains-any",
            "icontains-all",
            "not-contains", "not-contains-any", "not-contains-all", "not-icontains", "not-icontains-any",
            "not-icontains-all",
            "starts-with", "regex", "not-regex", "word-count", "sentence-count", "paragraph-count", "item-count",
            "average-sentence-words", "reading-level", "reading-time", "jargon", "figures-in-facts", "sources-in-input",
            "quote-in-source", "quotations-in-source", "no-advice", "no-alarm", "no-near-duplicates", "recall-question",
            "holdings-named", "holders-addressed", "calm-language", "language", "verdict-in-input", "similar",
            "not-similar", "levenshtein",
            "not-levenshtein", "rouge-n", "not-rouge-n", "llm-rubric", "cost", "latency",
        ] + GroundingRule.allCases.map(\.rawValue)

    /// Checks of a part of the output, never of all of it, each with an example of a path.
    private static let pathNeeded = [
        "sources-in-input": "sources[]", "quote-in-source": "questions[].quote",
        "no-near-duplicates": "questions[].question", "recall-question": "questions[]",
        "holders-addressed": "for_holders[]",
    ]

    let node: Node
    /// The schemas that paths lead through; `nil` when nothing is known of them.
    let input: JSON?
    let output: JSON?

    func read() -> [Check]? {
        guard let elements = node.elements() else { return nil }
        let checks = elements.compactMap(check)
        return checks.count == elements.count ? checks : nil
    }

    private func check(_ node: Node) -> Check? {
        guard node.value.object != nil else {
            node.report("a check is written as 'type: …' with its values", fix: "write '- type: word-count'")
            return nil
        }
        guard let name = node.required("type", such: "word-count")?.word(of: Self.names, called: "check") else {
            return nil
        }
        let keys =
            switch name {
            case "figures-in-facts": ["type", "path", "exempt", "sources"]
            case _ where GroundingRule(rawValue: name) != nil: ["type", "path", "exempt", "sources"]
            case "quotations-in-source", "no-advice", "no-alarm": ["type", "path", "sources"]
            case "cost", "latency": ["type", "threshold"]
            case "llm-rubric": ["type", "path", "value", "threshold"]
            case "rouge-n", "not-rouge-n": ["type", "path", "value", "input", "threshold", "n"]
            case "similar", "not-similar", "levenshtein", "not-levenshtein":
                ["type", "path", "value", "input", "threshold"]
            case "holdings-named": ["type", "path", "value", "exempt"]
            case "calm-language", "language": ["type", "path", "value", "sources"]
            case "jargon": ["type", "path"]
            default: ["type", "path", "value"]
            }
        guard node.members(allowed: keys + ["name", "languages"]) != nil, let rule = rule(name, node) else {
            return nil
        }
        var label: String?
        if let written = node.optional("name") {
            guard let text = written.identifier() else { return nil }
            label = text
        }
        var languages: Set<Language>?
        if let list = node.optional("languages") {
            guard let found = list.elements()?.compactMap({ Self.language($0) }), !found.isEmpty else { return nil }
            languages = Set(found)
        }
        guard let place = node.optional("path") else {
            if let path = Self.pathNeeded[name] { node.report("'path' is missing", fix: "write 'path: \(path)'") }
            return Check(rule, label: label, languages: languages)
        }
        return PathReader(schema: output).read(place).map {
            Check(rule, path: $0, label: label, languages: languages)
        }
    }

    private func rule(_ name: String, _ node: Node) -> Check.Rule? {
        switch name {
        case "is-json":
            guard let schema = node.optional("value") else { return .isJSON(schema: nil) }
            return SchemaReader.check(schema) ? .isJSON(schema: schema.value) : nil
        case "json-schema":
            guard let schema = node.required("value", such: "{type: object}") else { return nil }
            return SchemaReader.check(schema) ? .jsonSchema(schema.value) : nil
        case "starts-with": return node.required("value", such: "Dear")?.text().map(Check.Rule.startsWith)
        case "regex", "not-regex": return regex(node).map { .regex($0, isNegated: name == "not-regex") }
        case "word-count": return bounds(node).map(Check.Rule.wordCount)
        case "sentence-count": return bounds(node).map(Check.Rule.sentenceCount)
        case "paragraph-count": return bounds(node).map(Check.Rule.paragraphCount)
        case "item-count": return bounds(node).map(Check.Rule.itemCount)
        case "average-sentence-words": return bounds(node).map(Check.Rule.averageSentenceWords)
        case "reading-level": return bounds(node).map(Check.Rule.readingLevel)
        case "reading-time": return bounds(node).map(Check.Rule.readingTime)
        case "jargon": return .jargon
        case "figures-in-facts":
            guard let exempt = paths("exempt", in: output, node), let sources = paths("sources", in: input, node) else {
                return nil
            }
            return .figuresInFacts(exempt: exempt, sources: sources)
        case "sources-in-input":
            return node.required("value", such: "articles[].url").flatMap(PathReader(schema: input).read).map(
                Check.Rule.sourcesInInput)
        case "quote-in-source":
            return node.required("value", such: "text").flatMap(PathReader(schema: input).read).map(
                Check.Rule.quoteInSource)
        case "quotations-in-source": return paths("sources", in: input, node).map(Check.Rule.quotationsInSource)
        case "no-advice": return paths("sources", in: input, node).map { .noAdvice(sources: $0) }
        case "no-alarm": return paths("sources", in: input, node).map { .noAlarm(sources: $0) }
        case "no-near-duplicates":
            return node.required("value", such: "0.8")?.number(within: 0...1).map(Check.Rule.noNearDuplicates)
        case "verdict-in-input":
            return node.required("value", such: "scorecard.verdict").flatMap(PathReader(schema: input).read).map(
                Check.Rule.verdictInInput)
        case "recall-question": return .recallQuestion
        case "holdings-named":
            guard let exempt = paths("exempt", in: output, node) else { return nil }
            return node.required("value", such: "holdings").flatMap(PathReader(schema: input).read).map {
                .holdingsNamed($0, exempt: exempt)
            }
        case "holders-addressed":
            return node.required("value", such: "holders[]").flatMap(PathReader(schema: input).read).map(
                Check.Rule.holdersAddressed)
        case "calm-language":
            guard let elements = node.required("value", such: "[advice, drama]")?.elements() else { return nil }
            let names = Set(CalmRule.allCases.map(\.rawValue))
            let rules = elements.compactMap { $0.word(of: names, called: "rule").flatMap { CalmRule(rawValue: $0) } }
            guard let sources = paths("sources", in: input, node) else { return nil }
            return rules.count == elements.count && !rules.isEmpty ? .calmLanguage(rules, sources: sources) : nil
        case "language":
            guard let sources = paths("sources", in: input, node) else { return nil }
            guard let otherwise = node.optional("value") else { return .language(otherwise: nil, sources: sources) }
            return Self.language(otherwise).map { .language(otherwise: $0, sources: sources) }
        case "cost":
            // promptfoo counts in dollars.
            return node.required("threshold", such: "0.05")?.number(within: 0.000001...10_000)
                .map { .cost(Int64(($0 * 1_000_000).rounded())) }
        case "latency":
            return node.required("threshold", such: "30000")?.integer(in: 1...86_400_000).map(Check.Rule.latency)
        case "llm-rubric": return rubric(node).map(Check.Rule.rubric)
        case "similar", "not-similar", "levenshtein", "not-levenshtein", "rouge-n", "not-rouge-n":
            return similarity(name, node).map(Check.Rule.similarity)
        default:
            guard let grounding = GroundingRule(rawValue: name) else {
                return containment(name, node).map(Check.Rule.contains)
            }
            guard let exempt = paths("exempt", in: output, node), let sources = paths("sources", in: input, node) else {
                return nil
            }
            return .grounding(grounding, sources: sources, exempt: exempt)
        }
    }

    private static func language(_ node: Node) -> Language? {
        node.word(of: Set(Language.allCases.map(\.rawValue)), called: "language").flatMap { Language(rawValue: $0) }
    }

    private func rubric(_ node: Node) -> Check.Rubric? {
        guard let text = node.required("value", such: "Explains every term that it uses")?.text() else { return nil }
        guard let threshold = node.optional("threshold") else { return Check.Rubric(text) }
        return threshold.number(within: 0...1).map { Check.Rubric(text, threshold: $0) }
    }

    private func similarity(_ name: String, _ node: Node) -> Similarity? {
        let measure: Similarity.Measure
        switch name.hasPrefix("not-") ? String(name.dropFirst(4)) : name {
        case "similar": measure = .cosine
        case "levenshtein": measure = .editDistance
        default:
            guard let n = node.optional("n") else {
                measure = .overlap(n: 1)
                break
            }
            guard let length = n.integer(in: 1...10) else { return nil }
            measure = .overlap(n: length)
        }
        guard let reference = reference(node) else { return nil }
        var threshold: Double?
        if let written = node.optional("threshold") {
            threshold =
                measure == .editDistance
                ? written.integer(in: 0...10_000).map(Double.init) : written.number(within: 0...1)
            if threshold == nil { return nil }
        }
        return Similarity(measure, to: reference, threshold: threshold, isNegated: name.hasPrefix("not-"))
    }

    /// The text itself, or its path in the input.
    private func reference(_ node: Node) -> Similarity.Reference? {
        switch (node.optional("value"), node.optional("input")) {
        case (let value?, nil): return value.text().map(Similarity.Reference.text)
        case (nil, let path?): return PathReader(schema: input).read(path).map(Similarity.Reference.input)
        case (nil, nil):
            node.report(
                "a text to compare with is missing",
                fix: "write 'value: text', or 'input: draft' for a value of the input")
        case (_?, let path?): path.report("'value' and 'input' stand beside each other", fix: "remove one of the two")
        }
        return nil
    }

    private func containment(_ name: String, _ node: Node) -> Check.Containment? {
        let mode: Check.Containment.Mode = name.hasSuffix("-any") ? .any : name.hasSuffix("-all") ? .all : .one
        guard let value = node.required("value", such: mode == .one ? "text" : "[text, other text]") else { return nil }
        let texts: [String]
        if mode == .one {
            guard let text = value.text() else { return nil }
            texts = [text]
        } else {
            guard let elements = value.elements() else { return nil }
            texts = elements.compactMap { $0.text() }
            guard texts.count == elements.count else { return nil }
            if texts.isEmpty { value.report("the list is empty", fix: "add a text or remove the check") }
        }
        return Check.Containment(
            texts, mode: mode, ignoresCase: name.contains("icontains"), isNegated: name.hasPrefix("not-"))
    }

    private func regex(_ node: Node) -> CompiledPattern? {
        guard let value = node.required("value", such: "'[A-Z]+'"), let text = value.text() else { return nil }
        guard let pattern = CompiledPattern(text) else {
            value.report("'\(text)' is no regular expression", fix: "check its brackets and escapes")
            return nil
        }
        return pattern
    }

    /// A number, or `{min: 3, max: 5}`.
    private func bounds(_ node: Node) -> Check.Bounds? {
        guard let value = node.required("value", such: "{min: 3, max: 5}") else { return nil }
        if let exact = value.value.double { return Check.Bounds(min: exact, max: exact) }
        guard value.members(allowed: ["min", "max"]) != nil else { return nil }
        let min = value.optional("min").flatMap { $0.number(within: 0...1e9) }
        let max = value.optional("max").flatMap { $0.number(within: 0...1e9) }
        guard min != nil || max != nil else {
            value.report("'min' or 'max' is needed", fix: "write '{min: 3, max: 5}'")
            return nil
        }
        if let min, let max, min > max {
            value.report("'min' is above 'max'", fix: "swap them")
            return nil
        }
        return Check.Bounds(min: min, max: max)
    }

    private func paths(_ key: String, in schema: JSON?, _ node: Node) -> [OutputPath]? {
        guard let list = node.optional(key) else { return [] }
        return PathReader(schema: schema).list(list)
    }
}

/// Reads paths into a value whose schema is known, so that a path to nowhere is found when it is written.
struct PathReader {
    /// `nil` when nothing is known of the value.
    let schema: JSON?

    /// The paths in a list; `nil` after a problem was added.
    func list(_ node: Node) -> [OutputPath]? {
        guard let elements = node.elements() else { return nil }
        let paths = elements.compactMap(read)
        return paths.count == elements.count ? paths : nil
    }

    func read(_ node: Node) -> OutputPath? {
        guard let text = node.text() else { return nil }
        guard let path = OutputPath(text) else {
            node.report("'\(text)' is no path", fix: "write it like 'summary' or 'risks[].detail'")
            return nil
        }
        if let schema, !leads(path, through: schema, node) { return nil }
        return path
    }

    private func leads(_ path: OutputPath, through schema: JSON, _ node: Node) -> Bool {
        var schema = schema
        for step in path.steps {
            switch step {
            case .member(let name):
                // A schema that says nothing of its members, or that allows others, lets any path pass.
                guard let members = schema["properties"]?.object else {
                    return schema["type"]?.string == nil || isOpen(schema)
                }
                guard let member = members[name] else {
                    if isOpen(schema) { return true }
                    node.report("the schema has no '\(name)'", fix: Suggestion.fix(for: name, among: members.keys))
                    return false
                }
                schema = member
            case .element, .everyElement:
                guard let elements = schema["items"] else {
                    guard schema["properties"] != nil else { return true }
                    node.report("'\(path)' looks for a list where the schema has an object", fix: "remove the brackets")
                    return false
                }
                schema = elements
            }
        }
        return true
    }

    private func isOpen(_ schema: JSON) -> Bool { schema["additionalProperties"] != false }
}
