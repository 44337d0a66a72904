internal import JSON

/// The keywords that decide whether a value is valid.
enum SchemaKeyword: String {
    case ref = "$ref"
    case anchor = "$anchor"
    case defs = "$defs"
    case definitions
    case type, `enum`, const
    case minLength, maxLength, pattern
    case minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf
    case items, prefixItems, additionalItems, contains, minContains, maxContains
    case minItems, maxItems, uniqueItems, unevaluatedItems
    case properties, patternProperties, additionalProperties, propertyNames, required, minProperties, maxProperties
    case dependencies, dependentRequired, dependentSchemas, unevaluatedProperties
    case allOf, anyOf, oneOf, not, `if`, then, `else`

    /// Keywords that decide something which is not supported here.
    static let unsupported: Set<String> = ["$dynamicRef", "$recursiveRef"]
}

/// The value of a keyword at its place in the schema, with a reader for each form of value.
struct KeywordValue {
    let value: JSON
    let pointer: JSONPointer

    func count() throws(JSONSchemaError) -> Int64 {
        guard let count = value.integer, count >= 0 else { throw failure("must be a whole number from 0") }
        return count
    }

    func number() throws(JSONSchemaError) -> JSONNumber {
        guard let number = value.number else { throw failure("must be a number") }
        return number
    }

    func positiveNumber() throws(JSONSchemaError) -> JSONNumber {
        guard let number = value.number, number > JSONNumber(0) else { throw failure("must be a number above 0") }
        guard JSONNumber(0).isMultiple(of: number) != nil else { throw failure("has more than 19 significant digits") }
        return number
    }

    func text() throws(JSONSchemaError) -> String {
        guard let text = value.string else { throw failure("must be a text") }
        return text
    }

    func flag() throws(JSONSchemaError) -> Bool {
        guard let flag = value.bool else { throw failure("must be true or false") }
        return flag
    }

    func names() throws(JSONSchemaError) -> [String] {
        let names = value.array?.compactMap(\.string)
        guard let names, names.count == value.array?.count else { throw failure("must be a list of names") }
        return names
    }

    func values() throws(JSONSchemaError) -> [JSON] {
        guard let values = value.array, !values.isEmpty else { throw failure("must be a list with values") }
        return values
    }

    func types() throws(JSONSchemaError) -> [ValueType] {
        let elements = value.array ?? [value]
        let types = elements.compactMap { $0.string.flatMap(ValueType.init) }
        guard !types.isEmpty, types.count == elements.count else {
            throw failure("must be a type or a list of types")
        }
        return types
    }

    func pattern() throws(JSONSchemaError) -> Pattern { try compile(try text()) }

    /// Compiles a pattern that is this value or one of its keys.
    func compile(_ pattern: String) throws(JSONSchemaError) -> Pattern {
        do {
            return try Pattern(pattern)
        } catch {
            throw failure("the pattern '\(pattern)' cannot be used: \(error.problem)")
        }
    }

    func elements() throws(JSONSchemaError) -> [KeywordValue] {
        guard let elements = value.array else { throw failure("must be a list of schemas") }
        return elements.enumerated().map { KeywordValue(value: $1, pointer: pointer.appending(String($0))) }
    }

    func members() throws(JSONSchemaError) -> [(key: String, value: KeywordValue)] {
        guard let members = value.object else { throw failure("must be an object of schemas") }
        return members.map { ($0.key, KeywordValue(value: $0.value, pointer: pointer.appending($0.key))) }
    }

    func failure(_ problem: String) -> JSONSchemaError {
        JSONSchemaError(pointer: pointer.reference, problem: problem)
    }
}
