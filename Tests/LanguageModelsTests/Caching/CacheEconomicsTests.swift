import TestSupport
import Testing

@testable import LanguageModels

/// Whether a mark pays, and which marks of a request are sent.
@Suite struct CacheEconomicsTests {
    private static func row(_ model: String) throws -> PriceList.Row {
        let list =
            model == "sonnet"
            ? try price("2", "10", read: "0.10", write5m: "2.50", write1h: "4")
            : try price("0.10", "0.50", read: "0.01", write5m: "0.125", write1h: "0.20")
        return try #require(list.rows.first)
    }

    private static func worth(
        _ reads: Double, _ row: PriceList.Row, _ lifetime: CacheMark.Lifetime, prefix: Int64 = 10_000,
        minimum: Int64 = 4096
    ) -> Bool {
        CacheEconomics.worthMarking(
            prefix: prefix, prices: row, lifetime: lifetime, minimum: minimum, expectedReads: reads)
    }

    @Test(arguments: [
        ("sonnet", CacheMark.Lifetime.fiveMinutes, 0.26, 0.27), ("sonnet", .oneHour, 1.05, 1.06),
        ("haiku", .fiveMinutes, 0.27, 0.28), ("haiku", .oneHour, 1.11, 1.12),
    ])
    func aMarkPaysFromTheExpectedReadsThatThePricesGive(
        _ model: String, _ lifetime: CacheMark.Lifetime, _ tooFew: Double, _ enough: Double
    ) throws {
        let row = try Self.row(model)
        #expect(!Self.worth(tooFew, row, lifetime))
        #expect(Self.worth(enough, row, lifetime))
    }

    @Test func aMarkThatPaysIsCheaperThanNone() throws {
        var random = SeededRandom(seed: 52)
        for _ in 0..<2000 {
            let input = Int.random(in: 1...20_000, using: &random)
            let prices = try price(
                "0.\(String(100_000 + input))", "1", read: "0.\(String(100_000 + input / 20).dropFirst())",
                write5m: "0.\(String(100_000 + input * 5 / 4))")
            let row = try #require(prices.rows.first)
            let (reads, tokens) = (Double(Int.random(in: 0...20, using: &random)) / 10, 5000.0)
            let (full, read) = (Double(row.input.picodollars), Double(try #require(row.cacheRead).picodollars))
            let write = Double(try #require(row.cacheWrite5m).picodollars)
            let marked = tokens * (write + reads * read)
            let unmarked = tokens * (full + reads * full)
            #expect(Self.worth(reads, row, .fiveMinutes, prefix: 5000) == (marked < unmarked && reads > 0))
        }
    }

    @Test func aPrefixBelowTheModelsShortestIsNeverMarked() throws {
        let row = try Self.row("sonnet")
        #expect(!Self.worth(100, row, .fiveMinutes, prefix: 4095))
        #expect(Self.worth(100, row, .fiveMinutes, prefix: 4096))
        #expect(Self.worth(100, row, .fiveMinutes, prefix: 512, minimum: 512))
        #expect(try Fixture.sonnet().cacheMinimum == 4096, "an unknown minimum")
    }

    @Test func aModelWithoutCachePricesIsNeverMarked() throws {
        let row = try #require(try price("2", "10").rows.first)
        #expect(!Self.worth(100, row, .fiveMinutes))
    }

    // MARK: Plans

    private static let keys = [
        PrefixKey(name: "company", hash: "a", tokens: 9000), PrefixKey(name: "draft", hash: "b", tokens: 12_000),
    ]

    private static func plan(
        _ reads: [String: Double], warm: Set<String> = [], keys: [PrefixKey] = keys
    ) throws -> CachePlan {
        let model = try Fixture.sonnet()
        return CachePlan(keys, for: model, prices: model.prices?.rows.first, expectedReads: reads) {
            warm.contains($0.hash)
        }
    }

    @Test func onlyMarksThatPayAreSentWithThoseBeforeThemForNothing() throws {
        #expect(try Self.plan([:]).sent.isEmpty)
        #expect(try Self.plan(["company": 1]).sent.map(\.name) == ["company"])
        let both = try Self.plan(["draft": 0.3])
        #expect(both.sent.map(\.name) == ["company", "draft"])
        #expect(both.usage(prompt: 13_000) == TokenUsage(input: 1000, cacheWrite5m: 12_000))
    }

    @Test func aPrefixThatTheProviderHasIsReadAndOnlyTheRestIsWritten() throws {
        let read = try Self.plan([:], warm: ["a"])
        #expect(read.sent.map(\.name) == ["company"] && read.written.isEmpty)
        #expect(read.usage(prompt: 13_000) == TokenUsage(input: 4000, cacheRead: 9000))
        let more = try Self.plan(["draft": 0.3], warm: ["a"])
        #expect(more.written.map(\.name) == ["draft"])
        #expect(more.usage(prompt: 13_000) == TokenUsage(input: 1000, cacheRead: 9000, cacheWrite5m: 3000))
    }

    @Test func atMostFourMarksAreSentAndTheLongestOnesAreAmongThem() throws {
        let keys = (1...9).map { PrefixKey(name: "turns", hash: "\($0)", tokens: Int64(5000 + $0)) }
        let plan = try Self.plan(["turns": 1], warm: ["2"], keys: keys)
        #expect(plan.sent.map(\.hash) == ["2", "7", "8", "9"])
        #expect(plan.read?.hash == "2" && plan.writtenTokens == 7)
    }

    @Test func otherProvidersGetNoMarks() throws {
        let model = try Fixture.flash()
        let plan = CachePlan(
            Self.keys, for: model, prices: model.prices?.rows.first, expectedReads: ["draft": 9], isWarm: { _ in true })
        #expect(plan.sent.isEmpty && plan.readTokens == 0)
    }
}
