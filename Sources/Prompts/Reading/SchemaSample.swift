internal import JSON

/// Makes a value that a schema describes, to try a template with.
enum SchemaSample {
    static func value(of schema: JSON?) -> JSON {
        guard let schema else { return [:] }
        if let constant = schema["const"] ?? schema["enum"]?[0] ?? schema["default"] { return constant }
        let type = schema["type"]?.string ?? schema["type"]?.array?.lazy.compactMap(\.string).first { $0 != "null" }
        switch schema["properties"] == nil ? type : "object" {
        case "object":
            let members = schema["properties"]?.object?.map { ($0.key, value(of: $0.value)) } ?? []
            return .object(JSONObject(members))
        case "array": return .array([value(of: schema["items"])])
        case "string": return "sample"
        case "number", "integer": return 1
        case "boolean": return true
        default: return [:]
        }
    }
}
