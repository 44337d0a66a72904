import Testing

@testable import Filings

@Suite struct RiskChangesTests {
    private let supply =
        "We depend on a single supplier of batteries, and an interruption of its factory could stop our lines."
    private let law =
        "Under the law of Delaware a holder of more than fifteen percent may not merge with us for three years."

    @Test func `the same paragraphs in another order are no change`() {
        #expect(RiskChanges(before: [supply, law], after: [law, supply]) == RiskChanges(before: [], after: []))
    }

    @Test func `a new, a removed and a changed paragraph are told apart`() {
        let changed = law.replacing("Delaware", with: "Texas")
        let new = "Tariffs on goods from abroad might raise what we pay for steel, aluminium and copper in every plant."
        let changes = RiskChanges(before: [supply, law], after: [new, changed])
        #expect(changes.new == [new])
        #expect(changes.removed == [supply])
        #expect(changes.changed.map(\.after) == [changed])
    }

    @Test func `the lines of a summary are no new risks`() {
        let long = supply + " " + FilingTests.prose("battery", sentences: 6)
        let other = law + " " + FilingTests.prose("merger", sentences: 6)
        let summary = [
            "Summary of Risk Factors",
            "The summary below names the main risks of an investment in our shares and is not all that may matter to you.",
            "We depend on one supplier of batteries, whose factory may stand still for a long time after a fire or a flood.",
            "The law of Delaware makes it hard for a holder of many shares to take us over without the consent of our board.",
            "Risks Related to Our Business",
        ]
        let changes = RiskChanges(
            before: RiskChanges.withoutSummary([long, other]),
            after: RiskChanges.withoutSummary(summary + [long, other]))
        #expect(changes == RiskChanges(before: [], after: []))
        #expect(RiskChanges.withoutSummary(summary + [long, other]) == ["Risks Related to Our Business", long, other])
        #expect(RiskChanges.withoutSummary(summary) == summary, "nothing stands below it")
    }

    @Test func `a paragraph that was split is no change, and one that grew is`() {
        #expect(RiskChanges(before: [supply + " " + law], after: [supply, law]).new.isEmpty)
        let split = RiskChanges(before: [supply + " " + law], after: [supply, law])
        #expect(split.removed.isEmpty)
        #expect(split.changed.isEmpty)
        let grown = supply + " The supplier told us in May that it will close two of its five factories next year."
        #expect(RiskChanges(before: [supply], after: [grown]).changed.map(\.after) == [grown])
    }
}

@Suite struct FilingSearchTests {
    @Test func `a heading comes behind the text with the words of a question`() throws {
        let business =
            FilingTests.prose("service")
            + "</p><p><b>Zither Competition</b></p><p>Competitors include makers of zithers."
        let filing = FilingTests.read(FilingTests.report(business: business))
        let passages = FilingSearch(filing, items: ["1"]).passages(for: "zither competition", tokens: 200)
        #expect(passages.first?.text.hasPrefix("Competitors include") == true)
        #expect(passages.contains { $0.text == "Zither Competition" })
    }

    @Test func `the passage with the rare words of a question comes first, within the tokens`() throws {
        let business =
            FilingTests.prose("service") + "</p><p>Competitors of the company include three makers of zithers."
        let filing = FilingTests.read(FilingTests.report(business: business))
        let passages = FilingSearch(filing, items: ["1"]).passages(for: "Who competes in zithers?", tokens: 200)
        #expect(passages.first?.text.contains("zithers") == true)
        #expect(passages.reduce(0) { $0 + $1.tokens } <= 200)
        #expect(FilingSearch(filing, items: ["1A"]).passages(for: "zithers", tokens: 200).isEmpty)
    }
}
