import JSON
import Testing

@testable import Prompts

/// The places where a text states facts.
@Suite struct FigureMentionTests {
    private let facts = [
        Fact(416_161_000_000, .usd, label: "Revenue, FY2025"), Fact(391_035_000_000, .usd, label: "Revenue, FY2024"),
        Fact(391_035_000_000, .usd, label: "Revenue, trailing twelve months"),
        Fact(0.064, .ratio, label: "Revenue growth, FY2025"),
        Fact(-5_000_000_000, .usd, label: "Net income, FY2025"),
    ]

    /// The texts that mentions cover, each with its fact.
    private func found(_ text: String) -> [String] {
        FigureCheck(facts: facts).mentions(in: text).map { mention in
            String(decoding: Array(text.utf16)[mention.range], as: UTF16.self) + " = " + facts[mention.fact].label
        }
    }

    @Test func eachFigureLeadsToItsFact() {
        #expect(
            found("Revenue was $416.2 billion in 2025, after $391 billion in 2024; 7 shops closed.")
                == ["$416.2 billion = Revenue, FY2025", "$391 billion = Revenue, FY2024"])
    }

    @Test func offsetsCountTheUnitsOfTheTextAsItIsWritten() {
        #expect(found("😀 Reve\u{AD}nue grew **6.4%**: e\u{301}tat") == ["6.4% = Revenue growth, FY2025"])
    }

    @Test func aFigureWithTheWrongSignOrWithoutAFactLeadsNowhere() {
        #expect(found("Net income was $5 billion, and revenue $77 billion.") == [])
        #expect(found("A net loss of $5 billion in net income terms.") == ["$5 billion = Net income, FY2025"])
        #expect(found("Nothing was counted.") == [])
    }

    @Test func textsOfAValueAreNamedByTheirPaths() {
        let value: JSON = [
            "summary": "Revenue was $416.2 billion.", "risks": [["detail": "Revenue fell to $391 billion."]],
        ]
        #expect(FigureCheck(facts: facts).mentions(in: value).map(\.path) == ["summary", "risks[0].detail"])
    }
}
