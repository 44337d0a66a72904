public import JSON

/// A prompt with its values filled in, ready to be sent to a model.
public struct RenderedModelPrompt: Sendable, Hashable {
    public enum Role: String, Sendable, Hashable {
        case user
        case model
    }

    public struct Message: Sendable, Hashable {
        public var role: Role
        public var text: String

        public init(role: Role, text: String) {
            self.role = role
            self.text = text
        }
    }

    /// The name of the prompt.
    public var name: String
    /// The instructions; `nil` when the prompt has none.
    public var system: String?
    public var messages: [Message]
    /// What the answer has to be; `nil` for plain text.
    public var output: PromptOutput?
    public var config: PromptConfig
    /// The tier of models that the prompt asks for; `nil` leaves it to the kind of job.
    public var tier: String?
}

/// The JSON that a prompt asks for.
public struct PromptOutput: Sendable, Hashable {
    /// A name for the schema, as providers want it (`research_output`).
    public var name: String
    /// JSON Schema.
    public var schema: JSON

    public init(name: String, schema: JSON) {
        self.name = name
        self.schema = schema
    }
}

/// How a model is to answer.
public struct PromptConfig: Sendable, Hashable {
    /// How much thought goes before the answer.
    public enum Effort: String, Sendable, Hashable, CaseIterable {
        case low, medium, high
    }

    public var maxOutputTokens: Int?
    /// From 0 to 2.
    public var temperature: Double?
    public var effort: Effort?
    public var stopSequences: [String]

    public init(
        maxOutputTokens: Int? = nil, temperature: Double? = nil, effort: Effort? = nil, stopSequences: [String] = []
    ) {
        self.maxOutputTokens = maxOutputTokens
        self.temperature = temperature
        self.effort = effort
        self.stopSequences = stopSequences
    }
}
