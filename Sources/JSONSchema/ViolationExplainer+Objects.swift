internal import JSON

/// Objects, and schemas made of schemas.
extension ViolationExplainer {
    func objectViolations(_ rules: JSONObject, _ members: JSONObject, _ path: FieldPath) -> [JSONSchema.Violation] {
        var found: [JSONSchema.Violation] = []
        for name in rules["required"]?.array ?? [] {
            if let name = name.string, members[name] == nil { found.append(path.member(name).violation("is missing")) }
        }
        let length = Int64(members.count)
        if let least = rules["minProperties"]?.integer, length < least {
            found.append(path.violation("must have at least \(count(least, "field")), not \(length)"))
        }
        if let most = rules["maxProperties"]?.integer, length > most {
            found.append(path.violation("must have at most \(count(most, "field")), not \(length)"))
        }
        for (key, value) in members {
            found += memberViolations(rules, key, value, path)
            if let schema = rules["propertyNames"], !violations(of: schema, .string(key), path).isEmpty {
                found.append(path.member(key).violation("has a name that is not allowed"))
            }
            if found.count > Self.limit { break }
        }
        return found + dependencyViolations(rules, members, path)
    }

    private func memberViolations(
        _ rules: JSONObject, _ key: String, _ value: JSON, _ path: FieldPath
    ) -> [JSONSchema.Violation] {
        var found: [JSONSchema.Violation] = []
        var isKnown = false
        if let schema = rules["properties"]?[key] {
            isKnown = true
            found += violations(of: schema, value, path.member(key))
        }
        for (pattern, schema) in rules["patternProperties"]?.object ?? [:]
        where SchemaValidator.matches(pattern, key) == true {
            isKnown = true
            found += violations(of: schema, value, path.member(key))
        }
        guard !isKnown, let additional = rules["additionalProperties"] else { return found }
        guard additional != false else {
            let known = rules["properties"]?.object?.keys ?? []
            let hint = known.isEmpty || known.count > 12 ? "" : "; known are \(known.joined(separator: ", "))"
            return [path.member(key).violation("is not a known field\(hint)")]
        }
        return found + violations(of: additional, value, path.member(key))
    }

    private func dependencyViolations(
        _ rules: JSONObject, _ members: JSONObject, _ path: FieldPath
    ) -> [JSONSchema.Violation] {
        var found: [JSONSchema.Violation] = []
        for (key, dependency) in rules["dependencies"]?.object ?? [:] where members[key] != nil {
            guard let names = dependency.array else {
                found += violations(of: dependency, .object(members), path)
                continue
            }
            for name in names.compactMap(\.string) where members[name] == nil {
                found.append(path.member(name).violation("is missing, which '\(key)' needs"))
            }
        }
        return found
    }

    // MARK: Combinations

    func combinationViolations(_ rules: JSONObject, _ value: JSON, _ path: FieldPath) -> [JSONSchema.Violation] {
        var found = (rules["allOf"]?.array ?? []).flatMap { violations(of: $0, value, path) }
        if let schemas = rules["anyOf"]?.array { found += alternatives(schemas, value, path).missed }
        if let schemas = rules["oneOf"]?.array {
            let (missed, fitting) = alternatives(schemas, value, path)
            found += missed
            if fitting > 1 { found.append(path.violation("fits \(fitting) alternatives of which only one may fit")) }
        }
        if let schema = rules["not"], violations(of: schema, value, path).isEmpty {
            found.append(path.violation("has a form that is not allowed"))
        }
        if let condition = rules["if"] {
            let branch = violations(of: condition, value, path).isEmpty ? rules["then"] : rules["else"]
            if let branch { found += violations(of: branch, value, path) }
        }
        return found
    }

    /// How many alternatives fit and, when none does, what keeps the closest one from fitting.
    private func alternatives(
        _ schemas: [JSON], _ value: JSON, _ path: FieldPath
    ) -> (missed: [JSONSchema.Violation], fitting: Int) {
        let results = schemas.map { violations(of: $0, value, path) }
        let fitting = results.count { $0.isEmpty }
        guard fitting == 0 else { return ([], fitting) }
        // An alternative for another type of value says nothing about this one.
        let sameType = zip(schemas, results).filter { isForType(of: value, $0.0) }.map(\.1)
        guard let closest = sameType.min(by: { $0.count < $1.count }) else {
            let problems = results.compactMap { $0.first?.problem }.reduce(into: [String]()) { list, problem in
                if !list.contains(problem) { list.append(problem) }
            }
            return ([path.violation("fits no alternative: it \(problems.joined(separator: "; it "))")], 0)
        }
        return (closest, 0)
    }

    private func isForType(of value: JSON, _ schema: JSON) -> Bool {
        var schema = schema
        while let reference = schema["$ref"]?.string, let target = resolve(reference) { schema = target }
        return schema["type"].map { Self.fits(value, $0) } ?? true
    }
}
