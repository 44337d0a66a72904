internal import JSON

/// Objects, and schemas made of schemas.
extension SchemaValidator {
    mutating func violations(
        of rules: ObjectRules, _ members: JSONObject, _ value: JSON, _ evaluated: inout EvaluatedParts
    ) -> [Violation] {
        var found: [Violation] = []
        for name in rules.required where members[name] == nil {
            found.append(violation(at: .member(name), "is missing"))
        }
        let length = Int64(members.count)
        if let least = rules.minProperties, length < least {
            found.append(violation("must have at least \(count(least, "field")), not \(length)"))
        }
        if let most = rules.maxProperties, length > most {
            found.append(violation("must have at most \(count(most, "field")), not \(length)"))
        }
        for (key, member) in members {
            found += memberViolations(rules, key, member, &evaluated)
            if let names = rules.names, !violations(of: names, .string(key)).isEmpty {
                found.append(violation(at: .member(key), "has a name that is not allowed"))
            }
            if found.count > JSONSchema.violationLimit { break }
        }
        for (key, needs) in rules.dependencies where members[key] != nil {
            switch needs {
            case .schema(let schema): found += violations(of: schema, value, &evaluated)
            case .names(let names):
                for name in names where members[name] == nil {
                    found.append(violation(at: .member(name), "is missing, which '\(key)' needs"))
                }
            }
        }
        return found
    }

    private mutating func memberViolations(
        _ rules: ObjectRules, _ key: String, _ value: JSON, _ evaluated: inout EvaluatedParts
    ) -> [Violation] {
        var found: [Violation] = []
        var isKnown = false
        if let schema = rules.properties[JSONKey(key)] {
            isKnown = true
            found += violations(of: schema, value, at: .member(key))
        }
        for (pattern, schema) in rules.patterns {
            guard let isFound = pattern.isFound(in: key) else {
                return [violation(at: .member(key), "has a name longer than \(pattern.longestText) characters")]
            }
            guard isFound else { continue }
            isKnown = true
            found += violations(of: schema, value, at: .member(key))
        }
        if !isKnown, let additional = rules.additional {
            isKnown = true
            if case .nothing = schema.nodes[additional] {
                let known = rules.knownNames
                let hint = known.isEmpty || known.count > 12 ? "" : "; known are \(known.joined(separator: ", "))"
                found.append(violation(at: .member(key), "is not a known field\(hint)"))
            } else {
                found += violations(of: additional, value, at: .member(key))
            }
        }
        if isKnown, schema.notesEvaluated { evaluated.keys.insert(JSONKey(key)) }
        return found
    }

    // MARK: Combinations

    mutating func combinationViolations(
        _ rules: SchemaRules, _ value: JSON, _ evaluated: inout EvaluatedParts
    ) -> [Violation] {
        var found: [Violation] = []
        if let reference = rules.reference { found += violations(of: reference, value, &evaluated) }
        for schema in rules.allOf { found += violations(of: schema, value, &evaluated) }
        if !rules.anyOf.isEmpty { found += alternatives(rules.anyOf, value, &evaluated).missed }
        if !rules.oneOf.isEmpty {
            let (missed, fitting) = alternatives(rules.oneOf, value, &evaluated)
            found += missed
            if fitting > 1 { found.append(violation("fits \(fitting) alternatives of which only one may fit")) }
        }
        if let not = rules.not, violations(of: not, value).isEmpty {
            found.append(violation("has a form that is not allowed"))
        }
        if let condition = rules.condition {
            let branch = violations(of: condition, value, &evaluated).isEmpty ? rules.consequence : rules.alternative
            if let branch { found += violations(of: branch, value, &evaluated) }
        }
        return found
    }

    /// The number of alternatives that fit and, when none does, the violations of the closest one.
    private mutating func alternatives(
        _ schemas: [Int], _ value: JSON, _ evaluated: inout EvaluatedParts
    ) -> (missed: [Violation], fitting: Int) {
        var results: [[Violation]] = []
        for schema in schemas { results.append(violations(of: schema, value, &evaluated)) }
        let fitting = results.count { $0.isEmpty }
        guard fitting == 0 else { return ([], fitting) }
        // An alternative for another type of value says nothing about this one.
        let sameType = zip(schemas, results).filter { isForType(of: value, $0.0) }.map(\.1)
        if let closest = sameType.min(by: { $0.count < $1.count }) { return (closest, 0) }
        var problems: [String] = []
        for problem in results.compactMap({ $0.first?.problem }) where !problems.contains(problem) {
            problems.append(problem)
        }
        return ([violation("fits no alternative: it \(problems.joined(separator: "; it "))")], 0)
    }

    private func isForType(of value: JSON, _ index: Int) -> Bool {
        var index = index
        while case .rules(let rules) = schema.nodes[index] {
            if !rules.types.isEmpty { return Self.fits(value, rules.types) }
            guard let reference = rules.reference else { break }
            index = reference
        }
        return true
    }

    // MARK: Parts that no other keyword evaluates

    mutating func unevaluatedViolations(
        _ rules: SchemaRules, _ value: JSON, _ evaluated: inout EvaluatedParts
    ) -> [Violation] {
        var found: [Violation] = []
        if let unevaluated = rules.object?.unevaluated, let members = value.object {
            for (key, member) in members where evaluated.keys.insert(JSONKey(key)).inserted {
                found += unevaluatedViolations(unevaluated, member, at: .member(key), "is not a known field")
            }
        }
        if let unevaluated = rules.array?.unevaluated, let elements = value.array {
            for (index, element) in elements.enumerated() where evaluated.indices.insert(index).inserted {
                found += unevaluatedViolations(unevaluated, element, at: .element(index), "is not a known element")
            }
        }
        return found
    }

    private mutating func unevaluatedViolations(
        _ schema: Int, _ value: JSON, at step: ValuePath.Step, _ refusal: String
    ) -> [Violation] {
        if case .nothing = self.schema.nodes[schema] { return [violation(at: step, refusal)] }
        return violations(of: schema, value, at: step)
    }
}
