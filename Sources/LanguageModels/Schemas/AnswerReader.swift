internal import JSON
internal import JSONSchema

/// Reads the JSON that a model was asked for and holds it against the whole original schema.
struct AnswerReader: Sendable {
    /// Why an answer is of no use, for `ModelError`.
    struct Failure: Error {
        var kind: ModelError.Kind
    }

    private let provider: ModelProvider
    private let schema: JSONSchema

    /// Compiles the schema: before the call, since an answer that nobody can judge should not be bought.
    init(provider: ModelProvider, schema: JSON) throws(SchemaLoweringError) {
        self.provider = provider
        do {
            self.schema = try JSONSchema(schema)
        } catch {
            throw .invalid(path: error.pointer, problem: error.problem)
        }
    }

    func read(_ text: String) throws(Failure) -> JSON {
        let parsed: JSON
        do {
            parsed = try JSON(parsing: provider == .openai ? Self.withoutFence(text) : text)
        } catch {
            throw Failure(kind: .unparseable("line \(error.line), column \(error.column)"))
        }
        let source = schema.source
        let value = provider == .claude ? EnumRepair(root: source).repair(parsed, against: source) : parsed
        let violations = schema.validate(value)
        guard violations.isEmpty else {
            let found = violations.map { SchemaViolation(path: $0.path, message: $0.message) }
            throw Failure(kind: .schemaViolation(found))
        }
        return value
    }

    /// Local servers whose models ignore the format wrap their JSON in a Markdown fence.
    private static func withoutFence(_ text: String) -> String {
        let trimmed = text.trimmingSpaces
        guard trimmed.hasPrefix("```json"), trimmed.hasSuffix("```"), trimmed.utf8.count >= 10 else { return text }
        return String(trimmed.dropFirst(7).dropLast(3))
    }
}
