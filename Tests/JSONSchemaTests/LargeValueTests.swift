import JSON
import Testing

@testable import JSONSchema

@Suite struct LargeValueTests {
    private static let tree: JSON = [
        "type": "object", "properties": ["c": ["anyOf": [["$ref": "#"], ["type": "null"]]]],
        "additionalProperties": false,
    ]

    @Test func aDeepValueIsJudgedUpToTheLimitAndRefusedBeyondIt() throws {
        let schema = try JSONSchema(Self.tree)
        var value: JSON = nil
        for _ in 0..<JSONSchema.depthLimit { value = ["c": value] }
        #expect(schema.validate(value) == [])
        var wrong: JSON = ["x": 1]
        for _ in 0..<(JSONSchema.depthLimit - 1) { wrong = ["c": wrong] }
        #expect(schema.validate(wrong).first?.problem.hasPrefix("is not a known field") == true)
        for _ in 0..<300 { value = ["c": value] }
        #expect(schema.validate(value).first?.problem.contains("deeper") == true)
    }

    /// A path for each list below a key of half a megabyte once took as many copies of the key.
    @Test func longKeysAreCutInPaths() throws {
        let key = String(repeating: "k", count: 500_000)
        let many = JSON.array(Array(repeating: [], count: 2_000))
        let violations = try JSONSchema(["additionalProperties": ["items": ["type": "array", "minItems": 1]]])
            .validate(.object([key: many]))
        #expect(violations.count == ViolationExplainer.limit)
        #expect(violations.allSatisfy { $0.path.hasPrefix("kkk") && $0.path.utf8.count < 500 })
        #expect(violations.first?.path.hasSuffix("[0]") == true)
    }

    @Test func aLongTextUnderAPatternIsRefusedInsteadOfOverflowingTheStack() throws {
        let schema = try JSONSchema(["properties": ["ticker": ["type": "string", "pattern": "^(A|B)*$"]]])
        let violations = schema.validate(["ticker": .string(String(repeating: "A", count: 1_000_000))])
        #expect(violations.map(\.path) == ["ticker"])
        #expect(schema.isValid(["ticker": .string(String(repeating: "AB", count: 4_000))]))
        #expect(schema.isValid(["ticker": "A", "article": .string(String(repeating: "x", count: 1_000_000))]))
    }

    @Test func aLongListIsJudgedInReasonableTimeOrRefused() throws {
        let list = JSON.array((0..<100_000).map { JSON($0) })
        #expect(try JSONSchema(["items": ["type": "integer", "minimum": 0]]).isValid(list))
        #expect(try JSONSchema(["uniqueItems": true]).validate(list).count == 1)
        let wrong = JSON.array((0..<100_000).map { _ in "x" })
        #expect(try JSONSchema(["items": ["type": "integer"]]).validate(wrong).count == ViolationExplainer.limit)
    }

    @Test func numbersBeyondDoublesAreNumbers() throws {
        let schema = try JSONSchema(["type": "number", "minimum": 0])
        #expect(schema.isValid(try JSON(parsing: "1e400")))
        #expect(!schema.isValid(try JSON(parsing: "-1e400")))
        #expect(schema.isValid(try JSON(parsing: "391035000000000000000000")))
    }

    @Test func oneSchemaServesManyTasksAtOnce() async throws {
        let schema = try JSONSchema([
            "type": "object", "properties": ["n": ["type": "integer", "maximum": 499], "s": ["pattern": "^a+$"]],
        ])
        let valid = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<1_000 { group.addTask { schema.isValid(["n": JSON(number), "s": "aaa"]) } }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(valid == 500)
    }

    /// The words never disagree with the judgement: random values against random schemas.
    @Test func whoeverIsInvalidHasAViolationAndWhoeverIsValidHasNone() throws {
        var random = Random(state: 11)
        var disagreements = 0
        for _ in 0..<3_000 {
            let schema = random.schema(depth: 3)
            let value = random.value(depth: 3)
            var reader = SchemaReader(root: schema)
            let read = try reader.read()
            let isValid =
                if case .valid = try SchemaValidator(read).answer(JudgedNumbers.prepared(value)) { true } else { false }
            let explained = ViolationExplainer(root: read).explain(JudgedNumbers.prepared(value))
            if explained.isEmpty != isValid { disagreements += 1 }
            #expect(try JSONSchema(schema).validate(value).isEmpty == isValid)
        }
        #expect(disagreements == 0, "the explainer should find what the judge finds")
    }
}

/// Random schemas and values from a fixed seed.
private struct Random {
    var state: UInt64

    mutating func next(_ limit: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int((state >> 33) % UInt64(limit))
    }

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
