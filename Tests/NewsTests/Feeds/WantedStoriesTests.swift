import JobQueue
import JSON
import News
import TestSupport
import Testing

/// Stories that will be wanted, and the part of an explanation that one reader sees.
@Suite struct WantedStoriesTests {
    private func names(
        _ records: FakeRecords, held: [String] = [], perTicker: Int = 3, top: Int = 20
    ) async throws -> [String] {
        try await WantedStories(records).groups(at: Samples.timestamp, held: held, perTicker: perTicker, top: top)
            .map { String($0.story.key.prefix { $0 != "-" }) }
    }

    @Test func aHoldingCountsAsMuchAsALevelOfImpact() async throws {
        let records = FakeRecords()
        records.add("high", impact: .high)
        records.add("own", impact: .moderate, tickers: [("XOM", true)])
        records.add("mid", impact: .moderate)
        records.add("strange", impact: .moderate, tickers: [("F", true)])
        let wanted = try await names(records, held: ["XOM"])
        #expect(Set(wanted.prefix(2)) == ["high", "own"] && Set(wanted) == ["high", "own", "mid", "strange"])
        #expect(try await names(records, held: ["XOM"], top: 0) == ["own"])
    }

    @Test func oneTickerDoesNotTakeAllPlaces() async throws {
        let records = FakeRecords()
        for number in 0..<9 { records.add("x\(number)", tickers: [("XOM", true)]) }
        #expect(try await names(records, held: ["XOM"], perTicker: 2, top: 0).count == 2)
    }
}

@Suite struct ReaderExplanationTests {
    private static let common: JSON = [
        "what_happened": "A rate rose.", "why_it_matters_now": "It is about money.",
        "for_holders": [
            ["holding": "JPM", "text": "Since you hold JPM, loans earn more."],
            ["holding": "stocks", "text": "Since you hold stocks, this gives context."],
            ["holding": "banks", "text": "Since you hold bank shares, loans earn more."],
            ["holding": "crypto", "text": "Since you hold crypto assets, little follows."],
        ],
    ]

    private func own(_ holdings: [String], _ common: JSON = Self.common) -> JSON {
        ReaderExplanation(common, holdings: holdings).body
    }

    @Test func theReadersTickerComesBeforeGroupsAndNarrowGroupsBeforeStocks() {
        #expect(own(["WMT", "JPM"])["why_it_matters_now"] == "Since you hold JPM, loans earn more.")
        #expect(
            own(["WMT", "BAC", "C"])["for_your_holdings"] == "Since you hold BAC and C (bank shares), loans earn more.")
        #expect(
            own(["BAC"])["why_it_matters_now"]?.string?.hasPrefix("It is about money.\n\nSince you hold BAC") == true)
        #expect(own(["WMT"])["for_your_holdings"] == "Since you hold stocks, this gives context.")
        #expect(own(["BTC"])["for_your_holdings"] == "Since you hold BTC (crypto assets), little follows.")
        #expect(own(["BAC", "C", "WFC", "USB"])["for_your_holdings"] == "Since you hold bank shares, loans earn more.")
        // A ticker that no list knows is a share.
        #expect(own(["QQZZ"])["for_your_holdings"] == "Since you hold stocks, this gives context.")
    }

    @Test func nothingOfOtherHoldersIsLeft() {
        for holdings in [[], ["WMT"], ["BTC"]] {
            let text = own(holdings).compact
            #expect(!text.contains("JPM") && !text.contains("for_holders"))
        }
        #expect(own([])["for_your_holdings"] == nil && own([])["why_it_matters_now"] == "It is about money.")
    }

    @Test func explanationsOfEarlierVersionsStayAsTheyAre() {
        let old: JSON = ["what_happened": "A rate rose.", "why_it_matters_now": "It is about money."]
        #expect(own(["JPM"], old) == old)
        #expect(own(["JPM"], .null) == .null)
    }

    @Test func everyTickerHasTheGroupsThatALineNames() {
        #expect(HoldingGroup.of("brk.b") == [.finance, .stocks] && HoldingGroup.of("BTC") == [.crypto])
        #expect(HoldingGroup.of("NVDA") == [.chips, .stocks] && HoldingGroup.of("") == [.stocks])
    }
}
