internal import JSON

/// The keywords that decide whether a value is valid.
enum Keyword: String {
    case ref = "$ref"
    case defs = "$defs"
    case definitions
    case type, `enum`, const
    case minLength, maxLength, pattern
    case minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf
    case items, prefixItems, additionalItems, contains, minItems, maxItems, uniqueItems
    case properties, patternProperties, additionalProperties, propertyNames, required, minProperties, maxProperties
    case dependencies, dependentRequired, dependentSchemas
    case allOf, anyOf, oneOf, not, `if`, then, `else`

    /// Keywords that decide something which valijson cannot.
    static let refused: Set<String> = [
        "unevaluatedProperties", "unevaluatedItems", "minContains", "maxContains", "$dynamicRef", "$recursiveRef",
    ]

    /// What stands behind a keyword.
    enum Shape {
        case schema, schemas, schemaMap, items, prefixItems, dependencies, reference
        case types, values, any, count, number, positiveNumber, text, flag, names
    }

    var shape: Shape {
        switch self {
        case .ref: .reference
        case .defs, .definitions, .properties, .patternProperties: .schemaMap
        case .type: .types
        case .enum: .values
        case .const: .any
        case .minLength, .maxLength, .minItems, .maxItems, .minProperties, .maxProperties: .count
        case .pattern: .text
        case .minimum, .maximum, .exclusiveMinimum, .exclusiveMaximum: .number
        case .multipleOf: .positiveNumber
        case .items: .items
        case .prefixItems: .prefixItems
        case .uniqueItems: .flag
        case .required: .names
        case .dependencies, .dependentRequired, .dependentSchemas: .dependencies
        case .allOf, .anyOf, .oneOf: .schemas
        case .additionalItems, .contains, .additionalProperties, .propertyNames, .not, .if, .then, .else: .schema
        }
    }

    /// Whether the schemas behind it apply to the same value as the schema in which it stands.
    var isSameValue: Bool { [.allOf, .anyOf, .oneOf, .not, .if, .then, .else].contains(self) }
}

extension Keyword.Shape {
    private static let typeNames = ["null", "boolean", "object", "array", "number", "string", "integer"]

    func accepts(_ value: JSON) -> Bool {
        switch self {
        case .types:
            value.string.map(Self.typeNames.contains)
                ?? value.array.map { list in
                    !list.isEmpty && list.allSatisfy { $0.string.map(Self.typeNames.contains) == true }
                } ?? false
        case .values: value.array?.isEmpty == false
        case .count: value.integer.map { $0 >= 0 } ?? false
        case .number: value.number != nil
        case .positiveNumber: value.double.map { $0 > 0 } ?? false
        case .text: value.string != nil
        case .flag: value.bool != nil
        case .names: value.array?.allSatisfy { $0.string != nil } ?? false
        default: true
        }
    }

    var expectation: String {
        switch self {
        case .types: "must be a type or a list of types"
        case .values: "must be a list with values"
        case .count: "must be a whole number from 0"
        case .number: "must be a number"
        case .positiveNumber: "must be a number above 0"
        case .text: "must be a text"
        case .flag: "must be true or false"
        case .names: "must be a list of names"
        default: "has the wrong form"
        }
    }
}
