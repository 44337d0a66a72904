internal import JSON
internal import JSONSchema

/// Where and how values are not as a schema declares them.
enum SchemaProblems {
    static func of(_ value: JSON, schema: JSON) -> [JSONSchema.Violation] {
        do {
            return try JSONSchema(schema).validate(value)
        } catch {
            return [JSONSchema.Violation(path: "", problem: "cannot be checked, as its schema is wrong: \(error)")]
        }
    }
}
