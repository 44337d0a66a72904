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
        "The bank raised\u{200B} its key rate.", "Mi\u{200D}crosoft earned more.", "The\u{E0041}\u{E0042} end.",
        "Two\u{FE0F} words.", "Follow @pumpdesk for more.", "Ask (@pump_desk).",
        "More at evil.shop.",
        "More at https://evil.test/x.", "Write to desk@evil.test.", "It said **sell** twice.",
        "See evil.test/now first.",
        "Call 0800 123 456 for more.", "Ring +49 40 555 0199.", "The office is at (800) 555-0147.",
        "Le bureau est au 01 23 45 67 89.", "More at evil dot shop.", "Text WIN to 70077.", "Rufen Sie jetzt an.",
        "The number is zero eight zero one two three.", "Join our group.", "Read Amazon.com or ask desk@amazon.com.",
        "A line.\n# A heading", "\u{202E}esrever", "&lt;b&gt;bold", "Call `rm` now.",
    ])
    func whatIsNotPlainFailsAtItsPlaceAlsoWhenTheSourceHasIt(text: String) {
        let found = failures(text)
        #expect(found.map(\.path) == ["why[0]"] && found.allSatisfy { $0.check == "plain-text" }, "\(text): \(found)")
    }

    @Test(arguments: [
        "Amazon.com and Booking.com earned more.", "AT&T's sales rose 3.5 % (vs. 2 % before), e.g. in the U.S.",
        "Is 3 < 5? Yes: $5 > 3*1.", "Zwei Zeilen,\n\nz.B. d.h. u.a. in der Schweiz.",
        "A family 👨‍👩‍👧 in England 🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F} ❤\u{FE0F}.", "می‌خواهم",
        "L'année 2025 – « calme » – s'achève…",
        "Snake_case stays, and so do No. 1 and #1.",
        "Sales were 1 250 000 euros on 05.11.2026, after 6.100.000 in 2025-2026.", "L'usine alimente 14 200 foyers.",
        "The dot com bubble burst in 2000.", "El punto de partida es la venta.", "The call centre has a number.",
        "Call centres closed. Visit numbers rose by +5 600 000.",
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
