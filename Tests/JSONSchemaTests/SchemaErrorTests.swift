import JSON
import Testing

@testable import JSONSchema

@Suite struct SchemaErrorTests {
    @Test(
        arguments: [
            (3, "#"), (["properties": ["a": 5]], "#/properties/a"), (["type": "text"], "#/type"),
            (["type": []], "#/type"),
            (["minLength": -1], "#/minLength"), (["minLength": "1"], "#/minLength"), (["pattern": "("], "#/pattern"),
            (["patternProperties": ["[": true]], "#/patternProperties"), (["required": "a"], "#/required"),
            (["enum": []], "#/enum"), (["anyOf": []], "#/anyOf"), (["items": 1], "#/items"),
            (["$ref": "other.json"], "#/$ref"),
            (["$ref": "#/$defs/none"], "#/$ref"), (["exclusiveMinimum": true], "#/exclusiveMinimum"),
            (["multipleOf": 0], "#/multipleOf"),
            (["multipleOf": .number(JSONNumber(literal: "0.12345678901234567891") ?? JSONNumber(1))], "#/multipleOf"),
            (["$dynamicRef": "#a"], "#"), (["properties": ["a": ["$id": "b"]]], "#/properties/a"),
            (["properties": ["a/b": ["allOf": [["maximum": "x"]]]]], "#/properties/a~1b/allOf/0/maximum"),
            (["$ref": "#"], "#"), (["$ref": "#none"], "#/$ref"), (["minContains": -1], "#/minContains"),
            (["dependentRequired": ["a": "b"]], "#/dependentRequired/a"), (["prefixItems": true], "#/prefixItems"),
            (["unevaluatedItems": 3], "#/unevaluatedItems"), (["dependentSchemas": ["a": ["$ref": "#"]]], "#"),
            (["$defs": ["a": ["$ref": "#/$defs/b"], "b": ["allOf": [["$ref": "#/$defs/a"]]]]], "#/$defs/a"),
        ] as [(JSON, String)])
    func aMalformedSchemaIsRejectedWithItsPlace(schema: JSON, pointer: String) {
        let error = #expect(throws: JSONSchemaError.self) { try JSONSchema(schema) }
        #expect(error?.pointer == pointer, "\(String(describing: error))")
    }

    @Test func aSchemaThatIsNestedTooDeeplyIsRejected() {
        var schema: JSON = true
        for _ in 0..<2_000 { schema = ["not": schema] }
        #expect(throws: JSONSchemaError.self) { try JSONSchema(schema) }
    }
}
