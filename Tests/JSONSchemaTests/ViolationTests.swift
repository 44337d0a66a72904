import JSON
import Testing

@testable import JSONSchema

@Suite struct ViolationTests {
    private static let schema: JSON = [
        "type": "object",
        "required": ["goal", "holdings"],
        "additionalProperties": false,
        "properties": [
            "goal": ["type": "string", "minLength": 1, "maxLength": 5],
            "risk": ["enum": ["low", "high", 3, nil]],
            "age": ["type": "integer", "minimum": 18, "exclusiveMaximum": 130],
            "share": ["type": ["number", "null"], "multipleOf": 5, "maximum": 100],
            "version": ["const": 2],
            "holdings": [
                "type": "array", "minItems": 1, "maxItems": 3, "uniqueItems": true,
                "items": [
                    "type": "object", "required": ["ticker"],
                    "properties": ["ticker": ["type": "string", "pattern": "^[A-Z]{1,5}$"]],
                ],
            ],
        ],
    ]

    @Test(
        arguments: [
            (#"{"goal":"x"}"#, ["'holdings' is missing"]),
            (#"{}"#, ["'goal' is missing", "'holdings' is missing"]),
            (#"[]"#, ["the value must be an object, not an array"]),
            (#"{"goal":"","holdings":[{"ticker":"A"}]}"#, ["'goal' must not be empty"]),
            (#"{"goal":"toolong","holdings":[{"ticker":"A"}]}"#, ["'goal' must have at most 5 characters, not 7"]),
            (#"{"goal":7,"holdings":[{"ticker":"A"}]}"#, ["'goal' must be a string, not a number"]),
            (
                #"{"goal":"x","holdings":[{"ticker":"A"},{"ticker":3}]}"#,
                ["'holdings[1].ticker' must be a string, not a number"]
            ),
            (#"{"goal":"x","holdings":[{}]}"#, ["'holdings[0].ticker' is missing"]),
            (
                #"{"goal":"x","holdings":[{"ticker":"a"}]}"#,
                ["'holdings[0].ticker' does not match the pattern ^[A-Z]{1,5}$"]
            ),
            (#"{"goal":"x","holdings":[]}"#, ["'holdings' must have at least 1 element, not 0"]),
            (#"{"goal":"x","holdings":[{"ticker":"A"},{"ticker":"A"}]}"#, ["'holdings[1]' repeats the element at 0"]),
            (
                #"{"goal":"x","holdings":[{"ticker":"A"}],"extra":1}"#,
                ["'extra' is not a known field; known are goal, risk, age, share, version, holdings"]
            ),
            (
                #"{"goal":"x","holdings":[{"ticker":"A"}],"risk":"mid"}"#,
                [#"'risk' must be one of "low", "high", 3, null"#]
            ),
            (#"{"goal":"x","holdings":[{"ticker":"A"}],"age":17}"#, ["'age' must be at least 18, not 17"]),
            (#"{"goal":"x","holdings":[{"ticker":"A"}],"age":130}"#, ["'age' must be less than 130, not 130"]),
            (
                #"{"goal":"x","holdings":[{"ticker":"A"}],"age":20.5}"#,
                ["'age' must be a whole number, not a number with a fraction"]
            ),
            (#"{"goal":"x","holdings":[{"ticker":"A"}],"share":7}"#, ["'share' must be a multiple of 5"]),
            (
                #"{"goal":"x","holdings":[{"ticker":"A"}],"share":"7"}"#,
                ["'share' must be a number or null, not a string"]
            ),
            (#"{"goal":"x","holdings":[{"ticker":"A"}],"version":3}"#, ["'version' must be 2"]),
        ] as [(String, [String])])
    func aViolationNamesTheFieldAndSaysWhatIsWanted(value: String, messages: [String]) throws {
        let schema = try JSONSchema(Self.schema)
        #expect(schema.validate(try JSON(parsing: value)).map(\.message) == messages)
    }

    @Test(arguments: [
        #"{"goal":"x","holdings":[{"ticker":"A"}]}"#,
        #"{"goal":"世界世界世","holdings":[{"ticker":"A","more":true}],"risk":null,"age":18.0,"share":null,"version":2.0}"#,
        #"{"goal":"x","holdings":[{"ticker":"A"}],"risk":3.0,"share":1e1}"#,
    ])
    func aValidValueHasNoViolations(value: String) throws {
        #expect(try JSONSchema(Self.schema).validate(try JSON(parsing: value)) == [])
    }

    @Test func theClosestAlternativeIsExplained() throws {
        let schema = try JSONSchema([
            "anyOf": [
                ["type": "string"],
                ["type": "object", "required": ["a"], "properties": ["a": ["type": "integer", "minimum": 3]]],
            ]
        ])
        #expect(schema.validate(["a": 1]).map(\.message) == ["'a' must be at least 3, not 1"])
        #expect(
            schema.validate(true).map(\.message) == [
                "the value fits no alternative: it must be a string, not a boolean; it must be an object, not a boolean"
            ])
    }

    @Test(
        arguments: [
            (["oneOf": [["minimum": 1], ["maximum": 5]]], 3, "fits 2 alternatives"),
            (["not": ["const": 3]], 3, "not allowed"),
            (["if": ["minimum": 3], "then": ["maximum": 4]], 5, "at most 4"),
            (["if": ["minimum": 3], "else": false], 1, "is not allowed"),
            (["allOf": [["minimum": 3], ["multipleOf": 2]]], 1, "at least 3"),
            (["contains": ["const": 1]], [2], "must contain"),
            (["propertyNames": ["maxLength": 1]], ["ab": 1], "'ab' has a name"),
            (
                ["patternProperties": ["^x": ["type": "string"]], "additionalProperties": false], ["x1": 1],
                "'x1' must be a string"
            ),
            (["patternProperties": ["^x": true], "additionalProperties": false], ["y": 1], "'y' is not a known field"),
            (["additionalProperties": ["type": "number"]], ["k": "v"], "'k' must be a number"),
            (["dependencies": ["a": ["b"]]], ["a": 1], "'b' is missing, which 'a' needs"),
            (["dependentRequired": ["a": ["b"]]], ["a": 1], "'b' is missing, which 'a' needs"),
            (["dependentSchemas": ["a": ["required": ["c"]]]], ["a": 1], "'c' is missing"),
            (["prefixItems": [["type": "string"]], "items": false], ["a", "b"], "at most 1 element"),
            (["prefixItems": [["type": "string"]]], [1], "'[0]' must be a string"),
            (
                ["items": [["type": "string"]], "additionalItems": ["type": "number"]], ["a", "b"],
                "'[1]' must be a number"
            ),
            (
                ["contains": ["const": 1], "minContains": 2], [1],
                "at least 2 elements of the kind that it must contain, not 1"
            ),
            (["contains": ["const": 1], "maxContains": 1], [1, 1], "at most 1 element of the same kind, not 2"),
            (["properties": ["a": true], "unevaluatedProperties": false], ["b": 1], "'b' is not a known field"),
            (["prefixItems": [true], "unevaluatedItems": false], [1, 2], "'[1]' is not a known element"),
            (["prefixItems": [false]], [1], "at most 0 elements, not 1"),
            (["minProperties": 1], [:], "at least 1 field"),
            (["maxProperties": 0], ["a": 1], "at most 0 fields"),
            (["$ref": "#/$defs/p", "$defs": ["p": ["type": "string"]]], 1, "must be a string"),
            (["$ref": "#/definitions/p", "definitions": ["p": ["type": "string"]]], 1, "must be a string"),
            (
                ["properties": ["a": ["$ref": "#/$defs/p", "maxLength": 1]], "$defs": ["p": ["type": "string"]]],
                ["a": "xy"], "at most 1 character"
            ),
            (false, 1, "is not allowed"),
        ] as [(JSON, JSON, String)])
    func everyKeywordHasAMessage(schema: JSON, value: JSON, part: String) throws {
        let violations = try JSONSchema(schema).validate(value)
        #expect(violations.first?.message.contains(part) == true, "\(violations)")
    }

    @Test(
        arguments: [
            ["oneOf": [["minimum": 1], ["maximum": 0]]], ["not": ["const": 4]], ["if": ["minimum": 4], "then": false],
            ["enum": [3, "x"]], ["format": "date-time"], ["title": "x", "x-unknown": 1], true, [:],
        ] as [JSON])
    func aValueThatFitsIsValid(schema: JSON) throws {
        #expect(try JSONSchema(schema).validate(3) == [])
    }

    @Test func formatIsNotChecked() throws {
        let schema = try JSONSchema(["properties": ["at": ["type": ["string", "null"], "format": "date-time"]]])
        #expect(schema.isValid(["at": nil]))
        #expect(schema.isValid(["at": "soon"]))
    }

    @Test func recursiveSchemasWork() throws {
        let schema = try JSONSchema([
            "$ref": "#/$defs/node",
            "$defs": [
                "node": [
                    "type": "object", "required": ["id"],
                    "properties": [
                        "id": ["type": "integer"], "children": ["type": "array", "items": ["$ref": "#/$defs/node"]],
                    ],
                ]
            ],
        ])
        #expect(schema.isValid(["id": 1, "children": [["id": 2, "children": []]]]))
        let violations = schema.validate(["id": 1, "children": [["id": 2, "children": [["id": "x"]]]]])
        #expect(violations.map(\.message) == ["'children[0].children[0].id' must be a whole number, not a string"])
    }
}
