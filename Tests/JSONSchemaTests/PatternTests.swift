import Testing

@testable import JSONSchema

@Suite struct PatternTests {
    @Test(
        arguments: [
            ("", ["", "a"], []), ("a", ["a", "bab"], ["", "b"]), ("^a", ["ab"], ["ba"]), ("a$", ["ba"], ["ab", "a\n"]),
            ("^$", [""], ["a"]), ("a|b|cd", ["xcd"], ["c"]), ("^(?:a|bc)+$", ["abca"], ["ab", ""]),
            ("^a?b*c+$", ["c", "abbc"], ["ab", "aac"]), ("^a{2}$", ["aa"], ["a", "aaa"]),
            ("^a{2,}$", ["aa", "aaaa"], ["a"]), ("^a{1,2}?$", ["a", "aa"], ["", "aaa"]), ("^a{,2}$", ["a{,2}"], ["aa"]),
            ("^(a{2}){2}$", ["aaaa"], ["aaa"]), ("^(a|)*$", ["", "aa"], ["b"]), ("a{0}b", ["b"], ["a"]),
            (".", ["a", "😀"], ["", "\n", "\u{2028}"]), ("^.$", ["é", "😀"], ["ab"]), ("^[a-c]$", ["b"], ["d", "-"]),
            ("^[^a-c]$", ["d", "\n"], ["b", ""]), ("^[a-]$", ["-"], ["b"]), ("^[-a]$", ["-"], ["b"]),
            ("^[]$", [], ["", "]"]), ("^[^]$", ["]"], [""]), ("^[\\w-]+$", ["a-1"], ["é", "+"]),
            ("^[\\]\\\\]$", ["]", "\\"], ["["]), ("^[\\d\\s]+$", ["1 2"], ["a"]),
            ("^\\d\\D\\w\\W\\s\\S$", ["1aa- x"], []),
            ("\\S", ["a"], ["", " \n", "\u{A0}\u{FEFF}\u{3000}"]),
            ("^\\s$", ["\t", "\u{A0}", "\u{2003}"], ["\u{200B}"]),
            ("\\bcat\\b", ["a cat.", "cat"], ["cats"]), ("\\Bat", ["cat"], ["at"]), ("^[\\b]$", ["\u{8}"], ["b"]),
            ("^\\x41\\u0042\\u{1F600}\\cA\\0$", ["AB😀\u{1}\0"], []), ("^\\ud83d\\ude00$", ["😀"], []),
            ("^\\t\\n\\v\\f\\r$", ["\t\n\u{B}\u{C}\r"], []), ("^\\^\\$\\.\\/\\-$", ["^$./-"], []),
            ("^\\p{L}+$", ["aéж世"], ["1", ""]), ("^\\p{Lu}\\P{Lu}$", ["Éa"], ["aÉ"]), ("^\\p{Letter}$", ["a"], ["1"]),
            ("^[\\p{Nd}_]$", ["٣", "_"], ["a"]), ("^\\p{gc=Sc}$", ["€"], ["e"]), ("]}", ["]}"], []),
            ("^(?=.*[A-Z])(?=.*\\d).{4,}$", ["abC1", "1Cab"], ["abc1", "AB1", "ABCD"]),
            ("^(?!con$)[a-z]+$", ["cont", "com"], ["con", "1"]), ("(?<=\\$)\\d", ["$5"], ["5", "€5"]),
            ("(?<!\\$)\\b\\d+$", ["x 55"], ["$55"]), ("^(?!.*(?=ab)ab)", ["a b"], ["xab"]), ("(?<n>a)b", ["ab"], ["b"]),
        ] as [(String, [String], [String])])
    func aPatternMatchesAsInECMAScript(pattern: String, found: [String], missed: [String]) throws {
        let compiled = try Pattern(pattern)
        for text in found { #expect(compiled.isFound(in: text) == true, "\(text.debugDescription)") }
        for text in missed { #expect(compiled.isFound(in: text) == false, "\(text.debugDescription)") }
    }

    @Test(arguments: [
        ("(", "')'"), (")", "closes no group"), ("[a", "']'"), ("*a", "nothing to repeat"),
        ("a**", "nothing to repeat"),
        ("^*", "assertion"), ("a{2,1}", "ends before"), ("a{99999}", "more than 10000 times"), ("[b-a]", "backwards"),
        ("\\", "nothing follows"), ("\\y", "'\\y' is not known"), ("\\x1", "hexadecimal"),
        ("(a)\\1", "back references"),
        ("(?<n>a)\\k<n>", "back references"), ("\\p{Script=Greek}", "not supported"), ("(?>a)", "cannot start"),
        ("(((a{100}){100}){100}){100}", "too large"), ("((((){9999}){9999}){9999}){9999}", "too large"),
        (String(repeating: "(", count: 100_000), "too deeply"),
    ])
    func aPatternThatCannotBeUsedSaysWhy(pattern: String, part: String) {
        let error = #expect(throws: PatternError.self) { try Pattern(pattern) }
        #expect(error?.problem.contains(part) == true, "\(String(describing: error))")
    }

    @Test(arguments: ["(a*)*b", "^(a+)+$", "(a|aa)*c", "^(a|a?)+b$", "(?=(a*)*b)x", "^a{0,500}a{0,500}b"])
    func aHostileTextTakesLinearTime(pattern: String) throws {
        let text = String(repeating: "a", count: Pattern.leastText - 1) + "!"
        let clock = ContinuousClock()
        let compiled = try Pattern(pattern)
        let duration = clock.measure { #expect(compiled.isFound(in: text) == false) }
        #expect(duration < .seconds(20))
    }

    @Test(arguments: ["a", "a{1,400}"])
    func aTextThatIsTooLongIsNotSearched(pattern: String) throws {
        let compiled = try Pattern(pattern)
        #expect(compiled.isFound(in: String(repeating: "a", count: compiled.longestText)) == true)
        #expect(compiled.isFound(in: String(repeating: "a", count: compiled.longestText + 1)) == nil)
    }

    @Test func aShortPatternIsSearchedInALongText() throws {
        #expect(try Pattern("\\S").isFound(in: String(repeating: " ", count: 200_000)) == false)
        #expect(try Pattern("\\S").isFound(in: String(repeating: " ", count: 199_999) + "😀") == true)
    }
}
