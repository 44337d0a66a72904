import JSON
import JSONSchema
import TestSupport
import Testing

/// Validates random values with random schemas: the validator and a plain reference must agree.
@Suite struct RandomSchemaTests {
    @Test func anInvalidValueHasAViolationAndAValidValueHasNone() throws {
        var random = RandomValues(generator: SeededRandom(seed: 11))
        var valid = 0
        for _ in 0..<3_000 {
            let schema = random.schema(depth: 3)
            let value = random.value(depth: 3)
            let isValid = isValid(value, schema)
            #expect(try JSONSchema(schema).validate(value).isEmpty == isValid, "\(value) by \(schema)")
            valid += isValid ? 1 : 0
        }
        #expect((600..<2_400).contains(valid), "\(valid) of 3000 values are valid: most cases say nothing")
    }
}

/// Validity as the standard words it: each keyword by itself, slowly and without messages.
private func isValid(_ value: JSON, _ schema: JSON) -> Bool {
    guard let rules = schema.object else { return schema == true }
    return rules.allSatisfy { keyword, rule in isValid(value, keyword, rule, rules) }
}

private func isValid(_ value: JSON, _ keyword: String, _ rule: JSON, _ rules: JSONObject) -> Bool {
    switch keyword {
    case "type":
        return (rule.array ?? [rule]).contains {
            $0 == "integer" ? value.integer != nil : $0.string == value.kind.rawValue
        }
    case "enum": return rule.array?.contains(value) == true
    case "const": return rule == value
    case "anyOf": return rule.array?.contains { isValid(value, $0) } == true
    case "oneOf": return rule.array?.count { isValid(value, $0) } == 1
    case "not": return !isValid(value, rule)
    default: break
    }
    switch value {
    case .string(let text):
        switch keyword {
        case "minLength": return text.unicodeScalars.count >= rule.integer ?? 0
        case "pattern": return text.hasPrefix("a")
        default: return true
        }
    case .number(let number):
        switch keyword {
        case "minimum": return number.double >= rule.double ?? 0
        case "exclusiveMaximum": return number.double < rule.double ?? 0
        case "multipleOf": return number.double.remainder(dividingBy: rule.double ?? 1) == 0
        default: return true
        }
    case .array(let elements):
        switch keyword {
        case "items":
            return elements.dropFirst(rules["prefixItems"]?.array?.count ?? 0).allSatisfy { isValid($0, rule) }
        case "prefixItems": return zip(elements, rule.array ?? []).allSatisfy { isValid($0, $1) }
        case "contains": return elements.contains { isValid($0, rule) }
        case "uniqueItems": return elements.allSatisfy { element in elements.count { $0 == element } == 1 }
        case "maxItems": return elements.count <= rule.integer ?? 0
        default: return true
        }
    case .object(let members):
        switch keyword {
        case "properties": return members.allSatisfy { key, member in rule[key].map { isValid(member, $0) } ?? true }
        case "additionalProperties":
            return members.allSatisfy { key, member in rules["properties"]?[key] != nil || isValid(member, rule) }
        case "required": return rule.array?.allSatisfy { members[$0.string ?? ""] != nil } == true
        case "dependencies":
            return rule.object?.filter { members[$0.key] != nil }.allSatisfy { _, needs in
                needs.array?.allSatisfy { members[$0.string ?? ""] != nil } ?? isValid(value, needs)
            } == true
        default: return true
        }
    default: return true
    }
}

/// Random schemas and values from a fixed seed.
private struct RandomValues {
    var generator: SeededRandom

    mutating func next(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &generator) }

    mutating func value(depth: Int) -> JSON {
        switch next(depth > 0 ? 8 : 5) {
        case 0: return nil
        case 1: return .bool(next(2) == 0)
        case 2: return JSON(next(6))
        case 3: return 1.5
        case 4: return .string(["", "a", "ab", "b"][next(4)])
        case 5, 6:
            return .object(JSONObject((0..<next(4)).map { _ in (["a", "b", "c"][next(3)], value(depth: depth - 1)) }))
        default: return .array((0..<next(4)).map { _ in value(depth: depth - 1) })
        }
    }

    mutating func schema(depth: Int) -> JSON {
        if depth == 0 || next(12) == 0 { return [true, false, [:], ["type": "integer"]][next(4)] }
        var rules = JSONObject()
        for _ in 0..<(1 + next(3)) {
            let (key, rule) = rule(depth: depth - 1)
            rules[key] = rule
        }
        return .object(rules)
    }

    private mutating func rule(depth: Int) -> (String, JSON) {
        switch next(22) {
        case 0, 1: ("type", [.string(["string", "object", "array", "number"][next(4)]), "integer"])
        case 2: ("enum", [value(depth: 1), value(depth: 0)])
        case 3: ("const", value(depth: 1))
        case 4: ("minLength", JSON(next(3)))
        case 5: ("pattern", "^a")
        case 6: ("minimum", JSON(next(4)))
        case 7: ("exclusiveMaximum", JSON(next(5)))
        case 8: ("multipleOf", 2)
        case 9: ("items", schema(depth: depth))
        case 10: ("prefixItems", [schema(depth: depth)])
        case 11: ("contains", schema(depth: depth))
        case 12: ("uniqueItems", true)
        case 13, 14: ("properties", ["a": schema(depth: depth), "b": schema(depth: depth)])
        case 15: ("additionalProperties", schema(depth: depth))
        case 16: ("required", ["a"])
        case 17: ("dependencies", ["a": ["b"], "c": schema(depth: depth)])
        case 18: ("anyOf", [schema(depth: depth), schema(depth: depth)])
        case 19: ("oneOf", [schema(depth: depth), schema(depth: depth)])
        case 20: ("not", schema(depth: depth))
        default: ("maxItems", JSON(next(3)))
        }
    }
}
