internal import JSON

/// Texts, numbers and lists.
extension SchemaValidator {
    func violations(of rules: TextRules, _ text: String) -> [Violation] {
        var found: [Violation] = []
        if rules.minLength != nil || rules.maxLength != nil {
            let length = Int64(text.unicodeScalars.count)
            if let least = rules.minLength, length < least {
                let problem =
                    length == 0 ? "must not be empty" : "must have at least \(count(least, "character")), not \(length)"
                found.append(violation(problem))
            }
            if let most = rules.maxLength, length > most {
                found.append(violation("must have at most \(count(most, "character")), not \(length)"))
            }
        }
        if let (source, pattern) = rules.pattern {
            switch pattern.isFound(in: text) {
            case true?: break
            case false?: found.append(violation("does not match the pattern \(source)"))
            case nil:
                found.append(violation("is longer than the \(pattern.longestText) characters that its pattern allows"))
            }
        }
        return found
    }

    func violations(of rules: NumberRules, _ number: JSONNumber) -> [Violation] {
        var found: [Violation] = []
        func check(_ limit: JSONNumber?, _ words: String, _ holds: (JSONNumber, JSONNumber) -> Bool) {
            guard let limit, !holds(number, limit) else { return }
            found.append(violation("must be \(words) \(limit.literal), not \(Self.shown(.number(number)))"))
        }
        check(rules.minimum, "at least", >=)
        check(rules.maximum, "at most", <=)
        check(rules.exclusiveMinimum, "more than", >)
        check(rules.exclusiveMaximum, "less than", <)
        if let divisor = rules.multipleOf, number.isMultiple(of: divisor) != true {
            found.append(violation("must be a multiple of \(divisor.literal)"))
        }
        return found
    }

    // MARK: Lists

    mutating func violations(
        of rules: ArrayRules, _ elements: [JSON], _ evaluated: inout EvaluatedParts
    ) -> [Violation] {
        var found: [Violation] = []
        let length = Int64(elements.count)
        if let least = rules.minItems, length < least {
            found.append(violation("must have at least \(count(least, "element")), not \(length)"))
        }
        if let most = rules.maxItems, length > most {
            found.append(violation("must have at most \(count(most, "element")), not \(length)"))
        }
        if rules.hasUniqueItems, let violation = repetition(in: elements) { found.append(violation) }
        found += elementViolations(rules, elements, &evaluated)
        if let contains = rules.contains { found += containmentViolations(contains, rules, elements, &evaluated) }
        return found
    }

    private mutating func elementViolations(
        _ rules: ArrayRules, _ elements: [JSON], _ evaluated: inout EvaluatedParts
    ) -> [Violation] {
        var found: [Violation] = []
        for (index, element) in elements.enumerated() {
            let isPrefix = index < rules.prefix.count
            guard let schema = isPrefix ? rules.prefix[index] : rules.rest else { break }
            if case .nothing = self.schema.nodes[schema] {
                found.append(violation("must have at most \(count(Int64(index), "element")), not \(elements.count)"))
                break
            }
            found += violations(of: schema, element, at: .element(index))
            if self.schema.notesEvaluated { evaluated.indices.insert(index) }
            if found.count > JSONSchema.violationLimit { break }
        }
        return found
    }

    private mutating func containmentViolations(
        _ contains: Int, _ rules: ArrayRules, _ elements: [JSON], _ evaluated: inout EvaluatedParts
    ) -> [Violation] {
        var matching: Int64 = 0
        let least = rules.minContains ?? 1
        for (index, element) in elements.enumerated() {
            guard violations(of: contains, element, at: .element(index)).isEmpty else { continue }
            matching += 1
            if schema.notesEvaluated { evaluated.indices.insert(index) }
        }
        var found: [Violation] = []
        if matching < least {
            found.append(
                violation(
                    least == 1
                        ? "has no element of the kind that it must contain"
                        : "must contain at least \(count(least, "element")) of the kind that it must contain, not \(matching)"
                ))
        }
        if let most = rules.maxContains, matching > most {
            found.append(violation("may contain at most \(count(most, "element")) of the same kind, not \(matching)"))
        }
        return found
    }

    private func repetition(in elements: [JSON]) -> Violation? {
        guard elements.count <= JSONSchema.longestUniqueList else {
            return violation("has more than \(JSONSchema.longestUniqueList) elements")
        }
        var places: [JSON: Int] = [:]
        for (index, element) in elements.enumerated() {
            if let first = places[element] { return violation(at: .element(index), "repeats the element at \(first)") }
            places[element] = index
        }
        return nil
    }

    /// Checks a member or an element against a schema.
    mutating func violations(of schema: Int, _ value: JSON, at step: ValuePath.Step) -> [Violation] {
        path.steps.append(step)
        defer { path.steps.removeLast() }
        return violations(of: schema, value)
    }
}
