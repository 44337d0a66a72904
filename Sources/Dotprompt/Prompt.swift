public import JSON
internal import YAML

/// Google's format for prompts as files: YAML front matter, then a Handlebars template.
///
///     let prompt = try Dotprompt.parse("""
///         ---
///         model: claude
///         input: {schema: {ticker: string}}
///         ---
///         {{role "system"}}You read annual reports.
///         {{role "user"}}What should I know about {{ticker}}?
///         """)
///     let rendered = try prompt.render(input: ["ticker": "AAPL"])
public enum Dotprompt {
    /// Reads a prompt.
    ///
    /// - Throws: `PromptError` with the line of the file.
    public static func parse(
        _ source: String, environment: PromptEnvironment = PromptEnvironment()
    ) throws(PromptError) -> Prompt {
        try Prompt(parsing: source, environment: environment)
    }

    /// The template of a partial without front matter, and the line of the file in which it starts.
    public static func body(of source: String) -> (text: String, line: Int) {
        let parts = FrontMatter(source)
        return (parts.body, parts.bodyLine)
    }
}

/// A prompt that has been read: its metadata and its template, which can be rendered any number of times.
public struct Prompt: Sendable {
    /// The front matter, with Picoschema expanded and tools resolved.
    public let metadata: PromptMetadata
    /// The text of the template.
    public let source: String
    /// The line of the file in which the template starts.
    public let templateLine: Int
    /// The names that the prompt can refer to.
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
            parsing: parts.body, helpers: environment.helperNames, firstLine: parts.bodyLine)
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
    /// - Returns: The line of the closest part around it when it is not there; `nil` without front matter.
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

    /// Renders the prompt.
    ///
    /// The same arguments always give the same result.
    ///
    /// - Parameters:
    ///   - input: The values of the template's variables; `input.default` has those that are left out.
    ///   - context: The variables that start with `@`, such as `@state` and `@auth`.
    ///   - messages: The previous messages of the conversation.
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
            partials: environment.partials, helpers: environment.helpers, placeHelpers: environment.placeHelpers,
            limits: environment.limits)
        let segments = try renderer.render(template, value: .object(values), data: data)
        return RenderedPrompt(
            metadata: metadata, messages: MessageAssembler.messages(from: segments, history: messages))
    }
}

/// A prompt with its values in place, ready for a model.
public struct RenderedPrompt: Sendable, Hashable {
    /// The metadata, with overrides in place.
    public var metadata: PromptMetadata
    /// The messages for the model, in order.
    public var messages: [PromptMessage]

    /// The model to ask.
    public var model: String? { metadata.model }
    /// Settings of the model.
    public var config: JSONObject { metadata.config }

    /// Metadata and messages in one object.
    public var json: JSON {
        var members = metadata.fields
        members["messages"] = .array(messages.map(\.json))
        return .object(members)
    }
}

/// Why a prompt cannot be read or rendered, and where.
///
/// The message is written for the author of the prompt. It never quotes the values that a prompt is rendered with.
public struct PromptError: Error, Equatable, CustomStringConvertible {
    /// The part of the work that failed.
    public enum Stage: String, Sendable {
        case frontMatter = "front matter"
        case template
        case schema
        case rendering
    }

    /// The part of the work that failed.
    public let stage: Stage
    /// The problem, without any value that the prompt was rendered with.
    public let message: String
    /// The line of the file, or of the partial when `partial` is set, counting from 1.
    public let line: Int?
    /// The partial in which it happened; `nil` for the prompt itself.
    public let partial: String?

    /// An error from its stage, its message and its place.
    public init(_ stage: Stage, _ message: String, line: Int? = nil, partial: String? = nil) {
        self.stage = stage
        self.message = message
        self.line = line
        self.partial = partial
    }

    /// The place and the message.
    public var description: String {
        var place: [String] = []
        if let partial { place.append("partial '\(partial)'") }
        if let line { place.append("line \(line)") }
        return place.isEmpty ? message : place.joined(separator: ", ") + ": " + message
    }
}
