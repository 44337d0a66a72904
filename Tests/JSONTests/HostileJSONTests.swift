import TestSupport
import Testing

@testable import JSON

/// JSON texts whose keys, strings and numbers are made to be slow or to be taken for others.
@Suite struct HostileJSONTests {
    /// The same to a reader and to `String`, but not the same bytes.
    private static let pairs = [
        ("é", "e\u{301}"), ("K", "\u{212A}"), (";", "\u{37E}"), ("`", "\u{1FEF}"), ("Å", "\u{212B}"),
    ]

    @Test(arguments: pairs, [0, 40])
    func keysAreTheSameWhenTheirBytesAre(pair: (String, String), others: Int) {
        var object = JSONObject((0..<others).map { ("k\($0)", JSON($0)) })
        object[pair.0] = 1
        object[pair.1] = 2
        #expect(object.count == others + 2)
        #expect(object[pair.0] == 1)
        #expect(object[pair.1] == 2)
        object[pair.0] = nil
        #expect(object[pair.0] == nil)
        #expect(object[pair.1] == 2)
    }

    @Test(arguments: pairs)
    func textsAreEqualWhenTheirBytesAre(one: String, other: String) {
        #expect(JSON(one) != JSON(other))
        #expect(JSON.object([one: 1]) != JSON.object([other: 1]))
        #expect(Set([JSON(one), JSON(other), JSON(one)]).count == 2)
        #expect(JSONKey(one) == JSONKey(one))
        #expect(JSONKey(one) != JSONKey(other))
    }

    @Test func equalObjectsHaveEqualHashesInAnyOrder() throws {
        let one = try JSON(parsing: #"{"é":1,"e\u0301":"x","b":[1,{"c":null}]}"#)
        let other = try JSON(parsing: #"{"b":[1.0,{"c":null}],"e\u0301":"x","\u00e9":1}"#)
        #expect(one == other)
        #expect(one.hashValue == other.hashValue)
    }

    @Test func aLongKeyIsRefusedWithItsPlaceWhereALimitIsSet() throws {
        let key = String(repeating: "k", count: 257)
        let text = "{\"a\":\n  {\"\(key)\": 1}}"
        let error = #expect(throws: JSONSyntaxError.self) { try JSON(parsing: text.utf8, longestKey: 256) }
        #expect(error?.description == "line 2, column 4: the key has 257 bytes; 256 are the limit")
        #expect(try JSON(parsing: "{\"\(key.dropLast())\": 1}".utf8, longestKey: 256).object?.count == 1)
        #expect(try JSON(parsing: text)["a"]?[key] == 1)
    }

    @Test(arguments: [
        #"{"a":1,"a":2}"#, #"{"a":1,"\u0061":2}"#, #"{"a":"\ud800"}"#, #"{"a":"\udfff"}"#, #"{"a":"\ud800\ud800"}"#,
        #"{"a":"\ud800x"}"#, #"{"\ud800":1}"#, "\u{FEFF}{}",
    ])
    func aStrictTextHasNothingThatReadersTakeInDifferentWays(text: String) throws {
        #expect(throws: JSONSyntaxError.self) { try JSON(parsing: text.utf8, isStrict: true) }
        #expect(try JSON(parsing: text).object != nil)
    }

    @Test func aStrictTextMayHaveASurrogatePair() throws {
        #expect(try JSON(parsing: #"{"a":"\ud83d\ude00\ufffd"}"#.utf8, isStrict: true)["a"] == "\u{1F600}\u{FFFD}")
    }

    @Test func stringsAndKeysAtAnyDepthAreMapped() throws {
        let value = try JSON(parsing: #"{"a":["x",{"b":"y","c":1}],"d":null}"#)
        #expect(value.mapStrings { $0.uppercased() }.compact == #"{"A":["X",{"B":"Y","C":1}],"D":null}"#)
        let merged = try JSON(parsing: #"{"a":1,"A":2,"b":3}"#).mapStrings { $0.uppercased() }
        #expect(merged.compact == #"{"A":2,"B":3}"#)
        var large = JSON.object(JSONObject((0..<40).map { ("k\($0)", "v") })).mapStrings { $0 + "!" }
        large["k39!"] = "last"
        #expect(large.object?.count == 40)
        #expect(large["k39!"] == "last")
    }

    @Test(arguments: SlowJSON.all)
    func textsMadeToBeSlowCostLinearTime(slow: SlowJSON) {
        let growth = CPUCost.growth(slow.make, from: 32 << 10) { body in
            guard let value = try? JSON(parsing: body) else { return }
            _ = value.integer
            _ = value.double
            _ = value == value
            _ = value.hashValue
            _ = value.canonical
        }
        #expect(growth < CPUCost.linear)
    }
}

/// A JSON text that makes a careless parser slow.
struct SlowJSON: Sendable, CustomStringConvertible {
    let description: String
    let make: @Sendable (_ bytes: Int) -> String

    static let all = [
        SlowJSON(description: "digits") { String(repeating: "7", count: $0) },
        SlowJSON(description: "a fraction") { "0." + String(repeating: "3", count: $0) },
        SlowJSON(description: "zeros") { "0." + String(repeating: "0", count: $0) + "1" },
        SlowJSON(description: "an exponent") { "1e" + String(repeating: "9", count: $0) },
        SlowJSON(description: "escapes") { "\"" + String(repeating: "\\u0301", count: $0 / 6) + "\"" },
        SlowJSON(description: "half surrogates") { "\"" + String(repeating: "\\ud83d", count: $0 / 6) + "\"" },
        SlowJSON(description: "white space in deep nesting") {
            String(repeating: "[", count: 500) + String(repeating: " ", count: $0) + String(repeating: "]", count: 500)
        },
        SlowJSON(description: "many objects") { "[" + String(repeating: "{\"a\":[]},", count: $0 / 9) + "1]" },
        SlowJSON(description: "many keys") {
            "{" + (0..<$0 / 12).map { "\"k\($0)\":\($0)" }.joined(separator: ",") + "}"
        },
        SlowJSON(description: "one key many times") {
            "{" + String(repeating: "\"a\":1,", count: $0 / 6) + "\"b\":1}"
        },
    ]
}
