import Testing

@testable import Prompts

@Suite struct RoughFigureTests {
    private let sources = [
        "The bank opens twelve centres and has 4,000 workers. Sales rose 4.1% to $2.4 billion. It met three times. Rates rose by 0.25 percentage points."
    ]

    private func stray(_ text: String) -> [String] {
        FigureCheck(facts: [], sources: sources).unsupported(in: text).map(\.figure)
    }

    @Test(arguments: [
        "It owes four hundred billion dollars.", "It owes two and a half billion dollars.",
        "It has half a million workers.", "Nearly two-thirds of them left.", "Sales rose at a double-digit rate.",
        "It lost tens of millions of dollars.", "It hired several hundred people.",
        "It has a dozen and more: 13 centres.",
        "Sales are an order of magnitude larger.", "It opens two centres.", "It opens seven new centres.",
        "It has forty thousand workers.", "Sales rose 41%.", "Sales rose to $24 billion.",
        "Sales rose to $2.4 million.",
        "Sales rose 0.41%.", "Rates rose by half a percentage point.", "Rates stand at five and a quarter percent.",
    ]) func aFigureThatTheSourceDoesNotHaveIsFound(text: String) { #expect(stray(text) != []) }

    @Test(arguments: [
        "It opens twelve centres.", "It opens a dozen centres.", "It has several thousand workers.",
        "Sales of billions of dollars rose at a single-digit rate.", "Sales rose about four percent.",
        "Two things matter: the centres and the workers.", "It has four thousand workers.",
        "Rates rose by a quarter of a percentage point.",
        "One of the centres is new.",
    ]) func aFigureOfTheSourceMayBeSaidInOtherWords(text: String) { #expect(stray(text) == []) }

    @Test(arguments: [
        ("Sales grew half as fast as in the year before.", true), ("In Ohio, sales grew half as fast.", true),
        ("Costs grew half as fast as sales.", false), ("The dividend grew half as fast.", false),
    ])
    func aProportionOfTwoFiguresOfOneSentenceMayBeTold(text: String, isTold: Bool) {
        let sources = [
            "Sales grew 4 percent in 2025, after 8 percent in 2024. Costs grew 3 percent in 2025, after 5 percent in 2024.",
            "The dividend rises twice as fast as profit.",
        ]
        #expect(FigureCheck(facts: [], sources: sources).unsupported(in: text).isEmpty == isTold)
    }

    @Test func aFigureOfAnotherFactDoesNotExcuseOneThatIsTenTimesTooSmall() {
        let facts = [
            Fact(98_657_000_000, .usd, label: "Total debt, FY2025"),
            Fact(9_870_000_000, .usd, label: "Inventory, FY2025"),
        ]
        let check = FigureCheck(facts: facts)
        #expect(check.unsupported(in: "Total debt stood at $9.87 billion.").count == 1)
        #expect(check.unsupported(in: "Total debt stood at $98.7 billion.").isEmpty)
        #expect(check.unsupported(in: "Inventory stood at $9.87 billion, and total debt at $98.7 billion.").isEmpty)
    }
}
