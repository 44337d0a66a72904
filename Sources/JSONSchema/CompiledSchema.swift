internal import JSON

/// A schema and all schemas in it; each is named by its index in `nodes`.
struct CompiledSchema: Sendable {
    var nodes: [SchemaNode] = []
    /// The index of the schema itself.
    var root = 0
    /// Whether `unevaluatedProperties` or `unevaluatedItems` occurs, for which evaluated parts must be noted.
    var notesEvaluated = false
}

/// One schema.
enum SchemaNode: Sendable {
    case anything
    case nothing
    case rules(SchemaRules)
}

/// The keywords of one schema.
struct SchemaRules: Sendable {
    var types: Set<ValueType> = []
    /// The types as a message names them: `a string or null`.
    var typeNames = ""
    var constant: JSON?
    var values: (list: [JSON], set: Set<JSON>)?
    var text: TextRules?
    var number: NumberRules?
    var array: ArrayRules?
    var object: ObjectRules?

    /// The schemas that apply to the same value.
    var reference: Int?
    var allOf: [Int] = []
    var anyOf: [Int] = []
    var oneOf: [Int] = []
    var not: Int?
    var condition: Int?
    var consequence: Int?
    var alternative: Int?
}

/// A type as the keyword `type` names it.
enum ValueType: String, Sendable, CaseIterable {
    case null, boolean, object, array, number, string, integer

    /// The type with its article, for messages.
    var name: String {
        switch self {
        case .null: "null"
        case .integer: "a whole number"
        case .array, .object: "an \(rawValue)"
        default: "a \(rawValue)"
        }
    }
}

struct TextRules: Sendable {
    var minLength: Int64?
    var maxLength: Int64?
    var pattern: (source: String, pattern: Pattern)?
}

struct NumberRules: Sendable {
    var minimum: JSONNumber?
    var maximum: JSONNumber?
    var exclusiveMinimum: JSONNumber?
    var exclusiveMaximum: JSONNumber?
    var multipleOf: JSONNumber?
}

struct ArrayRules: Sendable {
    var minItems: Int64?
    var maxItems: Int64?
    var hasUniqueItems = false
    /// The schemas of the first elements.
    var prefix: [Int] = []
    /// The schema of the elements after them.
    var rest: Int?
    var contains: Int?
    var minContains: Int64?
    var maxContains: Int64?
    var unevaluated: Int?
}

struct ObjectRules: Sendable {
    var minProperties: Int64?
    var maxProperties: Int64?
    var required: [String] = []
    var properties: [JSONKey: Int] = [:]
    /// The keys of `properties` in their order, for messages.
    var knownNames: [String] = []
    var patterns: [(pattern: Pattern, schema: Int)] = []
    var additional: Int?
    var names: Int?
    var dependencies: [(key: String, needs: Dependency)] = []
    var unevaluated: Int?

    enum Dependency: Sendable {
        case names([String])
        case schema(Int)
    }
}
