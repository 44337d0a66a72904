import Testing

@testable import JSON

@Suite struct JSONTests {
    @Test func aValueComesOutAsItWentIn() throws {
        let text = #"{"z":1,"a":[1.50,-0,1e400,391035000000],"text":"é\n\"q\" 😀","n":null,"t":true}"#
        #expect(try JSON(parsing: text).compact == text)
    }

    @Test func theCanonicalFormSortsKeysAndNormalisesNumbers() throws {
        let one = try JSON(parsing: #"{ "b": 1.0, "a": 10e-1, "c": 0.00120 }"#)
        let other = try JSON(parsing: #"{"c":0.0012,"a":1,"b":1}"#)
        #expect(one == other)
        #expect(one.hashValue == other.hashValue)
        #expect(one.canonical == #"{"a":1,"b":1,"c":0.0012}"#)
    }

    @Test(arguments: [
        ("", "line 1, column 1"), ("{", "line 1, column 2"), ("[1,]", "column 4"), ("{\"a\" 1}", "':'"),
        ("\"a", "closing quote"), ("01", "after the end"), ("1 2", "after the end"), ("[\n1,\n x]", "line 3, column 2"),
        ("\"\u{01}\"", "control character"), ("tru", "expected true"), ("-", "digit"), ("\"\\x\"", "no escape"),
    ])
    func textThatIsNotJSONIsRejectedWithItsPlace(text: String, message: String) {
        let error = #expect(throws: JSONSyntaxError.self) { try JSON(parsing: text) }
        #expect(error?.description.contains(message) == true, "\(String(describing: error))")
    }

    @Test func deepNestingIsRejectedInsteadOfOverflowingTheStack() {
        #expect(throws: JSONSyntaxError.self) {
            try JSON(parsing: String(repeating: "[", count: 100_000))
        }
    }

    @Test func escapesAndSurrogatePairsAreDecoded() throws {
        #expect(try JSON(parsing: #""\u0041\ud83d\ude00\ud83d\/""#).string == "A😀\u{FFFD}/")
    }

    @Test func aWrongFieldIsNamedWithItsPath() throws {
        let field = JSONField(try JSON(parsing: #"{"holdings":[{"ticker":"A"},{"ticker":3}]}"#))
        let error = #expect(throws: JSONFieldError.self) {
            for holding in try field["holdings"].array() { _ = try holding["ticker"].string() }
        }
        #expect(error?.description == "'holdings[1].ticker' must be a string, not a number")
        #expect(throws: JSONFieldError(path: "goal", problem: "is missing")) { try field["goal"].string() }
    }

    @Test func integersAreExactOrAbsent() throws {
        #expect(try JSON(parsing: "3.0").integer == 3)
        #expect(try JSON(parsing: "3.5").integer == nil)
        #expect(try JSON(parsing: "9223372036854775807").integer == .max)
        #expect(try JSON(parsing: "9223372036854775808").integer == nil)
    }

    @Test func aLargeObjectKeepsOrderAndFindsItsMembersAfterRemoval() {
        var object = JSONObject((0..<50).map { ("k\($0)", JSON($0)) })
        object["k20"] = nil
        #expect(object.count == 49)
        #expect(object["k49"] == 49)
        #expect(object.keys[20] == "k21")
    }

    /// The exponent comes from outside: adding to it must not overflow, and it must not be read as another one.
    @Test(arguments: [
        "1e9223372036854775807", "1e99999999999999999999", "12.5E+9223372036854775806", "0.001e-9223372036854775808",
        "-1e-99999999999999999999",
    ])
    func absurdExponentsAreNumbersOfTheirOwn(text: String) throws {
        let value = try JSON(parsing: text)
        #expect(value.integer == nil)
        #expect(value.compact == text)
        #expect(value != 1 && value != 12.5)
        #expect(Set([value]).contains(try JSON(parsing: text)))
    }

    @Test func zeroIsZeroWhateverItsExponent() throws {
        #expect(try JSON(parsing: "0e99999999999999999999") == 0)
        #expect(try JSON(parsing: "-0.0e-9223372036854775808").integer == 0)
    }

    @Test func aNumberOfManyZerosIsReadAtOnce() throws {
        let zeros = String(repeating: "0", count: 500_000)
        let start = ContinuousClock.now
        #expect(try JSON(parsing: "0.\(zeros)25e500001").canonical == "2.5")
        #expect(ContinuousClock.now - start < .seconds(60))
    }

    @Test(arguments: [
        ("1", "2"), ("-2", "-1"), ("-1", "0"), ("0", "1e-400"), ("1e400", "1.1e400"), ("-1e400", "-1e399"),
        ("9007199254740992.5", "9007199254740993"), ("0.1", "0.1000000000000000001"), ("99", "100.0"),
        ("-0.5", "1e-9223372036854775808"),
    ])
    func numbersAreOrderedByTheirExactValues(less: String, more: String) throws {
        let one = try #require(JSONNumber(literal: less))
        let other = try #require(JSONNumber(literal: more))
        #expect(one < other)
        #expect(!(other < one))
        #expect(!(one < one))
    }

    @Test(
        arguments: [
            ("0", "3", true), ("6", "3", true), ("7", "3", false), ("6.0", "3e0", true), ("0.3", "0.1", true),
            ("0.35", "0.1", false), ("1e400", "3", false), ("3e400", "3", true), ("1e400", "1e399", true),
            ("1e399", "1e400", false), ("-9223372036854775808", "-1", true), ("1", "0", nil),
            ("1", "12345678901234567891", nil), ("1e300", "1234567890123456789", false),
            ("12345678901234567890", "10", true), ("1e9223372036854775807", "7", false),
        ] as [(String, String, Bool?)])
    func multiplesAreExact(value: String, divisor: String, isMultiple: Bool?) throws {
        let divisor = try #require(JSONNumber(literal: divisor))
        #expect(try #require(JSONNumber(literal: value)).isMultiple(of: divisor) == isMultiple)
    }

    @Test(arguments: [
        ("1", true), ("1.0", true), ("1e30", true), ("1.5e1", true), ("0.0", true), ("1.5", false), ("1e-1", false),
    ])
    func aWholeNumberHasNoFraction(text: String, isWhole: Bool) throws {
        #expect(try #require(JSONNumber(literal: text)).isWhole == isWhole)
    }
}

@Suite struct JSONPointerTests {
    private static let value: JSON = ["a": [1, ["b/c": ["~": 2]]], "": 3, "01": 4, "a b": 5]

    @Test(
        arguments: [
            ("#", value), ("#/a/0", 1), ("#/a/1/b~1c/~0", 2), ("#/", 3), ("#/01", 4), ("#/a%20b", 5), ("#/a/01", nil),
            ("#/a/-1", nil), ("#/a/2", nil), ("#/x", nil), ("#/a/0/x", nil), ("#a", nil), ("#/a%2", nil), ("#/~2", nil),
            ("other.json#/a", nil), ("", nil),
        ] as [(String, JSON?)])
    func aReferenceLeadsToAPart(reference: String, part: JSON?) {
        #expect(Self.value.resolving(reference: reference) == part)
    }

    @Test func theTextOfAPointerIsReadBack() throws {
        let pointer = JSONPointer(["a/b", "~", "", "é"])
        #expect(pointer.description == "/a~1b/~0//é")
        #expect(JSONPointer(parsing: pointer.description) == pointer)
        #expect(JSONPointer().appending("x").reference == "#/x")
    }
}
