import JSON
import Testing

@testable import Prompts

/// What a model that obeys its source would bring into an app: links, markup, accounts to follow, hidden characters.
@Suite struct PlainTextTests {
    private static let source: JSON = [
        "text": "Amazon.com and Booking.com earned more. Follow @pumpdesk and read https://evil.test/x <b>now</b>."
    ]

    private func failures(_ text: String) -> [CheckFailure] {
        let output: JSON = ["why": [JSON(text)]]
        return Check(.grounding(.plain)).failures(in: CheckContext(output: output.compact, input: Self.source))
    }

    @Test(arguments: [
        "<script>alert(1)</script> The bank raised its key rate.", "Read [the letter](//evil.example/x) first.",
        "The bank raised\u{200B} its key rate.", "Follow @pumpdesk for more.", "Ask (@pump_desk).",
        "More at evil.shop.",
        "More at https://evil.test/x.", "Write to desk@evil.test.", "It said **sell** twice.",
        "See evil.test/now first.",
        "A line.\n# A heading", "\u{202E}esrever", "&lt;b&gt;bold", "Call `rm` now.",
    ])
    func whatIsNotPlainFailsAtItsPlaceAlsoWhenTheSourceHasIt(text: String) {
        let found = failures(text)
        #expect(found.map(\.path) == ["why[0]"] && found.allSatisfy { $0.check == "plain-text" }, "\(text): \(found)")
    }

    @Test(arguments: [
        "Amazon.com and Booking.com earned more.", "AT&T's sales rose 3.5 % (vs. 2 % before), e.g. in the U.S.",
        "Is 3 < 5? Yes: $5 > 3*1.", "Zwei Zeilen,\n\nz.B. d.h. u.a. in der Schweiz.",
        "L'année 2025 – « calme » – s'achève…",
        "Snake_case stays, and so do No. 1 and #1.",
    ])
    func plainTextsPass(text: String) { #expect(failures(text).isEmpty) }

    /// An app shows what these write. A comparison has the rule in code; the others give no text to readers.
    @Test func everyPromptWithTextsForReadersHasTheCheck() throws {
        let others: Set = ["comparison", "impact", "llm-rubric"]
        for (name, prompt) in try RepositoryBundle.load().prompts where !others.contains(name) {
            let isHeld = prompt.checks.contains { check in
                if case .grounding(.plain, _, _) = check.rule { true } else { false }
            }
            #expect(isHeld, "\(name).prompt")
        }
    }
}
