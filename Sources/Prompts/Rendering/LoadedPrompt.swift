internal import Basics
internal import Dotprompt
package import JSON
internal import JSONSchema

/// A prompt of a bundle, checked and ready to be rendered.
package struct LoadedPrompt: Sendable {
    /// The name of the file (`research`); a variant is `research.short`.
    package let name: String
    /// The tier of models that the prompt asks for; `nil` leaves it to the kind of job.
    package let tier: String?
    /// The share of answers that a model must be shown to bring to acceptance before the prompt is routed to it.
    package let floor: Double
    package let config: PromptConfig
    /// JSON Schema of the values; `nil` when the prompt takes any.
    package let inputSchema: JSON?
    /// Values of members that the input leaves out.
    let defaults: JSONObject
    /// The required form of the answer; `nil` for plain text.
    package internal(set) var output: PromptOutput?
    /// The rules for an answer beyond its schema.
    package internal(set) var checks: [Check]
    /// The marks up to which a provider keeps what it has read, by name.
    package internal(set) var cacheMarks: [String: CacheMarkRule] = [:]
    let template: Prompt

    package static let standardFloor = 0.95

    /// The tier of models for a job of this kind: the prompt's own, else the kind's.
    package func tier(in kind: JobKind?) -> String { tier ?? kind?.tier ?? "deep" }

    /// Renders the prompt with values.
    ///
    /// - Throws: `RenderingError`, naming the fields that are not as the prompt's input schema declares them.
    package func render(input: JSON) throws(RenderingError) -> RenderedModelPrompt {
        guard let members = input.object else {
            throw .input(prompt: name, problems: ["the input must be an object, not \(input.kind.rawValue)"])
        }
        var values = defaults
        for (key, value) in members { values[key] = value }
        if let inputSchema {
            let problems = SchemaProblems.of(.object(values), schema: inputSchema)
            guard problems.isEmpty else { throw .input(prompt: name, problems: problems.map(\.message)) }
        }
        return try fill(values)
    }

    /// The values of an input that the prompt declares: an agent has more to give than the prompts of jobs that were
    /// submitted to an older program take, and than prompts that were edited before an upgrade do.
    package func taken(from input: JSON) -> JSON {
        guard let inputSchema, !Self.isDeclared(input, inputSchema) else { return input }
        return Self.declared(input, inputSchema)
    }

    /// Whether the prompt declares an input of this name.
    package func takes(_ name: String) -> Bool { inputSchema?["properties"]?[name] != nil }

    /// Whether a value has nothing that its schema does not declare: a report's input has thousands of members, and is
    /// seldom made anew.
    private static func isDeclared(_ value: JSON, _ schema: JSON) -> Bool {
        switch value {
        case .object(let members):
            guard let known = schema["properties"], schema["additionalProperties"]?.bool == false else { return true }
            return members.allSatisfy { key, value in known[key].map { isDeclared(value, $0) } ?? false }
        case .array(let elements):
            guard let items = schema["items"] else { return true }
            return elements.allSatisfy { isDeclared($0, items) }
        default: return true
        }
    }

    private static func declared(_ value: JSON, _ schema: JSON) -> JSON {
        switch value {
        case .object(let members):
            guard let known = schema["properties"], schema["additionalProperties"]?.bool == false else { return value }
            var kept = JSONObject()
            for (key, value) in members {
                if let schema = known[key] { kept[key] = declared(value, schema) }
            }
            return .object(kept)
        case .array(let elements):
            return schema["items"].map { items in .array(elements.map { declared($0, items) }) } ?? value
        default: return value
        }
    }

    /// Renders without looking at the input schema.
    func fill(_ values: JSONObject) throws(RenderingError) -> RenderedModelPrompt {
        let rendered: RenderedPrompt
        do {
            rendered = try template.render(input: values)
        } catch {
            throw .template(prompt: name, reason: error.description)
        }
        var system: [String] = []
        var messages: [RenderedModelPrompt.Message] = []
        for message in rendered.messages {
            let parts = try MarkedText(message.content, of: name).parts
            guard !parts.isEmpty else { continue }
            switch message.role {
            case .system: system.append(try instructions(parts))
            case .user: messages.append(.init(role: .user, parts: parts))
            case .model: messages.append(.init(role: .model, parts: parts))
            default: throw .unknownRole(prompt: name, role: message.role.rawValue)
            }
        }
        guard messages.contains(where: { $0.role == .user }) else { throw .empty(prompt: name) }
        let filled = RenderedModelPrompt(
            name: name, system: system.isEmpty ? nil : system.joined(separator: "\n\n"), messages: messages,
            output: output, config: config, tier: tier)
        guard filled.estimatedTokens <= config.maxInputTokens else {
            throw .tooLong(prompt: name, tokens: filled.estimatedTokens, limit: config.maxInputTokens)
        }
        return filled
    }

    /// The text of a system message. What it says is the beginning of every request, and needs no mark of its own.
    private func instructions(_ parts: [RenderedModelPrompt.Message.Part]) throws(RenderingError) -> String {
        guard parts.count == 1, case .text(let text) = parts[0] else {
            throw .template(prompt: name, reason: "a cache_mark stands before '{{role \"user\"}}'")
        }
        return text
    }

    /// Checks an answer: that it is JSON of the declared schema, then every check.
    ///
    /// - Parameters:
    ///   - answer: The text of the model.
    ///   - input: The values that the prompt was rendered with.
    ///   - facts: The figures that the answer may state.
    ///   - quotable: Texts whose figures it may repeat although they are no facts.
    /// - Returns: The answer as JSON, `nil` when it is none or the prompt asks for text; and the checks that it fails.
    package func verify(
        _ answer: String, input: JSON, facts: [Fact] = [], quotable: [String] = []
    ) -> (json: JSON?, failures: [CheckFailure]) {
        let context = CheckContext(output: answer, input: input, facts: facts, quotable: quotable)
        guard let output else { return (nil, checks.failures(in: context)) }
        let shape = Check(.isJSON(schema: output.schema)).failures(in: context)
        // The checks would only repeat the problems of the shape.
        return (context.json, shape.isEmpty ? checks.failures(in: context) : shape)
    }
}

/// Why a prompt could not be rendered.
package enum RenderingError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The values do not fit the prompt's input schema; each problem names its field.
    case input(prompt: String, problems: [String])
    /// The template could not be filled in.
    case template(prompt: String, reason: String)
    /// The template has a role that no model knows.
    case unknownRole(prompt: String, role: String)
    /// The prompt came out without anything to answer.
    case empty(prompt: String)
    /// The prompt would cost more than its `config.maxInputTokens` permits.
    case tooLong(prompt: String, tokens: Int, limit: Int)

    package var description: String {
        switch self {
        case .input(let prompt, let problems):
            "the input of the prompt '\(prompt)' is not as declared: \(problems.joined(separator: "; "))"
        case .template(let prompt, let reason): "the prompt '\(prompt)' could not be rendered: \(reason)"
        case .unknownRole(let prompt, let role):
            "the prompt '\(prompt)' could not be rendered: there is no role '\(role)'"
        case .empty(let prompt): "the prompt '\(prompt)' came out empty"
        case .tooLong(let prompt, let tokens, let limit):
            "the prompt '\(prompt)' came out with about \(tokens) tokens; its maxInputTokens is \(limit)"
        }
    }

    var unknownRole: String? { if case .unknownRole(_, let role) = self { role } else { nil } }
}
