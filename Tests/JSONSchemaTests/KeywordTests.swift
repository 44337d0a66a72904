import JSON
import JSONSchema
import Testing

/// A schema with values that are valid and values that are not, each as JSON text.
struct KeywordCase: Sendable, CustomTestStringConvertible {
    let schema: String
    let valid: [String]
    let invalid: [String]

    init(_ schema: String, valid: [String], invalid: [String]) {
        (self.schema, self.valid, self.invalid) = (schema, valid, invalid)
    }

    var testDescription: String { schema }
}

@Suite struct KeywordTests {
    @Test(arguments: types + texts + numbers + lists + objects + combinations + references + unevaluated)
    func aKeywordDecidesWhatTheStandardSays(_ keyword: KeywordCase) throws {
        let schema = try JSONSchema(JSON(parsing: keyword.schema))
        for value in keyword.valid {
            #expect(schema.validate(try JSON(parsing: value)) == [], "\(value) should be valid")
        }
        for value in keyword.invalid {
            #expect(!schema.isValid(try JSON(parsing: value)), "\(value) should be invalid")
        }
    }

    static let types = [
        KeywordCase("true", valid: ["1", "{}"], invalid: []),
        KeywordCase("false", valid: [], invalid: ["1", "null"]),
        KeywordCase("{}", valid: ["null", "[1]"], invalid: []),
        KeywordCase(
            #"{"type":"integer"}"#, valid: ["1", "1.0", "1e2", "-0", "1e30", "12345678901234567890"],
            invalid: ["1.5", "1e-1", #""1""#, "true"]),
        KeywordCase(#"{"type":"number"}"#, valid: ["1", "1.5", "1e400"], invalid: [#""1""#, "null"]),
        KeywordCase(#"{"type":"null"}"#, valid: ["null"], invalid: ["0", "false", #""""#]),
        KeywordCase(#"{"type":["string","null"]}"#, valid: [#""a""#, "null"], invalid: ["1", "[]"]),
        KeywordCase(#"{"type":["array","object","boolean"]}"#, valid: ["[]", "{}", "false"], invalid: ["0"]),
        KeywordCase(
            #"{"enum":[1,"a",null,[2],{"b":3}]}"#, valid: ["1.0", "[2]", #"{"b":3.0}"#], invalid: ["2", "{}"]),
        KeywordCase(
            #"{"const":{"a":1,"b":[null]}}"#, valid: [#"{"b":[null],"a":1e0}"#], invalid: [#"{"a":1}"#, "null"]),
        KeywordCase(#"{"const":null}"#, valid: ["null"], invalid: ["0", "false"]),
        KeywordCase(#"{"const":false}"#, valid: ["false"], invalid: ["0", "null"]),
        KeywordCase(#"{"format":"date-time","title":"t","x":{"minimum":9}}"#, valid: [#""soon""#, "1"], invalid: []),
    ]

    static let texts = [
        KeywordCase(#"{"minLength":2}"#, valid: [#""ab""#, #""😀😀""#, "1"], invalid: [#""a""#, #""😀""#]),
        // A family of three people is one character to the reader and five code points to the standard.
        KeywordCase(#"{"maxLength":4}"#, valid: [#""😀世界!""#, "12345"], invalid: [#""👨‍👩‍👧""#, #""abcde""#]),
        KeywordCase(#"{"maxLength":2.0}"#, valid: [#""ab""#], invalid: [#""abc""#]),
        KeywordCase(#"{"pattern":"b"}"#, valid: [#""abc""#, "3"], invalid: [#""""#, #""ac""#]),
        KeywordCase(#"{"pattern":"^[A-Z]{1,5}$"}"#, valid: [#""AAPL""#], invalid: [#""aapl""#, #""AAPL\n""#, #""""#]),
    ]

    static let numbers = [
        KeywordCase(
            #"{"minimum":1.5}"#, valid: ["1.5", "2", #""0""#], invalid: ["1.4999999999999999999999", "-1e400"]),
        KeywordCase(#"{"maximum":9007199254740993}"#, valid: ["9007199254740993"], invalid: ["9007199254740994"]),
        KeywordCase(#"{"exclusiveMinimum":0}"#, valid: ["1e-400"], invalid: ["0", "-0.0"]),
        KeywordCase(#"{"exclusiveMaximum":1e400}"#, valid: ["9e399"], invalid: ["1e400", "10e399", "1e401"]),
        KeywordCase(
            #"{"multipleOf":0.1}"#, valid: ["0.3", "1.1", "1e400", "0", "-0.7"], invalid: ["0.35", "1e-2", "-0.71"]),
        KeywordCase(#"{"multipleOf":7}"#, valid: ["14", "14.0", "7e20", "-21"], invalid: ["1", "1e20", "7.5"]),
        KeywordCase(#"{"multipleOf":1.5e3}"#, valid: ["3000", "4.5e3"], invalid: ["1000", "1500.5"]),
    ]

    static let lists = [
        KeywordCase(#"{"items":{"type":"integer"}}"#, valid: ["[]", "[1,2]", "{}"], invalid: [#"[1,"a"]"#]),
        KeywordCase(#"{"items":false}"#, valid: ["[]"], invalid: ["[1]"]),
        KeywordCase(
            #"{"prefixItems":[{"const":1},{"const":2}],"items":{"type":"string"}}"#,
            valid: ["[]", "[1]", "[1,2]", #"[1,2,"a"]"#], invalid: ["[2]", "[1,2,3]"]),
        KeywordCase(
            #"{"items":[{"const":1}],"additionalItems":{"const":2}}"#, valid: ["[1,2,2]"], invalid: ["[1,3]", "[2]"]),
        KeywordCase(#"{"items":{"const":1},"additionalItems":false}"#, valid: ["[1,1]"], invalid: ["[2]"]),
        KeywordCase(#"{"minItems":1,"maxItems":2}"#, valid: ["[1]", "[1,1]", "3"], invalid: ["[]", "[1,2,3]"]),
        KeywordCase(
            #"{"uniqueItems":true}"#, valid: ["[1,true,\"1\",[1],{\"a\":1}]", "[[1,2],[2,1]]"],
            invalid: ["[1,1.0]", #"[{"a":1,"b":2},{"b":2,"a":1}]"#, "[[null],[null]]"]),
        KeywordCase(#"{"uniqueItems":false}"#, valid: ["[1,1]"], invalid: []),
        KeywordCase(#"{"contains":{"const":1}}"#, valid: ["[2,1]", "{}"], invalid: ["[]", "[2]"]),
        KeywordCase(
            #"{"contains":{"const":1},"minContains":2,"maxContains":3}"#, valid: ["[1,1]", "[1,2,1,1]"],
            invalid: ["[1]", "[1,1,1,1]"]),
        KeywordCase(
            #"{"contains":{"const":1},"minContains":0,"maxContains":1}"#, valid: ["[]", "[1]"], invalid: ["[1,1]"]),
        KeywordCase(#"{"minContains":2}"#, valid: ["[]"], invalid: []),
    ]

    static let objects = [
        KeywordCase(
            #"{"properties":{"a":{"type":"null"}}}"#, valid: ["{}", #"{"a":null,"b":1}"#], invalid: [#"{"a":1}"#]),
        KeywordCase(#"{"required":["a","b"]}"#, valid: [#"{"b":null,"a":1}"#, "[]"], invalid: ["{}", #"{"a":1}"#]),
        KeywordCase(
            #"{"properties":{"a":true},"patternProperties":{"^x":{"type":"integer"}},"additionalProperties":{"const":0}}"#,
            valid: [#"{"a":"any","x1":5,"other":0}"#], invalid: [#"{"x1":"a"}"#, #"{"other":1}"#]),
        KeywordCase(
            #"{"properties":{"xa":{"minimum":3}},"patternProperties":{"^x":{"maximum":5},"a$":{"multipleOf":2}}}"#,
            valid: [#"{"xa":4}"#], invalid: [#"{"xa":2}"#, #"{"xa":6}"#, #"{"xa":5}"#]),
        KeywordCase(#"{"additionalProperties":false}"#, valid: ["{}"], invalid: [#"{"a":1}"#]),
        KeywordCase(
            #"{"allOf":[{"properties":{"a":true}}],"additionalProperties":false}"#, valid: ["{}"],
            invalid: [#"{"a":1}"#]),
        KeywordCase(#"{"propertyNames":{"maxLength":1}}"#, valid: [#"{"a":1}"#], invalid: [#"{"ab":1}"#]),
        KeywordCase(#"{"propertyNames":false}"#, valid: ["{}"], invalid: [#"{"a":1}"#]),
        KeywordCase(
            #"{"minProperties":1,"maxProperties":2}"#, valid: [#"{"a":1}"#], invalid: ["{}", #"{"a":1,"b":1,"c":1}"#]),
        KeywordCase(
            #"{"dependentRequired":{"a":["b","c"],"d":[]}}"#, valid: ["{}", #"{"a":1,"b":1,"c":1}"#, #"{"d":1}"#],
            invalid: [#"{"a":1,"b":1}"#]),
        KeywordCase(
            #"{"dependentSchemas":{"a":{"minProperties":2}}}"#, valid: [#"{"b":1}"#, #"{"a":1,"b":1}"#],
            invalid: [#"{"a":1}"#]),
        KeywordCase(
            #"{"dependencies":{"a":["b"],"c":{"maxProperties":1}}}"#, valid: [#"{"a":1,"b":1}"#, #"{"c":1}"#],
            invalid: [#"{"a":1}"#, #"{"c":1,"d":1}"#]),
    ]

    static let combinations = [
        KeywordCase(#"{"allOf":[{"minimum":1},{"maximum":2}]}"#, valid: ["1", "2"], invalid: ["0", "3"]),
        KeywordCase(#"{"anyOf":[{"type":"string"},{"minimum":2}]}"#, valid: [#""a""#, "2"], invalid: ["1"]),
        KeywordCase(#"{"oneOf":[{"multipleOf":2},{"multipleOf":3}]}"#, valid: ["2", "3"], invalid: ["6", "1"]),
        KeywordCase(#"{"not":{"type":["string","null"]}}"#, valid: ["1"], invalid: [#""a""#, "null"]),
        KeywordCase(#"{"not":{"not":{"type":"string"}}}"#, valid: [#""a""#], invalid: ["1"]),
        KeywordCase(
            #"{"if":{"type":"string"},"then":{"minLength":1},"else":{"minimum":1}}"#, valid: [#""a""#, "1"],
            invalid: [#""""#, "0"]),
        KeywordCase(#"{"then":false,"else":false}"#, valid: ["1"], invalid: []),
        KeywordCase(#"{"if":false,"then":false}"#, valid: ["1"], invalid: []),
    ]

    static let references = [
        KeywordCase(##"{"$ref":"#/$defs/a","$defs":{"a":{"const":1}}}"##, valid: ["1"], invalid: ["2"]),
        KeywordCase(
            ##"{"properties":{"v":{"$ref":"#/definitions/a~1b%25~0"}},"definitions":{"a/b%~":{"const":1}}}"##,
            valid: [#"{"v":1}"#], invalid: [#"{"v":2}"#]),
        KeywordCase(
            ##"{"$ref":"#/$defs/a","maximum":5,"$defs":{"a":{"minimum":1}}}"##, valid: ["1", "5"], invalid: ["0", "6"]),
        KeywordCase(
            ##"{"properties":{"a":{"type":"integer"},"b":{"$ref":"#/properties/a"}}}"##, valid: [#"{"b":1}"#],
            invalid: [#"{"b":"x"}"#]),
        KeywordCase(
            ##"{"allOf":[{"$ref":"#/allOf/1"},{"const":3}]}"##, valid: ["3"], invalid: ["4"]),
        KeywordCase(##"{"$ref":"#name","$defs":{"a":{"$anchor":"name","const":1}}}"##, valid: ["1"], invalid: ["2"]),
        KeywordCase(
            ##"{"type":"object","properties":{"next":{"$ref":"#"}},"additionalProperties":false}"##,
            valid: [#"{"next":{"next":{}}}"#], invalid: [#"{"next":{"next":1}}"#, #"{"next":{"other":{}}}"#]),
    ]

    static let unevaluated = [
        KeywordCase(
            #"{"allOf":[{"properties":{"a":true}}],"properties":{"b":true},"unevaluatedProperties":false}"#,
            valid: [#"{"a":1,"b":1}"#], invalid: [#"{"a":1,"c":1}"#]),
        KeywordCase(
            #"{"anyOf":[{"required":["a"],"properties":{"a":true}},{"required":["b"],"properties":{"b":true}}],"unevaluatedProperties":false}"#,
            valid: [#"{"a":1}"#, #"{"a":1,"b":2}"#], invalid: [#"{"a":1,"c":1}"#]),
        KeywordCase(
            #"{"if":{"properties":{"k":{"const":1}},"required":["k"]},"then":{"properties":{"a":true}},"unevaluatedProperties":false}"#,
            valid: [#"{"k":1,"a":1}"#, "{}"], invalid: [#"{"k":2}"#, #"{"a":1}"#]),
        KeywordCase(
            ##"{"$ref":"#/$defs/base","unevaluatedProperties":{"type":"integer"},"$defs":{"base":{"patternProperties":{"^x":true}}}}"##,
            valid: [#"{"x1":"text","n":1}"#], invalid: [#"{"n":"text"}"#]),
        KeywordCase(
            #"{"not":{"not":{"properties":{"a":true}}},"unevaluatedProperties":false}"#, valid: ["{}"],
            invalid: [#"{"a":1}"#]),
        KeywordCase(
            #"{"properties":{"o":{"properties":{"a":true}}},"unevaluatedProperties":false}"#,
            valid: [#"{"o":{"b":1}}"#],
            invalid: [#"{"p":1}"#]),
        KeywordCase(
            #"{"dependentSchemas":{"a":{"properties":{"b":true}}},"properties":{"a":true},"unevaluatedProperties":false}"#,
            valid: [#"{"a":1,"b":1}"#], invalid: [#"{"b":1}"#]),
        KeywordCase(
            #"{"prefixItems":[true],"allOf":[{"prefixItems":[true,{"const":2}]}],"unevaluatedItems":false}"#,
            valid: ["[1,2]"], invalid: ["[1,2,3]"]),
        KeywordCase(
            #"{"contains":{"const":1},"unevaluatedItems":{"type":"string"}}"#, valid: [#"["a",1,"b"]"#],
            invalid: ["[1,2]"]),
        KeywordCase(#"{"items":true,"unevaluatedItems":false}"#, valid: ["[1,2]"], invalid: []),
    ]
}
