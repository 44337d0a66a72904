import Foundation
import JobQueue
import Prompts
import TestSupport
import Testing

@testable import Agents

/// Questions to the pages of the library in the repository.
@Suite struct PassageQueryTests {
    private static let passages: Result<[Passage], any Error> = Result {
        try ContentFiles.bundle.get().library.flatMap { page in
            page.sections.enumerated().map { place, section in
                let title = section.heading.map { "\(page.title): \($0)" } ?? page.title
                return Passage(
                    kind: .document, source: page.name, part: Int64(place), title: title, text: section.text,
                    terms: ContentWords(title + "\n" + section.text).terms, writtenAt: 0)
            }
        }
    }

    /// The candidates that a store finds: pages with one of the words.
    private func nearest(_ question: String) throws -> [String] {
        let query = PassageQuery(question)
        let candidates = try Self.passages.get().filter { passage in
            !Set(passage.terms.split(separator: " ").map(String.init)).isDisjoint(with: query.terms)
        }
        return query.nearest(of: candidates).map(\.source)
    }

    @Test(arguments: [
        ("What is a margin of safety?", "margin-of-safety"), ("What is an economic moat", "economic-moat"),
        ("How do I read a P/E ratio?", "price-to-earnings-ratio"), ("what are owner earnings?", "owner-earnings"),
        ("Explain compound interest to me", "compounding"),
        ("Is volatility the same as risk?", "mr-market-and-volatility"),
        ("Are buybacks better than dividends?", "dividends-and-buybacks"),
        ("What does ROIC tell?", "return-on-capital"),
        ("How many companies should I own to be diversified?", "diversification"),
        ("What is a 10-K?", "reading-an-annual-report"),
        ("Why do interest rates matter for shares?", "inflation-and-interest-rates"),
        ("What is an ETF?", "index-funds"),
        ("What is a value trap?", "value-and-growth"), ("How much debt is too much?", "debt-and-interest-cover"),
        ("Was ist eine Sicherheitsmarge?", "margin-of-safety"), ("¿Qué es el margen de seguridad?", "margin-of-safety"),
        ("Qu'est-ce que la marge de sécurité ?", "margin-of-safety"), ("Was bedeutet Buchwert?", "book-value"),
        ("Wie liest man einen Geschäftsbericht?", "reading-an-annual-report"),
        ("¿Cómo funciona el interés compuesto?", "compounding"), ("C'est quoi un fonds indiciel ?", "index-funds"),
        ("Was ist der innere Wert?", "intrinsic-value"),
    ])
    func questionFindsItsPage(question: String, page: String) throws {
        let found = try nearest(question)
        #expect(found.first == page, "\(question): \(found.prefix(4))")
    }

    @Test(arguments: [
        "Should I invest?", "Should I invest now?", "Is now a good time to invest?", "How do I start investing?",
        "Should I buy stocks?", "Should I put my savings into the stock market today?", "What should I invest in?",
        "When should I invest 10,000 dollars?", "Soll ich investieren?", "Soll ich jetzt Aktien kaufen?",
        "Ist jetzt ein guter Zeitpunkt, um Geld anzulegen oder zu investieren?", "¿Debo invertir ahora?",
        "¿Es buen momento para comprar acciones?", "Dois-je investir ?", "Est-ce le bon moment pour investir ?",
    ])
    func aQuestionWhetherToInvestFindsThePageOfQuestions(question: String) throws {
        #expect(WhetherToInvest.isAsked(by: question))
        let found = WhetherToInvest.query.nearest(of: try Self.passages.get()).prefix(5).map(\.source)
        #expect(found == Array(repeating: "questions-before-investing", count: 5))
    }

    @Test(arguments: [
        "Should I invest in Apple?", "Should I buy Tesla stock now?", "What is value investing?", "Should I buy?",
        "How do interest rates change what I should invest in?", "Should I buy a house?", "Is gold a good investment?",
        "What is a stock?", "When does the stock market open?", "Soll ich SAP kaufen?", "What did Berkshire buy?",
        "How do index funds invest?", "",
    ])
    func aQuestionOnASubjectIsSearchedByItsWords(question: String) {
        #expect(!WhetherToInvest.isAsked(by: question))
    }

    @Test(arguments: [
        "What is the capital of France?", "Who won the fixture cup?", "How do I bake bread?",
        "What is Tesla's revenue?",
        "Will Bitcoin reach a new high?", "What is the best restaurant in Paris?",
        "Wie heißt die Hauptstadt von Frankreich?", "¿Quién ganó la copa?", "Quelle est la recette du pain ?",
    ])
    func questionOnAnotherSubjectFindsNothing(question: String) throws {
        #expect(try nearest(question) == [])
    }
}

@Suite struct RankFusionTests {
    private func passages(_ names: String) -> [Passage] {
        names.map { name in
            Passage(
                kind: .document, source: String(name), part: 0, title: "T", text: "x", terms: "x", writtenAt: 0)
        }
    }

    private func merged(_ lists: String...) -> String {
        RankFusion.merge(lists.map(passages)).map(\.source).joined()
    }

    @Test func singleListIsUnchanged() {
        #expect(merged("bac") == "bac" && merged("bac", "") == "bac" && merged("", "ab") == "ab" && merged() == "")
    }

    @Test func passageOfTwoListsComesBeforePassageOfOne() {
        #expect(merged("abc", "dc") == "cabd" || merged("abc", "dc") == "cadb")
        #expect(merged("abcdef", "xf").first == "f")
    }

    @Test func equalScoresKeepTheOrderOfTheLists() {
        #expect(merged("ab", "xy") == "axby")
    }

    @Test func ranksCountAndNotScores() {
        #expect(merged("ab", "ba") == "ab" && merged("abc", "cba") == "acb" || merged("abc", "cba") == "abc")
    }
}

@Suite struct OutliersTests {
    @Test func valuesFarAboveTheMeanAreOutliers() {
        let values = Array(repeating: 0.70, count: 15) + Array(repeating: 0.72, count: 15) + [0.9, 0.71, 0.85]
        #expect(Outliers.above(values).map(\.place) == [30, 32])
        // The scale differs between models.
        #expect(Outliers.above(values.map { $0 / 10 - 3 }).map(\.place) == [30, 32])
    }

    @Test func fewOrEqualValuesHaveNoOutliers() {
        #expect(Outliers.above(Array(repeating: 0.1, count: 18) + [0.9]).isEmpty)
        #expect(Outliers.above(Array(repeating: 0.1, count: 19) + [0.9]).map(\.place) == [19])
        #expect(Outliers.above(Array(repeating: 0.5, count: 40)).isEmpty && Outliers.above([]).isEmpty)
        #expect(Outliers.above((0..<40).map { Double($0 % 4) }).isEmpty)
    }

    @Test func atMostThreeValuesAreOutliers() {
        let values = Array(repeating: 0.1, count: 100) + [0.7, 0.9, 0.8, 0.9]
        #expect(Outliers.above(values).map(\.place) == [101, 103, 102])
    }
}
