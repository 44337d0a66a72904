package import JSON

/// A prompt with its values filled in, ready to be sent to a model.
package struct RenderedModelPrompt: Sendable, Hashable {
    package enum Role: String, Sendable, Hashable {
        case user
        case model
    }

    package struct Message: Sendable, Hashable {
        package var role: Role
        package var text: String
    }

    /// The name of the prompt.
    package var name: String
    /// The instructions; `nil` when the prompt has none.
    package var system: String?
    package var messages: [Message]
    /// The required form of the answer; `nil` for plain text.
    package var output: PromptOutput?
    package var config: PromptConfig
    /// The tier of models that the prompt asks for; `nil` leaves it to the kind of job.
    package var tier: String?
}

/// The JSON that a prompt asks for.
package struct PromptOutput: Sendable, Hashable {
    /// A name for the schema, as providers want it (`research_output`).
    package var name: String
    /// JSON Schema.
    package var schema: JSON
}

/// The form in which a model has to answer.
package struct PromptConfig: Sendable, Hashable {
    /// The amount of thinking of a model before it answers.
    package enum Effort: String, Sendable, Hashable, CaseIterable {
        case low, medium, high
    }

    package var maxOutputTokens: Int?
    /// From 0 to 2.
    package var temperature: Double?
    package var effort: Effort?
    package var stopSequences: [String] = []
}
