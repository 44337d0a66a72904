internal import JSON
internal import JSONSchema

/// Reads `prompts/*.prompt`.
struct PromptReader {
    private static let keys = [
        "name", "variant", "description", "model", "config", "input", "output", "dossier.checks",
        "dossier.answers_like", "dossier.cache", "dossier.floor",
    ]

    let name: String
    let source: String
    let rules: BundleRules
    let library: PartialLibrary
    let problems: ProblemList

    /// A prompt, and the place that names the one whose output and checks it shares.
    struct Draft {
        var prompt: LoadedPrompt
        var answersLike: Node?
    }

    private var file: String { "prompts/\(name).prompt" }

    func read() -> Draft? {
        let front: PromptFile
        do throws(PromptFile.Absence) {
            front = try PromptFile(source)
        } catch {
            problems.add(.frontMatter(error, in: file))
            return nil
        }
        guard let root = Node(yaml: front.yaml, file: file, lineOffset: front.yamlOffset, problems: problems),
            root.members(allowed: Self.keys) != nil
        else { return nil }
        checkName(root)
        let answersLike = root.optional("dossier.answers_like")
        let tier = root.optional("model")?.word(of: rules.tiers, called: "tier of models")
        let config = config(root.optional("config"))
        let input = input(root.optional("input"))
        let output = output(root, isShared: answersLike != nil)
        let floor = root.optional("dossier.floor").map(floor) ?? LoadedPrompt.standardFloor
        let checks =
            root.optional("dossier.checks").map {
                CheckReader(node: $0, input: input?.schema, output: output?.value?.schema).read()
            } ?? []
        // A schema that cannot be read was reported with its own line above.
        let template = input == nil || output == nil ? nil : library.template(of: source, in: file)
        let cache = CacheMarkReader(root: root)
        let marks = cache.read()
        guard let config, let input, let output, let checks, let template else { return nil }
        var prompt = LoadedPrompt(
            name: name, tier: tier, floor: floor ?? LoadedPrompt.standardFloor, config: config,
            inputSchema: input.schema, defaults: input.defaults,
            output: output.value, checks: checks, template: template)
        prompt.cacheMarks = marks
        library.checkVariables(of: template, named: name, schema: input.schema, in: file)
        if rehearse(prompt) { cache.check(prompt) }
        return Draft(prompt: prompt, answersLike: answersLike)
    }

    /// No number of answers shows that all will pass, so the floor is below one.
    private func floor(_ node: Node) -> Double? {
        guard let floor = node.number() else { return nil }
        guard (0.01...0.999).contains(floor) else {
            node.report("'dossier.floor' is \(floor)", fix: "write a share from 0.01 to 0.999, such as 0.95")
            return nil
        }
        return floor
    }

    /// Whether the prompt can be filled in with a sample.
    private func rehearse(_ prompt: LoadedPrompt) -> Bool {
        let sample = SchemaSample.value(of: prompt.inputSchema)
        guard library.rehearse(prompt.template, with: sample, in: file) else { return false }
        do {
            _ = try prompt.fill(sample.object ?? [:])
            return true
        } catch {
            problems.add(
                BundleProblem(
                    file: file, line: error.unknownRole.flatMap(line(ofRole:)), message: error.description,
                    fix: error.unknownRole == nil
                        ? "put what the model is asked after '{{role \"user\"}}'" : "roles: system, user, model"))
            return false
        }
    }

    private func line(ofRole role: String) -> Int? {
        let lines: [Substring] = source.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        return lines.firstIndex { $0.contains("role") && $0.contains(role) }.map { $0 + 1 }
    }

    /// A name in the front matter has to be that of the file.
    private func checkName(_ root: Node) {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        let expected = ["name": String(parts[0]), "variant": parts.dropFirst().joined(separator: ".")]
        for (key, value) in expected.sorted(by: { $0.key < $1.key }) {
            guard let written = root.optional(key)?.text(), written != value else { continue }
            let fix =
                value.isEmpty
                ? "remove it or rename the file to '\(name).\(written).prompt'" : "write '\(key): \(value)'"
            root.report(at: [key], "the \(key) '\(written)' is not that of the file", fix: fix)
        }
        if parts.count > 2 || parts.contains("") {
            problems.add(
                BundleProblem(
                    file: file, line: nil, message: "'\(name)' is no name of a prompt",
                    fix: "name it 'name.prompt' or 'name.variant.prompt'"))
        }
    }

    private func config(_ node: Node?) -> PromptConfig? {
        guard let node else { return PromptConfig() }
        guard
            node.members(allowed: ["maxOutputTokens", "maxInputTokens", "temperature", "effort", "stopSequences"])
                != nil
        else {
            return nil
        }
        var config = PromptConfig()
        config.maxOutputTokens = node.optional("maxOutputTokens")?.integer(in: 1...200_000)
        if let limit = node.optional("maxInputTokens")?.integer(in: 1...1_000_000) { config.maxInputTokens = limit }
        config.temperature = node.optional("temperature")?.number(within: 0...2)
        let efforts = PromptConfig.Effort.allCases.map(\.rawValue)
        config.effort = node.optional("effort")?.word(of: efforts, called: "effort").flatMap(PromptConfig.Effort.init)
        config.stopSequences = node.optional("stopSequences")?.elements()?.compactMap { $0.text() } ?? []
        return config
    }

    private func input(_ node: Node?) -> (schema: JSON?, defaults: JSONObject)? {
        guard let node else { return (nil, [:]) }
        guard node.members(allowed: ["schema", "default"]) != nil else { return nil }
        let defaults = node.optional("default")
        if let defaults, defaults.value.object == nil {
            defaults.report("'\(defaults.name)' must be a mapping", fix: "write 'name: value' below it")
        }
        guard let schema = node.optional("schema") else { return (nil, defaults?.value.object ?? [:]) }
        guard let read = SchemaReader.read(schema) else { return nil }
        if let defaults { check(defaults, against: read) }
        return (read, defaults?.value.object ?? [:])
    }

    /// A default is a value like any other: of a name that the schema has, and of its type.
    private func check(_ defaults: Node, against schema: JSON) {
        for (name, value) in defaults.value.object ?? [:] {
            guard let members = schema["properties"]?.object else { return }
            if let member = members[name] {
                for problem in SchemaProblems.of(value, schema: member) {
                    defaults.report(
                        at: [name], "the default of '\(name)' \(problem.problem)",
                        fix: "write what 'input.schema' asks for")
                }
            } else if schema["additionalProperties"] == false {
                defaults.report(
                    at: [name], "'input.schema' has no '\(name)'", fix: Suggestion.fix(for: name, among: members.keys))
            }
        }
    }

    private enum Output {
        case text
        /// The output of another prompt.
        case shared
        case json(PromptOutput)

        var value: PromptOutput? {
            if case .json(let output) = self { output } else { nil }
        }
    }

    private func output(_ root: Node, isShared: Bool) -> Output? {
        if isShared {
            for key in ["output", "dossier.checks"] where root.optional(key) != nil {
                root.report(at: [key], "'\(key)' stands beside 'dossier.answers_like'", fix: "remove one of the two")
            }
            return .shared
        }
        guard let node = root.required("output", such: "{format: json, schema: …}"),
            node.members(allowed: ["format", "schema"]) != nil
        else { return nil }
        let format = node.required("format", such: "json")?.word(of: ["json", "text"], called: "format")
        guard let format else { return nil }
        guard format == "json" else {
            if let schema = node.optional("schema") {
                schema.report("text has no schema", fix: "remove it or write 'format: json'")
            }
            return .text
        }
        guard let schema = node.required("schema", such: "…").flatMap(SchemaReader.read) else { return nil }
        let label = String(name.map { $0 == "." || $0 == "-" ? "_" : $0 }) + "_output"
        return .json(PromptOutput(name: label, schema: schema))
    }
}

extension BundleProblem {
    fileprivate static func frontMatter(_ absence: PromptFile.Absence, in file: String) -> BundleProblem {
        switch absence {
        case .none:
            BundleProblem(
                file: file, line: 1, message: "the file has no front matter",
                fix: "start it with '---', the settings in YAML and '---'")
        case .unclosed(let line):
            BundleProblem(
                file: file, line: line, message: "the front matter that begins here has no end",
                fix: "put a line '---' between the settings and the template")
        }
    }
}

/// The front matter of a prompt's file: the YAML between two lines of three hyphens.
struct PromptFile {
    let yaml: String
    /// The lines before the YAML.
    let yamlOffset: Int

    /// Why a file has no front matter that can be read.
    enum Absence: Error {
        case none
        /// The front matter begins in this line and does not end.
        case unclosed(line: Int)
    }

    /// Comments and empty lines may precede the front matter.
    init(_ source: String) throws(Absence) {
        // Some editors begin a file with a byte order mark.
        let source = source.hasPrefix("\u{FEFF}") ? String(source.unicodeScalars.dropFirst()) : source
        let lines: [Substring] = source.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        let isMark: (Substring) -> Bool = { line in
            line.hasPrefix("---") && line.dropFirst(3).allSatisfy(\.isWhitespace)
        }
        guard let start = lines.firstIndex(where: isMark),
            lines[..<start].allSatisfy({ $0.hasPrefix("#") || $0.allSatisfy(\.isWhitespace) })
        else { throw .none }
        guard let end = lines[(start + 1)...].firstIndex(where: isMark) else { throw .unclosed(line: start + 1) }
        yaml = lines[(start + 1)..<end].joined(separator: "\n")
        yamlOffset = start + 1
    }
}
