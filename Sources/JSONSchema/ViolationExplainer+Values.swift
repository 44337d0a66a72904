internal import JSON

/// Texts, numbers and lists.
extension ViolationExplainer {
    func textViolations(_ rules: JSONObject, _ text: String, _ path: FieldPath) -> [JSONSchema.Violation] {
        var found: [JSONSchema.Violation] = []
        let length = Int64(text.unicodeScalars.count)
        if let least = rules["minLength"]?.integer, length < least {
            let problem =
                length == 0 ? "must not be empty" : "must have at least \(count(least, "character")), not \(length)"
            found.append(path.violation(problem))
        }
        if let most = rules["maxLength"]?.integer, length > most {
            found.append(path.violation("must have at most \(count(most, "character")), not \(length)"))
        }
        if let pattern = rules["pattern"]?.string {
            switch SchemaValidator.matches(pattern, text) {
            case true?: break
            case false?: found.append(path.violation("does not match the pattern \(pattern)"))
            case nil:
                found.append(
                    path.violation("is longer than the \(SchemaValidator.longestMatchedText) bytes that its pattern allows")
                )
            }
        }
        return found
    }

    func numberViolations(_ rules: JSONObject, _ number: JSONNumber, _ path: FieldPath) -> [JSONSchema.Violation] {
        var found: [JSONSchema.Violation] = []
        let value = number.double
        let limits: [(String, String, (Double, Double) -> Bool)] = [
            ("minimum", "at least", { $0 >= $1 }), ("maximum", "at most", { $0 <= $1 }),
            ("exclusiveMinimum", "more than", { $0 > $1 }), ("exclusiveMaximum", "less than", { $0 < $1 }),
        ]
        for (keyword, words, holds) in limits {
            guard let limit = rules[keyword]?.number, !holds(value, limit.double) else { continue }
            found.append(path.violation("must be \(words) \(limit.literal), not \(number.literal)"))
        }
        if let divisor = rules["multipleOf"]?.number, value.remainder(dividingBy: divisor.double) != 0 {
            found.append(path.violation("must be a multiple of \(divisor.literal)"))
        }
        return found
    }

    func arrayViolations(_ rules: JSONObject, _ elements: [JSON], _ path: FieldPath) -> [JSONSchema.Violation] {
        var found: [JSONSchema.Violation] = []
        let length = Int64(elements.count)
        if let least = rules["minItems"]?.integer, length < least {
            found.append(path.violation("must have at least \(count(least, "element")), not \(length)"))
        }
        if let most = rules["maxItems"]?.integer, length > most {
            found.append(path.violation("must have at most \(count(most, "element")), not \(length)"))
        }
        if rules["uniqueItems"] == true, let (first, second) = Self.firstRepetition(in: elements) {
            found.append(path.element(second).violation("repeats the element at \(first)"))
        }
        for (index, element) in elements.enumerated() {
            guard let schema = schema(ofElement: index, rules) else { continue }
            if schema == false {
                let most = rules["items"]?.array?.count ?? 0
                found.append(path.violation("must have at most \(count(Int64(most), "element")), not \(length)"))
                break
            }
            found += violations(of: schema, element, path.element(index))
            if found.count > Self.limit { break }
        }
        if let schema = rules["contains"],
            !elements.contains(where: { violations(of: schema, $0, path).isEmpty })
        {
            found.append(path.violation("has no element of the kind that it must contain"))
        }
        return found
    }

    private func schema(ofElement index: Int, _ rules: JSONObject) -> JSON? {
        guard let fixed = rules["items"]?.array else { return rules["items"] }
        return fixed.indices.contains(index) ? fixed[index] : rules["additionalItems"]
    }

    private static func firstRepetition(in elements: [JSON]) -> (Int, Int)? {
        var places: [JSON: Int] = [:]
        for (index, element) in elements.enumerated() {
            if let first = places[element] { return (first, index) }
            places[element] = index
        }
        return nil
    }

    func count(_ number: Int64, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
}
