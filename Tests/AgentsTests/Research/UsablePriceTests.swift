import Basics
import DataSources
import FoundationEssentials
import JSON
import TestSupport
import JobQueue
import Testing

@testable import Agents

@Suite struct UsablePriceTests {
    private static func facts(
        _ market: MarketData?, problem: String? = nil, _ change: (inout SyntheticCompany) -> Void = { _ in }
    ) throws -> GatheredFacts {
        var company = SyntheticCompany(
            count: 5, [.netIncome: 500, .dilutedEPS: 5, .dilutedShares: 100, .revenue: 1000, .equity: 900])
        change(&company)
        return GatheredFacts(
            company: try company.company(), market: market, marketProblem: problem, at: 1_740_000_000_000)
    }

    private static func market(price: Decimal?, currency: String? = "USD", cap: Decimal? = nil) throws -> MarketData {
        MarketData(ticker: try Ticker("MADE"), source: .fmp, price: price, currency: currency, marketCap: cap)
    }

    @Test(arguments: [nil, 5000, 7400, 3400] as [Decimal?])
    func priceOfTheSharesThatTheFilingsCountIsUsed(cap: Decimal?) throws {
        let facts = try Self.facts(Self.market(price: 50, cap: cap))
        #expect(facts.usablePrice.price?.value == 50)
    }

    /// A receipt for eight shares, for half a share, and a price after a split of two that no filing shows.
    @Test(arguments: [625, 10_000, 7500, 3300] as [Decimal])
    func priceOfOtherSharesIsNotUsed(cap: Decimal) throws {
        let usable = try Self.facts(Self.market(price: 50, cap: cap)).usablePrice
        #expect(usable.price == nil && usable.problem == "the market counts other shares than the filings do")
    }

    @Test func priceIsNotUsedWhileASplitIsAnnounced() throws {
        let day = try #require(CalendarDate("2025-02-10"))
        let filing = Filing(form: "8-K", accession: "0000000001-25-000009", filed: day)
        let usable = try Self.facts(Self.market(price: 50, cap: 5000)) {
            $0.announcedSplits = [AnnouncedSplit(ratio: 10, date: day, filing: filing)]
        }.usablePrice
        #expect(usable.price == nil && usable.problem.contains("2025-02-10"))
    }

    @Test func missingPriceHasAReason() throws {
        #expect(
            try Self.facts(nil, problem: "no source of prices is set up").usablePrice.problem
                == "no source of prices is set up")
        for market in [
            try Self.market(price: nil), try Self.market(price: 0), try Self.market(price: 50, currency: nil),
        ] {
            let usable = try Self.facts(market).usablePrice
            #expect(usable.price == nil && usable.problem == "the source gave none")
        }
    }

    @Test func unusedPriceAppearsNowhereInTheReport() throws {
        let persona = try #require(try ContentFiles.persona("graham"))
        let reading = CompanyReview(of: try Self.facts(Self.market(price: 50, cap: 625)), by: persona)
        #expect(!reading.sheet.lines.contains { $0.id == "price" || $0.id == "market_cap" })
        #expect(reading.gaps.first?.contains("the market counts other shares") == true)
        let usable = CompanyReview(of: try Self.facts(Self.market(price: 50, cap: 5000)), by: persona)
        #expect(usable.sheet.lines.contains { $0.id == "price" })
        #expect(usable.scorecard.lines.contains { $0.outcome.metric.name == "price_to_book" && $0.score != nil })
    }

    @Test func priceInAnotherCurrencyMakesRatiosAbstain() throws {
        let persona = try #require(try ContentFiles.persona("graham"))
        let reading = CompanyReview(of: try Self.facts(Self.market(price: 50, currency: "EUR", cap: 5000)), by: persona)
        let priced = reading.scorecard.lines.filter(\.outcome.metric.needsPrice)
        #expect(!priced.isEmpty && priced.allSatisfy { $0.score == nil && $0.outcome.value == nil })
        #expect(reading.gaps.contains { $0.contains("the price is in EUR, the filings are in USD") })
    }

    @Test func gatheredFactsSurviveTheJournalUnchanged() throws {
        let facts = try Self.facts(Self.market(price: 50, cap: 5000), problem: nil)
        let journalled = SharedOutput(CompanyParts(facts.company).journalled, facts.ownMembers)
        let again = try GatheredFacts(JSONField(JSON(parsing: journalled.shared.text + journalled.rest)))
        #expect(again.company == facts.company && again.market == facts.market && again.at == facts.at)
    }
}
