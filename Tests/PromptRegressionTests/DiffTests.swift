import JSON
import Testing

@testable import PromptRegression
import Prompts

@Suite struct DiffTests {
    @Test func aDiffShowsChangesWithThreeLinesAround() {
        let old = (1...20).map { "line \($0)" }
        var new = old
        new[9] = "line ten"
        new.append("line 21")
        #expect(
            LineDiff(old, named: "a", new, named: "b").unified == """
                --- a
                +++ b
                @@ -7,7 +7,7 @@
                 line 7
                 line 8
                 line 9
                -line 10
                +line ten
                 line 11
                 line 12
                 line 13
                @@ -18,3 +18,4 @@
                 line 18
                 line 19
                 line 20
                +line 21
                """)
    }

    @Test func equalTextsHaveNoDiff() {
        let diff = LineDiff(["a", ""], named: "a", ["a", ""], named: "b")
        #expect(diff.isEmpty)
        #expect(diff.unified.isEmpty)
    }

    @Test func sidesArePairedAndChangedWordsAreMarked() {
        let diff = LineDiff(["keep", "the old word", "gone"], named: "a", ["keep", "the new word"], named: "b")
        let rows = SideBySide(diff).hunks.flatMap(\.self)
        #expect(rows.count == 3)
        #expect(rows[1].left?.pieces.filter(\.isChanged).map(\.text) == ["old"])
        #expect(rows[1].right?.pieces.filter(\.isChanged).map(\.text) == ["new"])
        #expect(rows[2].left?.number == 3)
        #expect(rows[2].right == nil)
    }

    @Test func anOutlineSpreadsLongTextsOverLines() throws {
        let value = try JSON(parsing: #"{"a":{"b":"one\ntwo\n\nthree"},"c":[1,{"d":null}],"e":[]}"#)
        #expect(
            Outline.lines(value) == ["a.b: |", "  one", "  two", "", "  three", "c[0]: 1", "c[1].d: null", "e: []"])
    }

    @Test(arguments: [
        ("research/apple", "research/*", true), ("research/apple", "*", true), ("research/apple", "*apple", true),
        ("research/apple", "research/a?ple", true), ("research/apple", "research", false), ("", "*", true),
        ("aab", "*ab", true), ("abab", "*ab*b", true), ("abc", "a*d", false), ("a*c", "a*c", true),
    ])
    func globsMatch(text: String, pattern: String, expected: Bool) {
        #expect(Glob.matches(text, pattern) == expected)
    }
}
