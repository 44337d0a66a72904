import Foundation
import Prompts
import JobQueue
import Testing

@testable import Agents

/// Questions to the pages that the repository has.
@Suite struct PassageQueryTests {
    private static let passages: Result<[Passage], any Error> = Result {
        try Home.bundle.get().library.flatMap { page in
            page.sections.enumerated().map { place, section in
                let title = section.heading.map { "\(page.title): \($0)" } ?? page.title
                return Passage(
                    kind: .document, source: page.name, part: Int64(place), title: title, text: section.text,
                    terms: ContentWords(title + "\n" + section.text).terms, writtenAt: 0)
            }
        }
    }

    /// As a store finds candidates: all that hold one of the words.
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
    ])
    func aQuestionFindsItsPage(question: String, page: String) throws {
        let found = try nearest(question)
        #expect(found.first == page, "\(question): \(found.prefix(4))")
    }

    @Test(arguments: [
        "What is the capital of France?", "Who won the world cup?", "How do I bake bread?", "What is Tesla's revenue?",
        "Will Bitcoin reach a new high?", "What is the best restaurant in Paris?",
    ])
    func aQuestionAboutSomethingElseFindsNothing(question: String) throws {
        #expect(try nearest(question) == [])
    }
}
