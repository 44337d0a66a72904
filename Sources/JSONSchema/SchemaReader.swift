internal import JSON

/// Checks a schema and brings it into the one form that judge and explainer work with.
///
/// Left are the keywords that decide something. Keywords of 2020-12 are written as those of draft 7, and a `$ref` with
/// neighbours becomes an `allOf`, because draft 7 ignores the neighbours.
struct SchemaReader {
    private let root: JSON
    private var references: [(from: String, to: String)] = []
    /// The places that hold schemas.
    private var places: Set<String> = []
    /// The places that apply to the same value as another place.
    private var sameValue: [String: [String]] = [:]

    /// Whether `uniqueItems` occurs.
    private(set) var comparesElements = false

    init(root: JSON) { self.root = root }

    mutating func read() throws(JSONSchemaError) -> JSON {
        let schema = try read(root, at: "#", depth: 0)
        for (from, to) in references where !places.contains(to) {
            throw JSONSchemaError(pointer: from, problem: "the $ref '\(to)' leads to no schema here")
        }
        try refuseCircles()
        return schema
    }

    private mutating func read(_ schema: JSON, at place: String, depth: Int) throws(JSONSchemaError) -> JSON {
        guard depth <= JSONSchema.depthLimit else {
            throw failure(place, "nested deeper than \(JSONSchema.depthLimit)")
        }
        places.insert(place)
        if case .bool = schema { return schema }
        guard let members = schema.object else { throw failure(place, "a schema must be an object, true or false") }
        var result = JSONObject()
        for (key, value) in members where value != .null || key == "const" {
            guard let keyword = Keyword(rawValue: key) else {
                if Keyword.refused.contains(key) { throw failure(place, "the keyword '\(key)' is not supported") }
                continue
            }
            try add(keyword, value, of: members, to: &result, at: place, depth: depth)
        }
        return .object(Self.separatingReference(result))
    }

    private mutating func add(
        _ keyword: Keyword, _ value: JSON, of schema: JSONObject, to result: inout JSONObject, at place: String,
        depth: Int
    ) throws(JSONSchemaError) {
        let key = keyword.rawValue
        let inner = "\(place)/\(Self.escaped(key))"
        switch keyword.shape {
        case .schema:
            if keyword.isSameValue { sameValue[place, default: []].append(inner) }
            result[key] = try read(value, at: inner, depth: depth + 1)
        case .schemas:
            guard let elements = value.array, !elements.isEmpty else {
                throw failure(inner, "must be a list of schemas")
            }
            if keyword.isSameValue {
                sameValue[place, default: []] += elements.indices.map { "\(inner)/\($0)" }
            }
            result[key] = .array(try read(elements, at: inner, depth: depth))
        case .schemaMap:
            result[key] = .object(try readMap(value, at: inner, depth: depth))
            for pattern in keyword == .patternProperties ? value.object?.keys ?? [] : [] {
                try check(pattern: pattern, at: inner)
            }
        case .items: try addItems(value, prefix: schema["prefixItems"], to: &result, at: place, depth: depth)
        case .prefixItems:
            if schema["items"] == nil { try addItems(nil, prefix: value, to: &result, at: place, depth: depth) }
        case .dependencies: try addDependencies(keyword, value, to: &result, at: inner, depth: depth)
        case .reference:
            guard let target = value.string else { throw failure(inner, "must be a text") }
            guard target == "#" || target.hasPrefix("#/") else {
                throw failure(inner, "'\(target)' leads outside of this schema")
            }
            references.append((inner, target))
            sameValue[place, default: []].append(target)
            result[key] = value
        default:
            guard keyword.shape.accepts(value) else { throw failure(inner, keyword.shape.expectation) }
            if keyword == .pattern { try check(pattern: value.string ?? "", at: inner) }
            if keyword == .uniqueItems, value == true { comparesElements = true }
            result[key] = JudgedNumbers.prepared(value)
        }
    }

    private mutating func read(
        _ elements: [JSON], at place: String, depth: Int
    ) throws(JSONSchemaError) -> [JSON] {
        var schemas: [JSON] = []
        for (index, element) in elements.enumerated() {
            schemas.append(try read(element, at: "\(place)/\(index)", depth: depth + 1))
        }
        return schemas
    }

    private mutating func readMap(_ value: JSON, at place: String, depth: Int) throws(JSONSchemaError) -> JSONObject {
        guard let members = value.object else { throw failure(place, "must be an object of schemas") }
        var schemas = JSONObject()
        for (key, member) in members {
            schemas[key] = try read(member, at: "\(place)/\(Self.escaped(key))", depth: depth + 1)
        }
        return schemas
    }

    /// `prefixItems` with `items` is `items` with `additionalItems` in draft 7.
    private mutating func addItems(
        _ items: JSON?, prefix: JSON?, to result: inout JSONObject, at place: String, depth: Int
    ) throws(JSONSchemaError) {
        if let prefix {
            guard let elements = prefix.array else {
                throw failure("\(place)/prefixItems", "must be a list of schemas")
            }
            result["items"] = .array(try read(elements, at: "\(place)/prefixItems", depth: depth))
            if let items { result["additionalItems"] = try read(items, at: "\(place)/items", depth: depth + 1) }
        } else if let elements = items?.array {
            result["items"] = .array(try read(elements, at: "\(place)/items", depth: depth))
        } else if let items {
            result["items"] = try read(items, at: "\(place)/items", depth: depth + 1)
        }
    }

    private mutating func addDependencies(
        _ keyword: Keyword, _ value: JSON, to result: inout JSONObject, at place: String, depth: Int
    ) throws(JSONSchemaError) {
        guard let members = value.object else { throw failure(place, "must be an object") }
        var dependencies = result["dependencies"]?.object ?? [:]
        for (key, member) in members {
            let inner = "\(place)/\(Self.escaped(key))"
            if Keyword.Shape.names.accepts(member), keyword != .dependentSchemas {
                dependencies[key] = member
            } else if keyword != .dependentRequired {
                dependencies[key] = try read(member, at: inner, depth: depth + 1)
            } else {
                throw failure(inner, Keyword.Shape.names.expectation)
            }
        }
        result["dependencies"] = .object(dependencies)
    }

    private static func separatingReference(_ members: JSONObject) -> JSONObject {
        guard let reference = members["$ref"] else { return members }
        let kept = ["$ref", "$defs", "definitions"]
        guard members.keys.contains(where: { !kept.contains($0) }) else { return members }
        var result = members
        result["$ref"] = nil
        let referring: JSON = ["$ref": reference]
        result["allOf"] = .array([referring] + (members["allOf"]?.array ?? []))
        return result
    }

    private func check(pattern: String, at place: String) throws(JSONSchemaError) {
        guard SchemaValidator.matches(pattern, "") != nil else {
            throw failure(place, "the pattern '\(pattern)' cannot be used")
        }
    }

    /// A schema that leads back to itself for the same value has no end.
    private func refuseCircles() throws(JSONSchemaError) {
        var finished: Set<String> = []
        for start in sameValue.keys.sorted() where !finished.contains(start) {
            var open: [String] = []
            var stack: [(place: String, isExit: Bool)] = [(start, false)]
            while let (place, isExit) = stack.popLast() {
                if isExit {
                    open.removeLast()
                    finished.insert(place)
                    continue
                }
                if finished.contains(place) { continue }
                guard !open.contains(place) else { throw failure(place, "the schema refers to itself without end") }
                open.append(place)
                stack.append((place, true))
                stack += (sameValue[place] ?? []).map { ($0, false) }
            }
        }
    }

    private static func escaped(_ key: String) -> String {
        guard key.contains(where: { $0 == "~" || $0 == "/" }) else { return key }
        return key.reduce(into: "") { $0 += $1 == "~" ? "~0" : $1 == "/" ? "~1" : String($1) }
    }

    private func failure(_ place: String, _ problem: String) -> JSONSchemaError {
        JSONSchemaError(pointer: place, problem: problem)
    }
}
