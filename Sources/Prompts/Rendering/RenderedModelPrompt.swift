package import JSON

/// A prompt with its values filled in, ready to be sent to a model.
package struct RenderedModelPrompt: Sendable, Hashable {
    package enum Role: String, Sendable, Hashable {
        case user
        case model
    }

    package struct Message: Sendable, Hashable {
        package enum Part: Sendable, Hashable {
            case text(String)
            /// `{{cache_mark "name"}}`
            case cacheMark(String)
        }

        package var role: Role
        package var parts: [Part]

        /// The texts of all parts.
        package var text: String {
            parts.map { if case .text(let text) = $0 { text } else { "" } }.joined()
        }

        package init(role: Role, parts: [Part]) {
            self.role = role
            self.parts = parts
        }

        package init(role: Role, text: String) { self.init(role: role, parts: [.text(text)]) }
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

    /// A high estimate of the tokens that a model reads: one for every three bytes.
    package var estimatedTokens: Int {
        let texts = messages.reduce((system ?? "").utf8.count) { $0 + $1.text.utf8.count }
        return (texts + (output?.schema.utf8.count ?? 0)) / 3 + 1
    }
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
    /// The estimated tokens of the prompt above which no model is asked; see `RenderedModelPrompt.estimatedTokens`.
    package var maxInputTokens: Int = Self.standardInputTokens
    /// From 0 to 2.
    package var temperature: Double?
    package var effort: Effort?
    package var stopSequences: [String] = []

    /// 180,000 bytes: somewhat more than a report on a company with the longest history needs.
    package static let standardInputTokens = 60_000
}
