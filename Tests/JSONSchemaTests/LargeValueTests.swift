import JSON
import Testing

@testable import JSONSchema

@Suite struct LargeValueTests {
    private static let tree: JSON = [
        "type": "object", "properties": ["c": ["anyOf": [["$ref": "#"], ["type": "null"]]]],
        "additionalProperties": false,
    ]

    @Test func aDeepValueIsValidatedUpToTheLimitAndRejectedBeyondIt() throws {
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

    /// Each of the paths would otherwise hold a copy of the key.
    @Test func longKeysAreCutInPaths() throws {
        let key = String(repeating: "k", count: 500_000)
        let many = JSON.array(Array(repeating: [], count: 2_000))
        let violations = try JSONSchema(["additionalProperties": ["items": ["type": "array", "minItems": 1]]])
            .validate(.object([key: many]))
        #expect(violations.count == JSONSchema.violationLimit)
        #expect(violations.allSatisfy { $0.path.hasPrefix("kkk") && $0.path.utf8.count < 500 })
        #expect(violations.first?.path.hasSuffix("[0]") == true)
    }

    @Test func aLongTextUnderAPatternIsRejected() throws {
        let schema = try JSONSchema(["properties": ["ticker": ["type": "string", "pattern": "^(A|B)*$"]]])
        let violations = schema.validate(["ticker": .string(String(repeating: "A", count: 1_000_000))])
        #expect(violations.map(\.path) == ["ticker"])
        #expect(schema.isValid(["ticker": .string(String(repeating: "AB", count: 4_000))]))
        #expect(schema.isValid(["ticker": "A", "article": .string(String(repeating: "x", count: 1_000_000))]))
    }

    @Test func aLongListIsValidatedInReasonableTimeOrRejected() throws {
        let list = JSON.array((0..<100_000).map { JSON($0) })
        #expect(try JSONSchema(["items": ["type": "integer", "minimum": 0]]).isValid(list))
        #expect(try JSONSchema(["uniqueItems": true]).validate(list).count == 1)
        let wrong = JSON.array((0..<100_000).map { _ in "x" })
        #expect(try JSONSchema(["items": ["type": "integer"]]).validate(wrong).count == JSONSchema.violationLimit)
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

    @Test func aSchemaWhoseWorkMultipliesWithEachLevelIsStopped() throws {
        let both: JSON = ["properties": ["c": ["$ref": "#"]]]
        let schema = try JSONSchema(["allOf": [both, both]])
        var value: JSON = 1
        for _ in 0..<100 { value = ["c": value] }
        #expect(schema.validate(value).map(\.message) == ["the value takes too long to be validated"])
    }

    @Test func aLongChainOfSchemasForOneValueIsStopped() throws {
        var definitions: JSON = ["d2000": true]
        for number in 0..<2_000 { definitions["d\(number)"] = ["allOf": [["$ref": JSON("#/$defs/d\(number + 1)")]]] }
        let schema = try JSONSchema(["$ref": "#/$defs/d0", "$defs": definitions])
        #expect(schema.validate(1).map(\.message) == ["the value is nested too deeply for its schema"])
    }
}
