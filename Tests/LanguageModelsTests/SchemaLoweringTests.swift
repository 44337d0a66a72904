import JSON
import Testing

@testable import LanguageModels

@Suite struct SchemaLoweringTests {
    @Test(arguments: [
        // Objects are closed, nested ones too.
        (
            #"{"type":"object","properties":{"a":{"type":"object","properties":{"b":{"type":"string"}}}},"required":["a"]}"#,
            #"{"type":"object","properties":{"a":{"type":"object","properties":{"b":{"type":"string"}},"required":[],"additionalProperties":false}},"required":["a"],"additionalProperties":false}"#
        ),
        // Bounds become words.
        (
            #"{"type":"integer","minimum":1,"maximum":10,"description":"A number"}"#,
            #"{"type":"integer","description":"A number\n\n{minimum: 1, maximum: 10}"}"#
        ),
        (
            #"{"type":"string","minLength":3,"format":"binary"}"#,
            #"{"type":"string","description":"{minLength: 3, format: binary}"}"#
        ),
        (#"{"type":"string","format":"date"}"#, #"{"type":"string","format":"date"}"#),
        (#"{"type":"string","pattern":"^[A-Z]{1,5}$"}"#, #"{"type":"string","pattern":"^[A-Z]{1,5}$"}"#),
        (#"{"type":"string","pattern":"(?=a)\\bx"}"#, #"{"type":"string","description":"{pattern: (?=a)\\bx}"}"#),
        (
            #"{"type":"array","items":{"type":"string"},"minItems":1}"#,
            #"{"type":"array","items":{"type":"string"},"minItems":1}"#
        ),
        (
            #"{"type":"array","items":{"type":"string"},"minItems":2,"maxItems":2}"#,
            #"{"type":"array","items":{"type":"string"},"description":"{minItems: 2, maxItems: 2}"}"#
        ),
        // Unions.
        (#"{"oneOf":[{"type":"string"},{"type":"null"}]}"#, #"{"anyOf":[{"type":"string"},{"type":"null"}]}"#),
        (
            #"{"type":["number","null"],"minimum":0,"description":"d"}"#,
            #"{"anyOf":[{"type":"number","description":"{minimum: 0}"},{"type":"null"}],"description":"d"}"#
        ),
        (#"{"type":["string","null"],"enum":["a",null]}"#, #"{"enum":["a",null]}"#),
        (#"{"type":"string","const":"x","default":"x"}"#, #"{"type":"string","const":"x","default":"x"}"#),
        // References, and keywords for tools only.
        (
            ##"{"$schema":"s","$id":"i","$defs":{"t":{"type":"string","maxLength":4}},"type":"object","properties":{"a":{"$ref":"#/$defs/t","description":"lost"}},"required":["a"]}"##,
            ##"{"$defs":{"t":{"type":"string","description":"{maxLength: 4}"}},"type":"object","properties":{"a":{"$ref":"#/$defs/t"}},"required":["a"],"additionalProperties":false}"##
        ),
        (
            #"{"properties":{"a":{"items":{"type":"string"}}}}"#,
            #"{"type":"object","properties":{"a":{"type":"array","items":{"type":"string"}}},"required":[],"additionalProperties":false}"#
        ),
    ])
    func claudeGetsKeywordsThatItCompiles(schema: String, lowered: String) throws {
        #expect(try SchemaLowering.claude(json(schema)) == json(lowered))
    }

    @Test(arguments: [
        ("true", SchemaLoweringError.untyped(path: "")), (#"{"description":"anything"}"#, .untyped(path: "")),
        (
            #"{"type":"object","properties":{"map":{"type":"object","additionalProperties":{"type":"string"}}}}"#,
            .openObject(path: "/properties/map")
        ),
        (##"{"type":"object","properties":{"a":{"$ref":"#"}}}"##, .recursive(path: "/properties/a/properties/a")),
        (
            ##"{"$ref":"#/$defs/a","$defs":{"a":{"type":"array","items":{"$ref":"#/$defs/a"}}}}"##,
            .recursive(path: "/items")
        ),
        (##"{"$ref":"https://example.com/schema"}"##, .unresolvedReference(path: "")),
        (##"{"$ref":"#/$defs/none"}"##, .unresolvedReference(path: "")),
        (##"{"$defs":{"a":{"type":"string"}},"allOf":[{"$ref":"#/$defs/a"}]}"##, .referenceInAllOf(path: "")),
    ])
    func schemasThatClaudeCannotCompileAreErrors(schema: String, error: SchemaLoweringError) {
        #expect(throws: error) { try SchemaLowering.claude(json(schema)) }
    }

    @Test(arguments: [(24, true), (25, false)])
    func optionalPropertiesAreCountedInTheWholeSchema(count: Int, isAllowed: Bool) throws {
        func object(_ names: Range<Int>) -> JSON {
            ["type": "object", "properties": .object(JSONObject(names.map { ("p\($0)", ["type": "string"]) }))]
        }
        var schema = object(0..<count - 13)
        schema["properties"]?["nested"] = object(0..<12)
        if isAllowed {
            _ = try SchemaLowering.claude(schema)
        } else {
            #expect(throws: SchemaLoweringError.tooManyOptionalProperties(count: 25, limit: 24)) {
                try SchemaLowering.claude(schema)
            }
        }
    }

    @Test func unionsAreCountedToo() {
        let schema: JSON = [
            "type": "object", "required": .array((0..<17).map { "p\($0)" }),
            "properties": .object(JSONObject((0..<17).map { ("p\($0)", ["type": ["string", "null"]]) })),
        ]
        #expect(throws: SchemaLoweringError.tooManyUnions(count: 17, limit: 16)) { try SchemaLowering.claude(schema) }
    }

    @Test(arguments: [
        (
            #"{"type":"integer","minimum":1,"maximum":10,"multipleOf":2}"#,
            #"{"type":"integer","minimum":1,"maximum":10,"description":"{multipleOf: 2}"}"#
        ),
        (
            #"{"type":"string","minLength":3,"pattern":"^a","default":"abc","description":"d"}"#,
            #"{"type":"string","description":"d\n\n{minLength: 3, pattern: ^a}"}"#
        ),
        (#"{"const":"x"}"#, #"{"enum":["x"]}"#),
        (
            #"{"oneOf":[{"type":"string","maxLength":1},{"type":"null"}]}"#,
            #"{"oneOf":[{"type":"string","description":"{maxLength: 1}"},{"type":"null"}]}"#
        ),
        (
            #"{"type":"object","additionalProperties":{"type":"string","maxLength":1}}"#,
            #"{"type":"object","additionalProperties":{"type":"string","description":"{maxLength: 1}"}}"#
        ),
        (
            ##"{"$schema":"s","$defs":{"t":{"const":1}},"$ref":"#/$defs/t","description":"beside"}"##,
            ##"{"$ref":"#/$defs/t","$defs":{"t":{"enum":[1]}}}"##
        ),
        (
            #"{"type":"object","properties":{"a":{"type":"string"}},"required":["a"],"allOf":[{"properties":{"b":{"type":"string"}},"required":["b"]}]}"#,
            #"{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}},"required":["a","b"]}"#
        ),
        // A schema may contain itself in an optional property.
        (
            ##"{"$ref":"#/$defs/n","$defs":{"n":{"type":"object","properties":{"next":{"$ref":"#/$defs/n"}}}}}"##,
            ##"{"$ref":"#/$defs/n","$defs":{"n":{"type":"object","properties":{"next":{"$ref":"#/$defs/n"}}}}}"##
        ),
    ])
    func geminiGetsItsKeywords(schema: String, lowered: String) throws {
        #expect(try SchemaLowering.gemini(json(schema)) == json(lowered))
    }

    @Test(arguments: [
        (
            ##"{"$ref":"#/$defs/n","$defs":{"n":{"type":"object","required":["next"],"properties":{"next":{"$ref":"#/$defs/n"}}}}}"##,
            SchemaLoweringError.recursive(path: "/properties/next")
        ),
        (##"{"type":"object","properties":{"a":{"$ref":"other.json"}}}"##, .unresolvedReference(path: "/properties/a")),
    ])
    func schemasThatGeminiCannotUseAreErrors(schema: String, error: SchemaLoweringError) {
        #expect(throws: error) { try SchemaLowering.gemini(json(schema)) }
    }

    @Test func anUnsupportedSchemaIsNotSent() async throws {
        let transport = ScriptedTransport()
        var request = Fixture.plain
        request.output = .json(name: "x", schema: ["description": "anything"])
        let error = try await failure { try await Fixture.claude(transport).respond(to: request, onText: nil) }
        #expect(error.kind == .unsupportedSchema(.untyped(path: "")))
        #expect(transport.requests.isEmpty)
    }

    @Test func aRequestWithAnInvalidSchemaIsNotSent() async throws {
        let transport = ScriptedTransport()
        var request = Fixture.plain
        request.output = .json(name: "x", schema: ["type": "strnig"])
        for model in [
            try Fixture.claude(transport), try Fixture.gemini(transport), try Fixture.openai(transport),
        ] as [any LanguageModel] {
            let error = try await failure { try await model.respond(to: request, onText: nil) }
            #expect(error.kind.name == "unsupported_schema")
            #expect(error.description.contains("type"), "\(error)")
        }
        #expect(transport.requests.isEmpty)
    }

    @Test func theAnswerIsValidatedAgainstTheWholeSchema() async throws {
        // Claude compiles neither bound and Gemini not the pattern, but the answer is validated by both.
        let schema: JSON = [
            "type": "object", "required": ["ticker", "points"],
            "properties": [
                "ticker": ["type": "string", "pattern": "^[A-Z]+$"],
                "points": ["type": "array", "items": ["type": "string"], "minItems": 3, "maxItems": 5],
            ],
        ]
        var request = Fixture.plain
        request.output = .json(name: "x", schema: schema)
        let claude: JSON = [
            "content": [["type": "text", "text": #"{"ticker":"AAPL","points":["one"]}"#]], "stop_reason": "end_turn",
        ]
        let short = try await failure {
            try await Fixture.claude(ScriptedTransport(.answer(body: claude.compact))).respond(to: request, onText: nil)
        }
        guard case .schemaViolation(let points) = short.kind else { throw NoFailure() }
        #expect(points.map(\.path) == ["points"])
        let gemini: JSON = [
            "candidates": [
                [
                    "content": ["parts": [["text": #"{"ticker":"aapl","points":["1","2","3"]}"#]]],
                    "finishReason": "STOP",
                ]
            ]
        ]
        let small = try await failure {
            try await Fixture.gemini(ScriptedTransport(.answer(body: gemini.compact))).respond(to: request, onText: nil)
        }
        guard case .schemaViolation(let ticker) = small.kind else { throw NoFailure() }
        #expect(ticker.map(\.path) == ["ticker"])
    }

    @Test func caseIsCorrectedEverywhereButOnlyIfUnambiguous() throws {
        let schema = try json(
            ##"""
            {"$defs":{"mood":{"enum":["Up","down",null]}},"type":"object","properties":{
              "list":{"type":"array","items":{"$ref":"#/$defs/mood"}},
              "either":{"anyOf":[{"const":"YES"},{"type":"integer"}]},
              "twins":{"enum":["a","A"]},"free":{"type":"string"}}}
            """##)
        let value = try json(
            #"{"list":["UP","DOWN",null,"sideways"],"either":"yes","twins":"a","free":"UP","new":"up"}"#)
        let repaired = try json(
            #"{"list":["Up","down",null,"sideways"],"either":"YES","twins":"a","free":"UP","new":"up"}"#)
        #expect(EnumRepair(root: schema).repair(value, against: schema) == repaired)
    }
}
