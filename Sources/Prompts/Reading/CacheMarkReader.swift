internal import JSON

/// Reads `dossier.cache`, and finds what varies before a mark.
///
/// A provider reads a prefix again only when every byte of it is the same.
struct CacheMarkReader {
    private typealias Part = RenderedModelPrompt.Message.Part

    let root: Node

    private var file: String { root.file }

    /// The entries by mark; empty without any.
    func read() -> [String: CacheMarkRule] {
        guard let node = root.optional("dossier.cache") else { return [:] }
        guard let members = node.value.object else {
            node.report("'dossier.cache' must be a mapping", fix: "write 'NAME: {inputs: [one, two]}' below it")
            return [:]
        }
        var rules: [String: CacheMarkRule] = [:]
        for name in members.keys {
            guard let entry = node.optional(name), entry.members(allowed: ["inputs", "reads"]) != nil else { continue }
            rules[name] = CacheMarkRule(
                inputs: entry.optional("inputs")?.elements()?.compactMap { $0.text() } ?? [],
                reads: entry.optional("reads")?.number(within: 0...100) ?? 0)
        }
        return rules
    }

    /// Reports marks without an entry, entries without a mark, and inputs that change the text before a mark.
    func check(_ prompt: LoadedPrompt) {
        let bases = Self.bases(of: prompt.inputSchema)
        var marks: [String] = []
        for base in bases {
            for name in Self.marks(in: prompt, base) where !marks.contains(name) { marks.append(name) }
        }
        for name in marks where prompt.cacheMarks[name] == nil {
            root.report(
                "the mark '\(name)' has no entry in 'dossier.cache'",
                fix: "write 'dossier.cache: {\(name): {inputs: [...]}}', naming the inputs before it")
        }
        for (name, rule) in prompt.cacheMarks.sorted(by: { $0.key < $1.key }) {
            if !marks.contains(name) {
                report(
                    name, "the template has no mark '\(name)'", fix: "write '{{cache_mark \"\(name)\"}}', or remove it")
            }
            let known = prompt.inputSchema?["properties"]?.object?.keys ?? []
            for input in rule.inputs where prompt.inputSchema != nil && !known.contains(input) {
                report(name, "there is no input '\(input)'", fix: Suggestion.fix(for: input, among: known))
            }
        }
        var allowed: Set<String> = []
        for name in marks {
            allowed.formUnion(prompt.cacheMarks[name]?.inputs ?? [])
            guard prompt.cacheMarks[name] != nil else { continue }
            for input in Self.inputs(before: name, in: prompt, bases) where !allowed.contains(input) {
                report(
                    name, "'\(input)' varies before the mark '\(name)'",
                    fix: "move it behind '{{cache_mark \"\(name)\"}}', or add it to 'inputs'")
            }
        }
    }

    private func report(_ mark: String, _ message: String, fix: String) {
        root.report(at: ["dossier.cache", mark], message, fix: fix)
    }

    // MARK: Rendering with other values

    /// Values to start from: all inputs, and the required ones alone.
    private static func bases(of schema: JSON?) -> [JSONObject] {
        let whole = SchemaSample.value(of: schema).object ?? [:]
        let required = Set(schema?["required"]?.array?.compactMap(\.string) ?? [])
        return [whole, JSONObject(whole.filter { required.contains($0.key) }.map { ($0.key, $0.value) })]
    }

    private static func marks(in prompt: LoadedPrompt, _ values: JSONObject) -> [String] {
        parts(of: prompt, values).compactMap { if case .cacheMark(let name) = $0 { name } else { nil } }
    }

    private static func parts(of prompt: LoadedPrompt, _ values: JSONObject) -> [Part] {
        guard let filled = try? prompt.fill(values) else { return [] }
        return [.text(filled.system ?? "")] + filled.messages.flatMap { [.text($0.role.rawValue)] + $0.parts }
    }

    /// The inputs whose values change the text before a mark.
    private static func inputs(before mark: String, in prompt: LoadedPrompt, _ bases: [JSONObject]) -> [String] {
        var found: [String] = []
        for base in bases {
            guard let expected = prefix(before: mark, in: prompt, base) else { continue }
            for (name, value) in bases[0] where !found.contains(name) {
                let changes: [JSON?] = [nil, other(value), empty(value)]
                let varies = changes.contains { change in
                    var values = base
                    values[name] = change
                    return prefix(before: mark, in: prompt, values).map { $0 != expected } ?? false
                }
                if varies { found.append(name) }
            }
        }
        return found
    }

    private static func prefix(before mark: String, in prompt: LoadedPrompt, _ values: JSONObject) -> [Part]? {
        let parts = parts(of: prompt, values)
        return parts.firstIndex(of: .cacheMark(mark)).map { Array(parts[..<$0]) }
    }

    private static func other(_ value: JSON) -> JSON {
        switch value {
        case .object(let members): .object(JSONObject(members.map { ($0.key, other($0.value)) }))
        case .array(let elements): .array(elements.map(other) + elements)
        case .string(let text): .string(text + " otherwise")
        case .bool(let flag): .bool(!flag)
        case .number: 2
        case .null: .null
        }
    }

    private static func empty(_ value: JSON) -> JSON {
        switch value {
        case .object, .null: .null
        case .array: .array([])
        case .string: ""
        case .bool: false
        case .number: 0
        }
    }
}
