internal import Dotprompt
internal import JSON
internal import JSONSchema

/// Reads schemas of inputs and outputs.
enum SchemaReader {
    /// A schema in Picoschema or JSON Schema, as JSON Schema; `nil` after a problem was added.
    static func read(_ node: Node) -> JSON? {
        do {
            let schema = try Picoschema.jsonSchema(from: node.value)
            return check(schema, at: node) ? schema : nil
        } catch {
            node.report(
                at: keys(of: error.path, in: node.value), "'\(node.name)': \(error.description)",
                fix: fix(error.problem))
            return nil
        }
    }

    /// Whether a place holds a valid JSON Schema; adds a problem where it does not.
    static func check(_ node: Node) -> Bool { check(node.value, at: node) }

    private static func check(_ schema: JSON, at node: Node) -> Bool {
        do {
            _ = try JSONSchema(schema)
            return true
        } catch {
            // `#/properties/age`; the pointer of an expanded Picoschema may lead past the last key of the file.
            let keys = JSONPointer(reference: error.pointer)?.steps ?? []
            node.report(
                at: keys, "'\(node.name)' is no valid JSON Schema: \(error)", fix: "see json-schema.org, draft 2020-12")
            return false
        }
    }

    /// The keys as written (`risks(array)`) of the properties that an error names (`risks`).
    private static func keys(of path: [String], in value: JSON) -> [String] {
        var keys: [String] = []
        var value = value
        for name in path {
            let match = value.object?.keys.first { key in
                key == name || key.prefix { $0 != "(" && $0 != "?" && $0 != " " } == name[...]
            }
            guard let match, let next = value[match] else { break }
            keys.append(match)
            value = next
        }
        return keys
    }

    private static func fix(_ problem: String) -> String {
        problem.contains("has the type")
            ? "types: string, number, integer, boolean, null, any; lists are written 'name(array): type'"
            : "see Picoschema in dotprompt's documentation"
    }
}

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
