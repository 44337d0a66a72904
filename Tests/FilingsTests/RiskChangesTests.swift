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
