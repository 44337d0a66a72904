import JSON
import Testing

@testable import YAML

@Suite struct YAMLValueTests {
    @Test(arguments: [
        ("", "null"), ("~", "null"), ("null", "null"), ("Null", "null"), ("nULL", #""nULL""#), ("true", "true"),
        ("True", "true"), ("FALSE", "false"), ("yes", #""yes""#), ("no", #""no""#), ("on", #""on""#),
        ("off", #""off""#),
        ("y", #""y""#), ("12", "12"), ("-7", "-7"), ("+7", "7"), ("007", "7"), ("0", "0"), ("-0", "-0"), ("010", "10"),
        ("0o10", "8"), ("0x1F", "31"), ("0b11", #""0b11""#), ("0o8", #""0o8""#), ("1_000", #""1_000""#),
        ("1.50", "1.50"),
        (".5", "0.5"), ("5.", "5"), ("-.5", "-0.5"), ("1e400", "1e400"), ("1E+5", "1E+5"), ("1e", #""1e""#),
        (".", #"".""#),
        ("391035000000000000000", "391035000000000000000"), ("2024-01-31", #""2024-01-31""#),
        ("12:30:45", #""12:30:45""#),
        ("1.2.3", #""1.2.3""#), ("\"12\"", #""12""#), ("'true'", #""true""#), ("\"~\"", #""~""#), ("''", #""""#),
        ("+", #""+""#),
        ("-", "[null]"), ("\"\\u00e9\\t\\x41\"", #""é\tA""#), ("'it''s'", #""it's""#), ("0x", #""0x""#), ("٣", #""٣""#),
    ])
    func scalarsFollowTheCoreSchema(yaml: String, json: String) throws {
        #expect(try YAMLDocument(parsing: yaml).value.compact == json)
    }

    @Test(arguments: [
        ("z: 1\na: 2\nm: 3\n", #"{"z":1,"a":2,"m":3}"#),
        ("- 1\n- [a, {b: c}]\n-\n", #"[1,["a",{"b":"c"}],null]"#),
        ("a:\nb: {c, d: }\n", #"{"a":null,"b":{"c":null,"d":null}}"#),
        ("1: x\ntrue: y\n~: z\n", #"{"1":"x","true":"y","~":"z"}"#),
        ("# only a comment\n", "null"),
        ("---\na: 1\n...\n", #"{"a":1}"#),
        ("\u{FEFF}a: 1\n", #"{"a":1}"#),
        ("a: 1\r\nb: two\r\n", #"{"a":1,"b":"two"}"#),
        ("text: |\n  one\n  two\n\nnext: 1\n", #"{"text":"one\ntwo\n","next":1}"#),
        ("text: |-\n  one\n   two\n", #"{"text":"one\n two"}"#),
        ("text: |+\n  one\n\nnext: 1\n", #"{"text":"one\n\n","next":1}"#),
        ("text: >\n  one\n  two\n\n  three\n", #"{"text":"one two\nthree\n"}"#),
        ("text: |2\n    one\n", #"{"text":"  one\n"}"#),
        ("text: one\n  two\n", #"{"text":"one two"}"#),
        ("a: \"x\\\n  y\"\n", #"{"a":"xy"}"#),
        ("a: \"q \\\" b \\\\ \\n\"", #"{"a":"q \" b \\ \n"}"#),
        ("url: http://a/b#c\nnote: a # comment\n", #"{"url":"http://a/b#c","note":"a"}"#),
        (
            "color?(enum, the enum): [RED, BLUE]\n(*): number, lucky\n",
            #"{"color?(enum, the enum)":["RED","BLUE"],"(*)":"number, lucky"}"#
        ),
        ("emoji: 😀 世界\n", #"{"emoji":"😀 世界"}"#),
        ("? a\n: b\n", #"{"a":"b"}"#),
        ("a:\tb\n", #"{"a":"b"}"#),
    ])
    func collectionsKeepTheirOrderAndBlockScalarsTheirLines(yaml: String, json: String) throws {
        #expect(try YAMLDocument(parsing: yaml).value.compact == json)
    }

    @Test(arguments: [
        ("a: &x {b: 1}\nc: *x\n", #"{"a":{"b":1},"c":{"b":1}}"#),
        ("a: &x 1\nb: [*x, *x]\n", #"{"a":1,"b":[1,1]}"#),
        ("base: &b {x: 1, y: 2}\nd:\n  <<: *b\n  y: 3\n", #"{"base":{"x":1,"y":2},"d":{"x":1,"y":3}}"#),
        (
            "a: &a {x: 1}\nb: &b {x: 2, y: 2}\nc: {<<: [*a, *b], z: 3}\n",
            #"{"a":{"x":1},"b":{"x":2,"y":2},"c":{"x":1,"y":2,"z":3}}"#
        ),
        ("'<<': 1\n", #"{"<<":1}"#),
    ])
    func aliasesAndMergeKeysAreResolved(yaml: String, json: String) throws {
        #expect(try YAMLDocument(parsing: yaml).value.compact == json)
    }
}

@Suite struct YAMLPositionTests {
    private let text = """
        id: buffett
        checklist:
          # the first
          - rule: low debt
            points: [1, 2]
          - rule: |
              two
              lines
            weight: 3
        base: &b
          deep: 1
        copy:
          <<: *b
          own: 2

        """

    @Test(
        arguments: [
            ([], 1), (["id"], 1), (["checklist"], 2), (["checklist", "0"], 4), (["checklist", "0", "rule"], 4),
            (["checklist", "0", "points", "1"], 5), (["checklist", "1", "rule"], 6), (["checklist", "1", "weight"], 9),
            (["copy", "own"], 14), (["copy", "deep"], 11),
        ] as [([String], Int)])
    func everyPartHasItsLine(path: [String], line: Int) throws {
        #expect(try YAMLDocument(parsing: text).line(of: path) == line)
    }

    @Test func aPathThatLeadsNowhereHasNoLineButANearestOne() throws {
        let document = try YAMLDocument(parsing: text)
        #expect(document.line(of: ["checklist", "7"]) == nil)
        #expect(document.line(of: ["id", "x"]) == nil)
        #expect(document.line(nearest: ["checklist", "1", "missing"]) == 6)
        #expect(document.line(nearest: ["missing"]) == 1)
    }

    @Test func columnsCountCharacters() throws {
        let document = try YAMLDocument(parsing: "é: {ü: 1, b: 2}\n")
        #expect(document.position(of: ["é", "b"]) == YAMLPosition(line: 1, column: 11))
    }
}
