public import JSON

/// A JSON Schema, compiled once; any number of threads may validate with it at once.
///
///     let schema = try JSONSchema(["type": "object", "required": ["ticker"], …])
///     for violation in schema.validate(value) { print(violation.message) }   // 'ticker' is missing
///
/// The dialect is draft 2020-12; the forms of draft 7 (`definitions`, `dependencies`, `items` with a list,
/// `additionalItems`) are read as well. A `$ref` leads to a place in the same schema. `format` is an annotation and is
/// not checked. Unknown keywords are ignored; a keyword of the standard that is not supported is an error, so that no
/// schema is obeyed in part only.
public struct JSONSchema: Sendable {
    /// Levels of nesting in a value, and in a schema.
    static let depthLimit = 128
    /// The longest list whose elements are compared with each other for `uniqueItems`.
    static let longestUniqueList = 4_096
    /// The most violations that are reported for one value.
    static let violationLimit = 50

    /// The schema as it was given.
    public let source: JSON

    private let compiled: CompiledSchema

    /// Compiles a schema.
    ///
    /// - Throws: `JSONSchemaError` naming the place in the schema.
    public init(_ source: JSON) throws(JSONSchemaError) {
        self.source = source
        compiled = try SchemaCompiler.compile(source)
    }

    /// The violations of a value, at most 50; empty when it is valid.
    public func validate(_ value: JSON) -> [Violation] {
        var validator = SchemaValidator(schema: compiled)
        return validator.validate(value)
    }

    /// Whether a value is valid.
    public func isValid(_ value: JSON) -> Bool { validate(value).isEmpty }
}

extension JSONSchema {
    /// A place of a value that breaks a rule of the schema.
    public struct Violation: Sendable, Hashable, CustomStringConvertible {
        /// The way from the root, like `holdings[2].ticker`; empty for the root itself.
        public let path: String
        /// A phrase that completes "the field …": `is missing`, `must be a string, not a number`.
        public let problem: String

        /// A violation from its path and a phrase that completes "the field …".
        public init(path: String, problem: String) {
            self.path = path
            self.problem = problem
        }

        /// A sentence that names the field.
        public var message: String { path.isEmpty ? "the value \(problem)" : "'\(path)' \(problem)" }

        /// The message.
        public var description: String { message }
    }
}

/// Why a schema cannot be used.
public struct JSONSchemaError: Error, Equatable, CustomStringConvertible {
    /// The place in the schema as a JSON pointer (`#/properties/age`).
    public let pointer: String
    /// The problem at that place.
    public let problem: String

    /// An error from its place in the schema and the problem there.
    public init(pointer: String, problem: String) {
        self.pointer = pointer
        self.problem = problem
    }

    /// The place and the problem.
    public var description: String { "\(pointer): \(problem)" }
}
