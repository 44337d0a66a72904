/// Why a provider cannot be asked for answers that fit a schema. Paths are JSON Pointers into the schema.
package enum SchemaLoweringError: Error, Hashable, Sendable {
    /// No schema that an answer could be held against; the phrase completes "the place …".
    case invalid(path: String, problem: String)
    /// Neither an object with keywords nor something with a type.
    case untyped(path: String)
    /// An object whose members are not listed: the provider would only ever answer an empty one.
    case openObject(path: String)
    case recursive(path: String)
    /// A `$ref` that leads out of the schema or nowhere.
    case unresolvedReference(path: String)
    case referenceInAllOf(path: String)
    /// Claude compiles at most 24 over the whole schema.
    case tooManyOptionalProperties(count: Int, limit: Int)
    /// Claude compiles at most 16 over the whole schema.
    case tooManyUnions(count: Int, limit: Int)
}

extension SchemaLoweringError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .invalid(let path, let problem): "\(place(path)) \(problem)"
        case .untyped(let path): "\(place(path)) has no type"
        case .openObject(let path): "\(place(path)) is an object without listed properties"
        case .recursive(let path): "\(place(path)) contains itself"
        case .unresolvedReference(let path): "\(place(path)) refers to something outside the schema"
        case .referenceInAllOf(let path): "\(place(path)) holds a reference within allOf"
        case .tooManyOptionalProperties(let count, let limit): "\(count) optional properties, at most \(limit) may be"
        case .tooManyUnions(let count, let limit): "\(count) properties of several types, at most \(limit) may be"
        }
    }

    private func place(_ path: String) -> String { path.isEmpty ? "the schema" : "'\(path)'" }
}
