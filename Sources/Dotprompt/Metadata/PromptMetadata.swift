public import JSON
internal import YAML

/// The front matter of a prompt: the model to ask, its settings, and the shapes of input and output.
///
/// Schemas are JSON Schemas; Picoschema has been expanded.
public struct PromptMetadata: Sendable, Hashable {
    /// The keys of the format.
    ///
    /// A key with a dot belongs to an extension; others are only in `raw`.
    public static let reservedKeys = [
        "config", "description", "ext", "input", "model", "name", "output", "raw", "toolDefs", "tools", "variant",
        "version",
    ]

    /// Everything but `raw`, as one object.
    public internal(set) var fields: JSONObject
    /// The front matter as it was written; empty when there is none.
    public internal(set) var raw: JSONObject

    /// The keys of the front matter that are neither reserved nor those of an extension.
    public var unknownKeys: [String] {
        raw.keys.filter { !Self.reservedKeys.contains($0) && !$0.contains(".") }
    }

    /// The name of the prompt.
    public var name: String? { fields["name"]?.string }
    /// The variant of the prompt.
    public var variant: String? { fields["variant"]?.string }
    /// The version of the prompt.
    public var version: String? { fields["version"]?.string }
    /// The purpose of the prompt, for readers.
    public var description: String? { fields["description"]?.string }
    /// The model to ask.
    public var model: String? { fields["model"]?.string }
    /// Settings of the model, such as `temperature`.
    public var config: JSONObject { fields["config"]?.object ?? [:] }
    /// The JSON Schema of the input.
    public var inputSchema: JSON? { fields["input"]?["schema"] }
    /// The values of variables that a caller leaves out.
    public var inputDefaults: JSONObject { fields["input"]?["default"]?.object ?? [:] }
    /// `json`, `text` or another word for the caller.
    public var outputFormat: String? { fields["output"]?["format"]?.string }
    /// The JSON Schema of the output.
    public var outputSchema: JSON? { fields["output"]?["schema"] }
    /// Tools by name that are not among `toolDefinitions`.
    public var tools: [String] { fields["tools"]?.array?.compactMap(\.string) ?? [] }
    /// Definitions of tools, with those that were named.
    public var toolDefinitions: [JSON] { fields["toolDefs"]?.array ?? [] }
    /// The fields of extensions: `acme.limit: 3` is `ext["acme"]["limit"]`.
    public var ext: JSONObject { fields["ext"]?.object ?? [:] }
}

/// A prompt file cut into its front matter and its body.
///
/// Two lines of `---` enclose the front matter; only blank lines and lines that start with `#`, such as a license, may
/// come before it.
struct FrontMatter {
    /// The YAML between the dashes; `nil` when the file has none.
    let yaml: String?
    /// The line of the file in which the YAML starts.
    let yamlLine: Int
    /// The template, without whitespace at its ends when there is front matter.
    let body: String
    /// The line of the file in which the body starts.
    let bodyLine: Int

    init(_ source: String) {
        var source = source
        if source.unicodeScalars.first == "\u{FEFF}" { source.unicodeScalars.removeFirst() }
        let lines = source.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
        guard let open = Self.opening(of: lines),
            let close = lines.indices.dropFirst(open + 1).first(where: { Self.isFence(lines[$0]) })
        else {
            yaml = nil
            yamlLine = 1
            body = source
            bodyLine = 1
            return
        }
        yaml = Self.joined(lines[(open + 1)..<close])
        yamlLine = open + 2
        let rest = Self.joined(lines[(close + 1)...])
        let trimmed = JavaScriptWhitespace.trimmingStart(rest)
        let skipped = rest.unicodeScalars.prefix(rest.unicodeScalars.count - trimmed.unicodeScalars.count)
        bodyLine = close + 2 + skipped.count { $0 == "\n" }
        body = JavaScriptWhitespace.trimmingEnd(trimmed)
    }

    private static func opening(of lines: [Substring.UnicodeScalarView]) -> Int? {
        let first = lines.firstIndex { line in
            line.first != "#" && !line.allSatisfy { $0 == " " || $0 == "\t" || $0 == "\r" }
        }
        return first.flatMap { isFence(lines[$0]) ? $0 : nil }
    }

    private static func isFence(_ line: Substring.UnicodeScalarView) -> Bool {
        line.starts(with: "---".unicodeScalars) && line.dropFirst(3).allSatisfy(JavaScriptWhitespace.contains)
    }

    private static func joined(_ lines: ArraySlice<Substring.UnicodeScalarView>) -> String {
        lines.map { String($0) }.joined(separator: "\n")
    }
}

extension FrontMatter {
    /// The metadata as written, with keys of extensions gathered under `ext`.
    ///
    /// - Throws: `PromptError` of stage `frontMatter`.
    func parse() throws(PromptError) -> (metadata: PromptMetadata, document: YAMLDocument?) {
        var fields: JSONObject = ["ext": .object([:]), "config": .object([:])]
        guard let yaml, !JavaScriptWhitespace.isBlank(yaml) else {
            return (PromptMetadata(fields: fields, raw: [:]), nil)
        }
        let (document, raw) = try read(yaml)
        var ext = raw["ext"]?.object ?? [:]
        for (key, value) in raw where value != .null {
            if PromptMetadata.reservedKeys.contains(key) {
                try check(key, value, document)
                fields[key] = value
            } else if let dot = key.lastIndex(of: ".") {
                let namespace = String(key[..<dot])
                var members = ext[namespace]?.object ?? [:]
                members[String(key[key.index(after: dot)...])] = value
                ext[namespace] = .object(members)
            }
        }
        fields["ext"] = .object(ext)
        fields["raw"] = nil
        return (PromptMetadata(fields: fields, raw: raw), document)
    }

    private func read(_ yaml: String) throws(PromptError) -> (YAMLDocument, JSONObject) {
        let document: YAMLDocument
        do {
            document = try YAMLDocument(parsing: yaml)
        } catch {
            throw PromptError(.frontMatter, error.message, line: error.line + yamlLine - 1)
        }
        let value = document.value
        guard value.isNull || value.object != nil else {
            throw PromptError(.frontMatter, "the front matter must be a mapping of keys to values", line: yamlLine)
        }
        return (document, value.object ?? [:])
    }

    private func check(_ key: String, _ value: JSON, _ document: YAMLDocument) throws(PromptError) {
        let expected: JSON.Kind
        switch key {
        case "config", "ext", "input", "output": expected = .object
        case "tools", "toolDefs": expected = .array
        case "model", "name", "variant", "description": expected = .string
        default: return
        }
        guard value.kind == expected else {
            let line = document.line(nearest: [key]) + yamlLine - 1
            throw PromptError(
                .frontMatter, "'\(key)' must be \(expected == .string ? "a" : "an") \(expected)", line: line)
        }
    }
}

/// Resolves front matter: overrides, settings of the model, tools by name, schemas in short notation.
struct MetadataResolver {
    let environment: PromptEnvironment

    /// Fields of `overrides` replace those of the prompt; `config` is merged key by key.
    ///
    /// Throws a `PromptError` of stage `schema`.
    func resolve(_ metadata: PromptMetadata, overrides: JSONObject) throws(PromptError) -> PromptMetadata {
        var fields = metadata.fields
        if fields["model"] == nil, let model = environment.defaultModel { fields["model"] = .string(model) }
        for (key, value) in overrides where key != "config" && value != .null { fields[key] = value }
        var config = fields["model"]?.string.flatMap { environment.modelConfigs[$0] } ?? [:]
        for settings in [metadata.config, overrides["config"]?.object ?? [:]] {
            for (key, value) in settings { config[key] = value }
        }
        fields["config"] = .object(config)
        resolveTools(in: &fields)
        try expandSchema(in: "input", of: &fields)
        try expandSchema(in: "output", of: &fields)
        return PromptMetadata(fields: fields, raw: metadata.raw)
    }

    private func resolveTools(in fields: inout JSONObject) {
        guard let tools = fields["tools"]?.array else { return }
        var unknown: [JSON] = []
        var definitions = fields["toolDefs"]?.array ?? []
        for tool in tools {
            if let name = tool.string, let definition = environment.tools[name] {
                definitions.append(definition)
            } else {
                unknown.append(tool)
            }
        }
        fields["tools"] = .array(unknown)
        fields["toolDefs"] = .array(definitions)
    }

    private func expandSchema(in part: String, of fields: inout JSONObject) throws(PromptError) {
        guard let schema = fields[part]?["schema"], schema != .null else { return }
        do {
            let expanded = try Picoschema.jsonSchema(from: schema, schemas: environment.schemas)
            fields[part]?["schema"] = expanded
        } catch {
            throw PromptError(.schema, "\(part) schema: \(error.description)")
        }
    }
}
