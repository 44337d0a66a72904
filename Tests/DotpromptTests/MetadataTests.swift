import JSON
import Testing

@testable import Dotprompt

@Suite struct MetadataTests {
    @Test func frontMatterBecomesMetadata() throws {
        let prompt = try Dotprompt.parse(
            """
            ---
            name: n
            variant: v
            description: d
            model: m
            config:
              temperature: 0.50
            input:
              default: {a: 1}
              schema: {a: integer, b?: string}
            output:
              format: json
              schema: {r: string}
            tools: [known, other]
            acme.limit: 3
            acme.sub.deep: x
            unknown: y
            ---
            {{a}}{{b}}
            """, environment: PromptEnvironment(tools: ["known": ["name": "known"]]))
        let metadata = prompt.metadata
        #expect(metadata.name == "n" && metadata.variant == "v" && metadata.description == "d" && metadata.model == "m")
        #expect(metadata.config["temperature"]?.number?.literal == "0.50")
        #expect(metadata.inputDefaults == ["a": 1])
        #expect(metadata.inputSchema?["required"] == ["a"])
        #expect(metadata.outputFormat == "json")
        #expect(metadata.outputSchema?["properties"]?["r"] == ["type": "string"])
        #expect(metadata.tools == ["other"])
        #expect(metadata.toolDefinitions == [["name": "known"]])
        #expect(metadata.ext == ["acme": ["limit": 3], "acme.sub": ["deep": "x"]])
        #expect(metadata.unknownKeys == ["unknown"])
        #expect(metadata.raw["unknown"] == "y" && metadata.fields["unknown"] == nil)
        #expect(metadata.raw["output"]?["schema"] == ["r": "string"])
        #expect(prompt.line(nearest: ["output", "schema"]) == 13)
        #expect(prompt.templateLine == 19)
        #expect(try prompt.render().messages[0].text == "1")
        #expect(
            try prompt.render(input: ["a": 2], overrides: ["input": ["default": ["b": "x"]]]).messages[0].text == "2x")
    }

    @Test func overridesWinOverThePromptAndThePromptOverTheModel() throws {
        let environment = PromptEnvironment(defaultModel: "m", modelConfigs: ["m": ["a": 1, "b": 1, "c": 1]])
        let prompt = try Dotprompt.parse("---\nconfig: {b: 2, c: 2}\n---\nx", environment: environment)
        #expect(prompt.metadata.model == "m")
        #expect(prompt.metadata.config == ["a": 1, "b": 2, "c": 2])
        let rendered = try prompt.render(overrides: ["config": ["c": 3], "model": "other"])
        #expect(rendered.model == "other")
        #expect(rendered.config == ["b": 2, "c": 3])
    }

    @Test(
        arguments: [
            ("---\nmodel: m\n---\nbody", "m", "body"), ("\u{FEFF}---\nmodel: m\n---\nbody", "m", "body"),
            ("# license\n#\n\n---\nmodel: m\n---\nbody", "m", "body"), ("---  \nmodel: m\n---\t\nbody\n", "m", "body"),
            ("---\r\nmodel: m\r\n---\r\nbody\r\n", "m", "body"), ("---\nmodel: m\n---", "m", ""),
            ("---\n---\nbody", nil, "body"),
            ("---\n# nothing\n---\nbody", nil, "body"),
            ("body\n---\nmodel: m\n---\n", nil, "body\n---\nmodel: m\n---\n"),
            ("---\nmodel: m\nno end", nil, "---\nmodel: m\nno end"),
            ("---\nmodel: m\n---\na\n---\nb", "m", "a\n---\nb"),
            ("----\nx\n----\n", nil, "----\nx\n----\n"), ("", nil, ""),
        ] as [(String, String?, String)])
    func dashesEncloseFrontMatter(source: String, model: String?, body: String) throws {
        let prompt = try Dotprompt.parse(source)
        #expect(prompt.metadata.model == model)
        #expect(prompt.source == body)
    }

    @Test(arguments: [
        (#""any""#, #"{}"#), (#""integer, how many""#, #"{"type":"integer","description":"how many"}"#),
        (
            #"{"a":"null"}"#,
            #"{"type":"object","properties":{"a":{"type":"null"}},"required":["a"],"additionalProperties":false}"#
        ),
        (
            #"{"l(array)":"string"}"#,
            #"{"type":"object","properties":{"l":{"type":"array","items":{"type":"string"}}},"required":["l"],"additionalProperties":false}"#
        ),
        (
            #"{"l?(array, some (max 3))":"string"}"#,
            #"{"type":"object","properties":{"l":{"type":["array","null"],"items":{"type":"string"},"description":"some (max 3)"}},"additionalProperties":false}"#
        ),
        (
            #"{"e(enum)":[1,null]}"#,
            #"{"type":"object","properties":{"e":{"enum":[1,null]}},"required":["e"],"additionalProperties":false}"#
        ),
        (
            #"{"e?(enum)":["a",null]}"#,
            #"{"type":"object","properties":{"e":{"enum":["a",null]}},"additionalProperties":false}"#
        ),
        (
            #"{"o(object)":"Foo"}"#,
            #"{"type":"object","properties":{"o":{"type":"string","maxLength":3}},"required":["o"],"additionalProperties":false}"#
        ),
        (
            #"{"f?":"Foo, mine"}"#,
            #"{"type":"object","properties":{"f":{"type":["string","null"],"maxLength":3,"description":"mine"}},"additionalProperties":false}"#
        ),
        (
            #"{"a":"string","(*)":"integer"}"#,
            #"{"type":"object","properties":{"a":{"type":"string"}},"required":["a"],"additionalProperties":{"type":"integer"}}"#
        ),
        (#"{"type":"array","items":{"type":"string"}}"#, #"{"type":"array","items":{"type":"string"}}"#),
        (#"{"properties":{"a":{"type":"string"}}}"#, #"{"properties":{"a":{"type":"string"}},"type":"object"}"#),
        (#""Foo""#, #"{"type":"string","maxLength":3}"#),
        (
            #"{"n":{"m":"string"}}"#,
            #"{"type":"object","properties":{"n":{"type":"object","properties":{"m":{"type":"string"}},"required":["m"],"additionalProperties":false}},"required":["n"],"additionalProperties":false}"#
        ),
    ])
    func picoschemaBecomesJSONSchema(pico: String, schema: String) throws {
        let named: [String: JSON] = ["Foo": ["type": "string", "maxLength": 3]]
        #expect(try Picoschema.jsonSchema(from: JSON(parsing: pico), schemas: named).compact == schema)
    }

    @Test(arguments: [
        (#""Bar""#, "the schema has the type 'Bar'"), (#"{"a":{"b":3}}"#, "'a.b' must be"),
        (#"{"a(list)":"x"}"#, "'a' has '(list)'"),
        (#"{"a(enum)":"x"}"#, "'a' is an enum"), (#"{"a(array":"x"}"#, "without a ')'"), ("[]", "the schema must be"),
    ])
    func aWrongPicoschemaNamesItsProperty(pico: String, part: String) {
        let error = #expect(throws: PicoschemaError.self) { try Picoschema.jsonSchema(from: JSON(parsing: pico)) }
        #expect(error?.description.contains(part) == true, "\(String(describing: error))")
    }
}
