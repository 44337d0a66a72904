extension JSONSchema {
    /// Something that is wrong with a value.
    public struct Violation: Sendable, Hashable, CustomStringConvertible {
        /// The way from the root, like `holdings[2].ticker`; empty for the root itself.
        public let path: String
        /// A phrase that completes "the field …": `is missing`, `must be a string, not a number`.
        public let problem: String

        public init(path: String, problem: String) {
            self.path = path
            self.problem = problem
        }

        /// A sentence that names the field.
        public var message: String { path.isEmpty ? "the value \(problem)" : "'\(path)' \(problem)" }

        public var description: String { message }
    }
}

/// Why a schema cannot be used.
public struct JSONSchemaError: Error, Equatable, CustomStringConvertible {
    /// The place in the schema as a JSON pointer (`#/properties/age`).
    public let pointer: String
    public let problem: String

    public init(pointer: String, problem: String) {
        self.pointer = pointer
        self.problem = problem
    }

    public var description: String { "\(pointer): \(problem)" }
}
