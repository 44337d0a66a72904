import Basics
import Testing

@testable import Prompts

/// Figures that are in the facts and told of something else, rough ones that fit a fact by chance, and counts of time.
@Suite struct ComparedFigureTests {
    private static let facts = [
        Fact(416_161_000_000, .usd, label: "Revenue, FY2025"), Fact(391_035_000_000, .usd, label: "Revenue, FY2024"),
        Fact(0.0643, .ratio, label: "Revenue growth, FY2025"), Fact(112_010_000_000, .usd, label: "Net income, FY2025"),
        Fact(98_767_000_000, .usd, label: "Free cash flow, FY2025"), Fact(0.469, .ratio, label: "Gross margin, FY2025"),
        Fact(0.32, .ratio, label: "Operating margin, FY2025"), Fact(0.404, .ratio, label: "Median gross margin"),
        Fact(1.03, .times, label: "Free cash flow for each unit of net income"), Fact(96, .number, label: "Score"),
        Fact(93, .number, label: "Confidence"),
    ]
    private static let source = """
        The central bank raised its key rate by 0.25 percentage points on Wednesday. It was the fifth rise in 12 months. \
        Prices had grown by 4.1% over the year, twice as fast as the bank wants. Home loans became dearer. A loan over 30 \
        years now costs 6.4% a year. It will look at new figures each month.
        """

    private func strayFact(_ text: String) -> Bool {
        FigureOwnerRule(sources: Self.facts.map { ParsedText($0.label) }, facts: Self.facts, names: [])
            .problem(in: ParsedText(text), .english) != nil
            || !FigureCheck(facts: Self.facts).unsupported(in: text).isEmpty
    }

    private func strayCount(_ text: String) -> Bool {
        !FigureCheck(facts: [], sources: [Self.source]).unsupported(in: text).isEmpty
    }

    @Test(arguments: [
        "The gross margin of 32.0% in FY2025 is high.", "The operating margin came to 46.9% in FY2025.",
        "At 46.9%, the operating margin is the best sign of the brand.",
        "Of every dollar of sales, 47 cents are left as operating income.",
        "The net margin of 32.0% is high.", "In FY2025 free cash flow was higher than net income.",
        "The operating margin of 32.0% is above the gross margin of 46.9%.",
        "It has a score of 93 of 100 at a confidence of 96.", "One in three dollars of sales comes from services.",
        "About a tenth of sales is left as operating income.", "Revenue is a third more than it was a year earlier.",
        "Most of the revenue rests on one product.",
        "Net income covers the debt several times over.", "Revenue has grown for nine years in a row.",
        "Revenue has risen in every one of the last ten years.",
        "It was the fifth fall of free cash flow in as many years.",
    ]) func aFigureOfSomethingElseIsFound(_ text: String) { #expect(strayFact(text)) }

    @Test(arguments: [
        "Roughly a third of sales was left as operating income in FY2025.",
        "Nearly half of each sale, 46.9%, is left after the cost of what was sold.",
        "Gross margin was 46.9% in FY2025, while operating margin came to 32.0%.",
        "Revenue went from $391.0 billion in FY2024 to $416.2 billion in FY2025.",
        "For each dollar of net income, about 1.03 dollars arrived as free cash flow.",
        "Over the years the gross margin has had a median of 40.4%, and the latest one is higher at 46.9%.",
        "Free cash flow of $98.8 billion was lower than net income of $112.0 billion in FY2025.",
        "The operating margin of 32.0% is lower than the gross margin of 46.9%.",
        "Of every dollar of sales, 32 cents were left as operating income in FY2025.",
        "A score of 96 of 100 at a confidence of 93.",
    ]) func aFigureOfItsOwnPasses(_ text: String) { #expect(!strayFact(text)) }

    @Test(arguments: [
        "It was the fifth rise in as many months.", "A loan over 20 years now costs 6.4% a year.",
        "The cost of a home loan has doubled.", "A home loan now costs a third more.",
        "It will look at new figures each week.", "It was the fifth rise in nine months.",
    ]) func aCountOfTimeThatTheSourceGivesOtherwiseIsFound(_ text: String) { #expect(strayCount(text)) }

    @Test(arguments: [
        "It was the fifth rise in twelve months.", "A 30-year loan now costs 6.4% a year.",
        "Prices grow at double the pace that the bank wants.", "It looks at new figures every month.",
    ]) func aCountOfTheSourcePasses(_ text: String) { #expect(!strayCount(text)) }

    @Test func aFractionInWordsMayStateANumberBelowOne() {
        let check = FigureCheck(facts: [], sources: ["The learning rate is 0.01."])
        #expect(check.unsupported(in: "The learning rate is one hundredth of a step.").isEmpty)
    }

    @Test(arguments: [
        ("The median gross margin is 31.7% at Apple, against 40.4% at Harbor Tools.", true),
        ("Apple scores 58 of 100.", true),
        ("The median gross margin is 40.4% at Apple, against 31.7% at Harbor Tools.", false),
        ("The median gross margin of Apple, 40.4%, is lower than the 31.7% of Harbor Tools.", true),
    ]) func aFigureBelongsToItsColumn(_ text: String, _ isWrong: Bool) {
        let facts = [
            Fact(0.404, .ratio, label: "Median gross margin of AAPL"),
            Fact(0.317, .ratio, label: "Median gross margin of HRBT"),
            Fact(89, .number, label: "Score by the checklist of 100 of AAPL"),
            Fact(58, .number, label: "Score by the checklist of 100 of HRBT"),
        ]
        let rule = FigureOwnerRule(
            sources: [ParsedText("Apple Inc."), ParsedText("Harbor Tools Corp")], facts: facts,
            names: ["apple", "harbor"], companies: ["apple": "AAPL", "harbor": "HRBT"])
        #expect((rule.problem(in: ParsedText(text), .english) != nil) == isWrong)
    }

    @Test func eachTextOfAnAnswerIsInOneLanguage() throws {
        let check = Check(.language(otherwise: nil, sources: []))
        let answer = """
            {"a": "Prices tend to rise more slowly when people borrow less, and the bank looks at new figures each month.", \
            "b": "La marge brute de la firme montre que les clients paient volontiers."}
            """
        #expect(!check.failures(in: CheckContext(output: answer)).isEmpty)
        #expect(
            check.failures(in: CheckContext(output: #"{"a": "Prices rise slowly when people borrow less."}"#)).isEmpty)
    }

    @Test func theSameDayIsNoSignThatNothingChanged() {
        let rule = ClaimRule(sources: [ParsedText("Banks raised what they pay on savings on the same day.")])
        let found = rule.contradictions(
            in: ParsedText("Banks lowered what they pay on savings on the same day."), .english)
        #expect(!found.isEmpty)
    }
}
