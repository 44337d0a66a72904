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
    func whatIsNotJSONIsRefusedWithItsPlace(text: String, message: String) {
        let error = #expect(throws: JSONSyntaxError.self) { try JSON(parsing: text) }
        #expect(error?.description.contains(message) == true, "\(String(describing: error))")
    }

    @Test func deepNestingIsRefusedInsteadOfOverflowingTheStack() {
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

    /// Whoever sends the text chooses the exponent: adding to it must not overflow, nor may it be read as another one.
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
}
