internal import Basics
internal import JSON
internal import JSONSchema
internal import Synchronization

/// Parses a model's JSON answer and validates it against the original schema.
struct AnswerReader: Sendable {
    /// The reason why an answer is unusable, for `ModelError`.
    struct Failure: Error {
        var kind: ModelError.Kind
    }

    private let provider: ModelProvider
    private let schema: JSONSchema

    /// Compiles the schema, before the call: an answer that cannot be validated should not be paid for.
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
            // Escapes in strings make marks and controls that the text does not show.
            parsed = try JSON(parsing: provider == .openai ? Self.withoutFence(text) : text).mapStrings(\.sanitized)
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

    /// The text without the Markdown fence that models of local servers put around JSON.
    private static func withoutFence(_ text: String) -> String {
        let trimmed = text.trimmed
        guard trimmed.hasPrefix("```json"), trimmed.hasSuffix("```"), trimmed.utf8.count >= 10 else { return text }
        return String(trimmed.dropFirst(7).dropLast(3))
    }
}

/// A cache of readers by schema: thousands of concurrent calls share a few compiled schemas.
final class AnswerReaders: Sendable {
    /// Many more than the schemas of all prompts. The limit keeps generated schemas from filling the memory.
    private static let mostReaders = 64

    private let readers = Mutex<[JSON: AnswerReader]>([:])

    func reader(for provider: ModelProvider, _ schema: JSON) throws(SchemaLoweringError) -> AnswerReader {
        if let reader = readers.withLock({ $0[schema] }) { return reader }
        let reader = try AnswerReader(provider: provider, schema: schema)
        readers.withLock { readers in
            if readers.count >= Self.mostReaders { readers = [:] }
            readers[schema] = reader
        }
        return reader
    }
}

/// Corrects the case of enumerated strings: Claude does not guarantee the case of the schema.
struct EnumRepair {
    let root: JSON

    /// The value with every string that differs from an allowed one in case only replaced by that one.
    func repair(_ value: JSON, against schema: JSON, depth: Int = 0) -> JSON {
        guard depth < 128 else { return value }
        if let reference = schema["$ref"]?.string {
            guard let target = SchemaLowering.resolve(reference, in: root) else { return value }
            return repair(value, against: target, depth: depth + 1)
        }
        var repaired = value
        if let text = value.string { repaired = JSON(Self.match(text, in: schema)) }
        if let members = value.object, let properties = schema["properties"]?.object {
            for (name, member) in members {
                guard let property = properties[name] else { continue }
                repaired[name] = repair(member, against: property, depth: depth + 1)
            }
        }
        if let elements = value.array, let items = schema["items"] {
            repaired = .array(elements.map { repair($0, against: items, depth: depth + 1) })
        }
        for key in ["anyOf", "oneOf", "allOf"] {
            for variant in schema[key]?.array ?? [] { repaired = repair(repaired, against: variant, depth: depth + 1) }
        }
        return repaired
    }

    /// The allowed text that differs in case only, if there is exactly one and the text itself is not allowed.
    private static func match(_ text: String, in schema: JSON) -> String {
        let allowed = ((schema["enum"]?.array ?? []) + [schema["const"]].compactMap(\.self)).compactMap(\.string)
        guard !allowed.contains(text) else { return text }
        let matches = allowed.filter { $0.lowercased() == text.lowercased() }
        return matches.count == 1 ? matches[0] : text
    }
}

extension ModelResponse {
    /// The response with its text parsed again in the requested form, exactly as after the call.
    ///
    /// - Throws: `ModelError` of the kinds `unparseable`, `schemaViolation`, `unsupportedSchema` and `unusable`.
    package func read(as output: ModelOutput) throws(ModelError) -> ModelResponse {
        var response = self
        response.json = nil
        guard self.toolCalls.isEmpty else { return response }
        guard !self.text.isEmpty else { throw failure(.unusable(reason: "empty")) }
        guard case .json(_, let schema) = output else { return response }
        let reader: AnswerReader
        do {
            reader = try AnswerReader(provider: self.provider, schema: schema)
        } catch {
            throw failure(.unsupportedSchema(error))
        }
        do {
            response.json = try reader.read(self.text)
        } catch {
            throw failure(error.kind)
        }
        return response
    }

    private func failure(_ kind: ModelError.Kind) -> ModelError {
        var error = ModelError(kind, provider: self.provider, model: self.requestedModel)
        error.usage = self.usage
        error.cost = self.cost
        error.answer = self
        return error
    }
}
