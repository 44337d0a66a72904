public import JSON

/// Picoschema, the short notation for JSON Schema in front matter.
///
///     name: string, the full name      a required property with a description
///     age?: integer                    an optional property, which may also be null
///     tags(array, labels): string      a list
///     address?(object): {street: string}
///     color(enum): [RED, BLUE]
///     (*): number                      any other property
///
/// A value that already is a JSON Schema stays as it is. Every other object is closed (`additionalProperties: false`).
public struct Picoschema {
    private static let scalarTypes = ["any", "boolean", "integer", "null", "number", "string"]

    private let schemas: [String: JSON]

    /// Expands a schema.
    ///
    /// - Parameters:
    ///   - schema: A type, an object in the short notation, or a JSON Schema.
    ///   - schemas: JSON Schemas that may be used by name.
    /// - Returns: The JSON Schema.
    /// - Throws: `PicoschemaError` naming the property.
    public static func jsonSchema(from schema: JSON, schemas: [String: JSON] = [:]) throws(PicoschemaError) -> JSON {
        let reader = Picoschema(schemas: schemas)
        switch schema {
        case .string(let text): return try reader.schema(named: text, path: [])
        case .object(let members):
            if let type = members["type"]?.string, scalarTypes.contains(type) || type == "object" || type == "array" {
                return schema
            }
            if members["properties"]?.object != nil {
                var typed = members
                typed["type"] = "object"
                return .object(typed)
            }
            return .object(try reader.object(members, path: []))
        default: throw PicoschemaError(path: [], problem: "must be a type or an object, not \(schema.kind)")
        }
    }

    private func schema(for value: JSON, path: [String]) throws(PicoschemaError) -> JSON {
        switch value {
        case .string(let text): try schema(named: text, path: path)
        case .object(let members): .object(try object(members, path: path))
        default: throw PicoschemaError(path: path, problem: "must be a type or an object, not \(value.kind)")
        }
    }

    /// `type, description` or the name of a schema in the place of the type.
    private func schema(named text: String, path: [String]) throws(PicoschemaError) -> JSON {
        let (type, description) = Self.split(text)
        var members: JSONObject
        if type == "any" {
            members = [:]
        } else if Self.scalarTypes.contains(type) {
            members = ["type": .string(type)]
        } else if let named = schemas[type] {
            guard description != nil, let object = named.object else { return named }
            members = object
        } else {
            throw PicoschemaError(path: path, problem: "has the type '\(type)', which is neither a type nor a schema")
        }
        if let description { members["description"] = .string(description) }
        return .object(members)
    }

    private func object(_ members: JSONObject, path: [String]) throws(PicoschemaError) -> JSONObject {
        var properties = JSONObject()
        var required: [String] = []
        var additional: JSON = false
        for (key, value) in members {
            if key == "(*)" {
                additional = try schema(for: value, path: path + [key])
                continue
            }
            let property = try Property(key: key, path: path)
            if !property.isOptional { required.append(property.name) }
            properties[property.name] = try schema(for: property, value, path: path + [property.name])
        }
        var schema: JSONObject = ["type": "object", "properties": .object(properties)]
        if !required.isEmpty { schema["required"] = JSON(required) }
        schema["additionalProperties"] = additional
        return schema
    }

    private func schema(
        for property: Property, _ value: JSON, path: [String]
    ) throws(PicoschemaError) -> JSON {
        var result: JSON
        switch property.type {
        case nil: result = try schema(for: value, path: path)
        case "array": result = ["type": "array", "items": try schema(for: value, path: path)]
        case "object": result = try schema(for: value, path: path)
        case "enum":
            guard case .array(var values) = value else {
                throw PicoschemaError(path: path, problem: "is an enum and needs a list of values")
            }
            if property.isOptional, !values.contains(.null) { values.append(.null) }
            result = ["enum": .array(values)]
        case let type?:
            throw PicoschemaError(
                path: path, problem: "has '(\(type))', but only array, object and enum can stand there")
        }
        if property.isOptional, let type = result["type"]?.string { result["type"] = [.string(type), "null"] }
        if let description = property.description { result["description"] = .string(description) }
        return result
    }

    /// Cuts `type, description` at the first comma.
    private static func split(_ text: String) -> (type: String, description: String?) {
        guard let comma = text.firstIndex(of: ",") else { return (trim(text), nil) }
        let description = text[text.index(after: comma)...].drop { $0 == " " }
        return (trim(text[..<comma]), description.isEmpty ? nil : String(description))
    }

    private static func trim(_ text: some StringProtocol) -> String {
        JavaScriptWhitespace.trimmingEnd(JavaScriptWhitespace.trimmingStart(String(text)))
    }

    /// A key taken apart: `name?(type, description)`.
    private struct Property {
        let name: String
        let isOptional: Bool
        let type: String?
        let description: String?

        init(key: String, path: [String]) throws(PicoschemaError) {
            var name = key
            var type: (String, String?)?
            if let open = key.firstIndex(of: "("), open != key.startIndex {
                guard key.hasSuffix(")") else {
                    throw PicoschemaError(path: path + [key], problem: "has a '(' without a ')'")
                }
                type = Picoschema.split(String(key[key.index(after: open)...].dropLast()))
                name = Picoschema.trim(key[..<open])
            }
            isOptional = name.hasSuffix("?")
            self.name = isOptional ? String(name.dropLast()) : name
            self.type = type?.0
            description = type?.1
        }
    }
}

/// Why a schema in front matter cannot be read.
public struct PicoschemaError: Error, Equatable, CustomStringConvertible {
    /// The properties from the outside in; empty for the schema itself.
    public let path: [String]
    /// A phrase that completes "the property …".
    public let problem: String

    /// The property and the problem.
    public var description: String {
        path.isEmpty ? "the schema \(problem)" : "'\(path.joined(separator: "."))' \(problem)"
    }
}
