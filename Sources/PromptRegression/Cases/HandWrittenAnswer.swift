internal import JSON
internal import LanguageModels
internal import Prompts

/// An answer that a person wrote to show what the prompt's checks make of it: `answers` of a case.
///
/// It is no recording: it has no request, so that it stays as it is when the prompt's wording changes, and it says
/// nothing about what a model answers.
package struct HandWrittenAnswer: Sendable {
    /// How the answer ends.
    package enum Ending: String, Sendable, CaseIterable {
        case complete
        /// Cut off by the limit of output tokens.
        case limit
        case refusal
    }

    /// The words of the answer.
    enum Content: Sendable {
        /// As the model writes it, JSON or not.
        case text(String)
        case json(JSON)
        /// Laid over the first answer that is written out in JSON, else over the golden output, by JSON Merge Patch.
        case patch(JSON)
        /// The whole body of a provider's response.
        case body(JSON)
    }

    /// What it is there to show.
    var because: String
    /// The names of the checks that must fail, all others pass; or `schema` or `json` alone for an answer that has
    /// another form than was asked for.
    var breaks: Set<String>
    var ending: Ending
    var content: Content
    /// The providers in whose format it is judged.
    var providers: [ModelProvider]
    /// The answer to the request to put it right, which has to be accepted; `nil` when none is tried.
    var repaired: Content?

    static let form = "json"
    static let schema = "schema"

    /// The outcome that it has to have.
    var outcome: AnswerOutcome {
        switch ending {
        case .limit: .truncated
        case .refusal: .refused
        case .complete:
            breaks == [Self.schema] ? .schemaViolation : breaks == [Self.form] ? .unparseable : .answered
        }
    }

    /// The checks that must fail.
    var failing: Set<String> { outcome == .answered ? breaks : [] }
}

/// Reads the hand-written answers of a case.
enum HandWrittenAnswerReader {
    private static let keys = [
        "because", "breaks", "ends", "text", "json", "patch", "body", "provider", "repaired",
    ]

    static func answers(_ field: JSONField) throws(JSONFieldError) -> [HandWrittenAnswer] {
        var answers: [HandWrittenAnswer] = []
        for entry in try field.array() { answers.append(try answer(entry)) }
        return answers
    }

    private static func answer(_ field: JSONField) throws(JSONFieldError) -> HandWrittenAnswer {
        for key in try field.object().keys where !keys.contains(key) {
            throw field[key].failure("is not known; there are \(keys.joined(separator: ", "))")
        }
        var ending = HandWrittenAnswer.Ending.complete
        if let text = try field["ends"].optional?.string() {
            guard let known = HandWrittenAnswer.Ending(rawValue: text) else {
                throw field["ends"].failure(
                    "must be one of \(HandWrittenAnswer.Ending.allCases.map(\.rawValue).joined(separator: ", "))")
            }
            ending = known
        }
        var providers = ModelProvider.allCases
        if let text = try field["provider"].optional?.string() {
            guard let known = ModelProvider(rawValue: text) else {
                throw field["provider"].failure(
                    "must be one of \(ModelProvider.allCases.map(\.rawValue).joined(separator: ", "))")
            }
            providers = [known]
        }
        guard let content = try content(field) else { throw field.failure("needs 'text', 'json', 'patch' or 'body'") }
        if case .body = content, providers.count > 1 { throw field.failure("needs 'provider' beside 'body'") }
        let breaks = Set(try field["breaks"].optional?.strings() ?? [])
        if ending != .complete, !breaks.isEmpty {
            throw field["breaks"].failure("has no place here: checks look at complete answers only")
        }
        return HandWrittenAnswer(
            because: try field["because"].string(), breaks: breaks, ending: ending, content: content,
            providers: providers, repaired: try repair(field["repaired"]))
    }

    private static func repair(_ field: JSONField) throws(JSONFieldError) -> HandWrittenAnswer.Content? {
        guard let field = field.optional else { return nil }
        guard let content = try content(field) else { throw field.failure("needs 'text', 'json' or 'patch'") }
        return content
    }

    private static func content(_ field: JSONField) throws(JSONFieldError) -> HandWrittenAnswer.Content? {
        if let text = try field["text"].optional?.string() { return .text(text) }
        if let json = field["json"].optional { return .json(json.value ?? .null) }
        if let patch = field["patch"].optional { return .patch(patch.value ?? .null) }
        return field["body"].optional.map { .body($0.value ?? .null) }
    }
}
