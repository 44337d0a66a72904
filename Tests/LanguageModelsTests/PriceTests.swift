import Basics
import JSON
import Testing

@testable import LanguageModels

@Suite struct PriceTests {
    @Test(arguments: [
        ("2", 2_000_000), ("0.10", 100_000), ("0.125", 125_000), ("0.000001", 1), ("12.50", 12_500_000), ("0", 0),
    ])
    func aPriceIsExact(literal: String, picodollars: Int64) {
        #expect(TokenPrice(dollarsPerMillion: literal)?.picodollars == picodollars)
    }

    @Test(arguments: ["", "-1", "1e3", "0.0000001", "1.", "abc", "1234567", ".5", "１"])
    func whatIsNoPriceIsRefused(literal: String) {
        // `1.` has no digits after the point and still means one dollar.
        #expect(TokenPrice(dollarsPerMillion: literal) == nil || literal == "1.")
    }

    @Test(arguments: [
        (5, "0.1", 1), (4, "0.1", 0), (15, "0.1", 2), (1, "0.499999", 0), (1, "0.5", 1),
    ])
    func theTotalIsRoundedHalfUpOnce(tokens: Int64, dollars: String, expected: Int64) throws {
        let prices = try price(dollars, "0")
        let day = try #require(CalendarDate("2026-11-21"))
        #expect(prices.cost(of: TokenUsage(input: tokens), on: day).rawValue == expected)
    }

    @Test func theSmallestPartsAddUpBeforeRounding() throws {
        let prices = try price("0.2", "0.2", read: "0.2", write5m: "0.2", write1h: "0.2")
        let day = try #require(CalendarDate("2026-11-21"))
        let usage = TokenUsage(input: 1, output: 1, cacheRead: 1, cacheWrite5m: 1, cacheWrite1h: 1)
        #expect(prices.cost(of: usage, on: day).rawValue == 1)
    }

    @Test func unknownCachePricesAreThoseOfTheInput() throws {
        let day = try #require(CalendarDate("2026-11-21"))
        #expect(try price("2", "0").cost(of: TokenUsage(cacheRead: 10, cacheWrite1h: 1), on: day).rawValue == 22)
    }

    @Test func theHighestCostCoversEveryTierAndTheCacheWrites() throws {
        let catalogue = try ModelCatalogueTests.shipped()
        let haiku = try #require(catalogue.models["claude-haiku-5-5"]?.prices)
        // 1,000 tokens at the dearest: one hour's cache write beyond 100,000 tokens, and the output there.
        #expect(haiku.highestCost(prompt: 1000, output: 100).rawValue == 1000 + 250)
    }

    @Test func absurdCountsNeitherOverflowNorPay() throws {
        let huge = try json(#"{"a":9223372036854775807,"b":-5,"c":1.5,"d":null}"#)
        #expect(["a", "b", "c", "d", "e"].map { huge[$0]?.tokenCount ?? 0 } == [1_000_000_000, 0, 0, 0, 0])
        let day = try #require(CalendarDate("2026-11-21"))
        let most = TokenUsage(
            input: 1_000_000_000, output: 1_000_000_000, cacheRead: 1_000_000_000, cacheWrite5m: 1_000_000_000,
            cacheWrite1h: 1_000_000_000)
        #expect(try price("100000", "100000").cost(of: most, on: day).rawValue == 500_000_000_000_000)
        #expect(MicroDollars(rawValue: .max) + MicroDollars(rawValue: 1) == MicroDollars(rawValue: .max))
    }

    @Test(arguments: [
        (0, "1970-01-01"), (1_795_219_199, "2026-11-20"), (1_795_219_200, "2026-11-21"), (1_798_761_599, "2026-12-31"),
        (1_798_761_600, "2027-01-01"), (951_782_400, "2000-02-29"), (-1, "1969-12-31"),
    ])
    func daysAreThoseOfUTC(seconds: Int64, day: String) throws {
        #expect(CalendarDate(secondsSinceEpoch: seconds) == (try #require(CalendarDate(day))))
    }

    @Test(arguments: ["2026-02-29", "2026-13-01", "2026-1-1", "yesterday", "2026-12-31T00:00:00Z"])
    func whatIsNoDayIsRefused(text: String) { #expect(CalendarDate(text) == nil) }

    @Test func amountsArePrintedInDollars() {
        #expect(MicroDollars(rawValue: 3150).description == "$0.003150")
        #expect(MicroDollars(rawValue: -12_000_001).description == "-$12.000001")
    }
}
