import Basics
import JSON
import Testing

@testable import Prompts

/// Checks of what a reader without training understands: terms, time, and the names under which they fail.
@Suite struct PlainLanguageTests {
    private func terms(_ text: String) -> [String] {
        var known: Set<String> = []
        return Jargon.unexplained(in: text, known: &known)
    }

    @Test(arguments: [
        ("EBITDA rose to a record.", ["EBITDA"]), ("Its gross margins widened.", ["gross margins"]),
        ("The Fed raised rates by 25 basis points.", ["basis points"]),
        ("The FOMC was hawkish.", ["FOMC", "hawkish"]), ("It cut its guidance for the year.", ["guidance"]),
        ("The P/E fell.", ["P/E"]), ("Analysts at the hedge fund wrote a note.", []),
        ("They hedge their bets with swaps.", ["hedge"]),
        // A statement about the news is no explanation of a term.
        ("EBITDA rose. This is good for the firm's plans.", ["EBITDA"]),
        ("Free cash flow fell. It was a hard year.", ["Free cash flow"]),
    ])
    func termsWithoutAnExplanationAreFound(_ text: String, _ expected: [String]) {
        #expect(terms(text) == expected)
    }

    @Test(arguments: [
        "What it earns before interest and tax, called EBITDA, rose.",
        "EBITDA, which is profit before interest and tax, rose.", "Profit before interest and tax (EBITDA) rose.",
        "EBITDA (profit before interest and tax) rose.", "EBITDA is a measure of profit before interest.",
        "It cut its guidance. That is what it expects to earn.",
        "Rates rose by 25 basis points. A basis point is a hundredth of a percent.",
        "The extra yield, or risk premium, grew.", "Sales of shops open for a year, known as same-store sales, grew.",
        "", "Ebitdaville grew.", "It earned profits on phones and paid a dividend.",
    ])
    func explainedTermsAndPlainWordsPass(_ text: String) { #expect(terms(text).isEmpty) }

    @Test func aTermIsExplainedOnceForTheWholeAnswer() {
        let output = #"{"a": "EBITDA (profit before tax) rose.", "b": "EBITDA fell.", "c": ["Its capex is high."]}"#
        let failures = Check(.jargon).failures(in: CheckContext(output: output))
        #expect(failures.map(\.path) == ["c[0]"] && failures.first?.message.contains("\"capex\"") == true)
    }

    @Test func readingTimeCountsWordsAndTheirLength() {
        func problem(_ text: String) -> String? {
            Check(.readingTime(.init(max: 15))).failures(in: CheckContext(output: text)).first?.message
        }
        #expect(problem(Array(repeating: "word", count: 59).joined(separator: " ")) == nil)
        #expect(problem(Array(repeating: "word", count: 60).joined(separator: " "))?.contains("15.1 seconds") == true)
        #expect(problem(Array(repeating: "Geschwindigkeit", count: 30).joined(separator: " ")) != nil)
        #expect(problem("") == nil)
    }

    @Test func aRuleWithANameFailsUnderItWithItsTypeAndPlace() throws {
        let output = #"{"closing": "Hurry now.", "other": "Calm."}"#
        let pattern = try #require(CompiledPattern("(?i)hurry"))
        let check = Check(.regex(pattern, isNegated: true), label: "no-urgency")
        let failure = try #require(check.failures(in: CheckContext(output: output)).first)
        #expect(failure.check == "no-urgency" && failure.type == "not-regex" && failure.path == "closing")
        #expect(failure.label == "no-urgency (not-regex) at closing")
        let plain = Check(.sentenceCount(.init(min: 3)), path: OutputPath("other"))
        #expect(plain.failures(in: CheckContext(output: output)).map(\.label) == ["sentence-count at other"])
    }

    // MARK: Holders

    private func problems(_ parts: JSON) throws -> [String] {
        let holders: JSON = [
            ["id": "AAPL", "name": "AAPL", "required": true],
            ["id": "banks", "name": "bank shares", "required": false],
        ]
        let source = try #require(OutputPath("holders[]"))
        let check = Check(.holdersAddressed(source), path: OutputPath("parts[]"))
        let output: JSON = ["parts": parts]
        return check.failures(in: CheckContext(output: output.compact, input: ["holders": holders])).map(\.description)
    }

    @Test func partsSpeakToTheHoldersTheyAreFor() throws {
        let apple: JSON = ["holding": "AAPL", "text": "Since you hold AAPL, it is context."]
        #expect(try problems([apple]).isEmpty)
        #expect(try problems([apple, ["holding": "banks", "text": "Since you hold bank shares, it is far."]]).isEmpty)
        #expect(try problems([]).first?.contains("missing for AAPL") == true)
        #expect(try problems([apple, apple]).first?.contains("already") == true)
        #expect(
            try problems([apple, ["holding": "TSLA", "text": "Since you hold TSLA, no."]]).first?.contains("one of")
                == true
        )
        #expect(try problems([["holding": "AAPL", "text": "It is context."]]).first?.contains("begin with") == true)
        #expect(
            try problems([["holding": "AAPL", "text": "Since you hold AAPL and TSLA, it is context."]]).first?
                .contains("TSLA") == true)
    }
}
