public import JSON
internal import YAML

/// A prompt that has been read: its metadata, and its template ready to render as often as wanted.
public struct Prompt: Sendable {
    /// With Picoschema expanded and tools resolved.
    public let metadata: PromptMetadata
    /// The text of the template.
    public let source: String
    /// The line of the file in which the template starts.
    public let templateLine: Int
    public let environment: PromptEnvironment

    private let template: Template
    private let written: PromptMetadata
    private let document: YAMLDocument?
    private let documentLine: Int

    init(parsing source: String, environment: PromptEnvironment) throws(PromptError) {
        let parts = FrontMatter(source)
        (written, document) = try parts.parse()
        documentLine = parts.yamlLine
        do {
            metadata = try MetadataResolver(environment: environment).resolve(written, overrides: [:])
        } catch {
            let part = error.message.hasPrefix("input") ? "input" : "output"
            let line = document.map { $0.line(nearest: [part, "schema"]) + parts.yamlLine - 1 }
            throw PromptError(.schema, error.message, line: line)
        }
        template = try Template(
            parsing: parts.body, helpers: Set(environment.helpers.keys), firstLine: parts.bodyLine)
        self.source = parts.body
        templateLine = parts.bodyLine
        self.environment = environment
    }

    /// The partials that the template calls by a fixed name.
    public var partialReferences: [PartialReference] { template.partialReferences }

    /// The variables, here and in the partials that are called, that a JSON Schema of the input does not have.
    public func unknownVariables(in schema: JSON) -> [UnknownVariable] {
        var finder = VariableFinder(partials: environment.partials, schema: schema)
        finder.search(template)
        return finder.found
    }

    /// The line of the file for a place in the front matter, such as `["output", "schema"]`.
    ///
    /// - Returns: The line of the closest thing around it when it is not there; `nil` without front matter.
    public func line(nearest path: [String]) -> Int? {
        document.map { $0.line(nearest: path) + documentLine - 1 }
    }

    /// The metadata with some fields replaced; `config` is merged key by key.
    ///
    /// - Throws: `PromptError` of stage `schema`.
    public func metadata(overrides: JSONObject) throws(PromptError) -> PromptMetadata {
        guard !overrides.isEmpty else { return metadata }
        return try MetadataResolver(environment: environment).resolve(written, overrides: overrides)
    }

    /// Renders the prompt. The same arguments always give the same result.
    ///
    /// - Parameters:
    ///   - input: The values of the template's variables; `input.default` stands in for what is left out.
    ///   - context: The variables that start with `@`, such as `@state` and `@auth`.
    ///   - messages: The conversation so far.
    ///   - docs: Documents, as `@metadata.docs`.
    ///   - overrides: Metadata fields that replace those of the prompt.
    /// - Returns: The messages, and the metadata with the overrides in place.
    /// - Throws: `PromptError` of stage `rendering`, or `schema` when an override holds a schema that cannot be read.
    public func render(
        input: JSONObject = [:], context: JSONObject = [:], messages: [PromptMessage] = [], docs: JSON? = nil,
        overrides: JSONObject = [:]
    ) throws(PromptError) -> RenderedPrompt {
        let metadata = try metadata(overrides: overrides)
        var values = written.inputDefaults
        for members in [overrides["input"]?["default"]?.object ?? [:], input] {
            for (key, value) in members { values[key] = value }
        }
        var asked = metadata.fields
        asked["input"] = nil
        var about: JSONObject = ["prompt": .object(asked)]
        if let docs { about["docs"] = docs }
        about["messages"] = .array(messages.map(\.json))
        var data: [String: JSON] = ["metadata": .object(about)]
        for (key, value) in context { data[key] = value }
        var renderer = Renderer(
            partials: environment.partials, helpers: environment.helpers, limits: environment.limits)
        let segments = try renderer.render(template, value: .object(values), data: data)
        return RenderedPrompt(
            metadata: metadata, messages: MessageAssembler.messages(from: segments, history: messages))
    }
}
