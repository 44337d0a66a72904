import JSON
import Testing

@testable import DataSources

@Suite struct TickerTests {
    @Test(arguments: [
        ("AAPL", "AAPL"), (" aapl\n", "AAPL"), ("BRK.B", "BRK-B"), ("brk/b", "BRK-B"), ("BRK-B", "BRK-B"),
        ("OUST-WTA", "OUST-WTA"), ("A", "A"),
    ])
    func aTickerIsReadInEverySpelling(input: String, text: String) throws {
        #expect(try Ticker(input).text == text)
    }

    @Test(arguments: [
        "", "  ", "AAPL MSFT", "-B", "BRK-", "BRK-B-C", "BRK..B", "TOOLONGS", "AAPL?x=1", "../etc", "ÄPL", "3M",
        "AAPL\u{0}", "BRK-ABCD",
    ])
    func otherTextsAreNoTicker(input: String) {
        #expect(throws: DataSourceError.invalidTicker(input)) { try Ticker(input) }
    }

    @Test func anEntryOfTheListIsFoundByItsTicker() throws {
        let directory = try TickerDirectory([
            "0": ["cik_str": 320_193, "ticker": "AAPL", "title": "Apple Inc."],
            "1": ["cik_str": 1_067_983, "ticker": "BRK-B", "title": "BERKSHIRE HATHAWAY INC"],
            "2": ["cik_str": -4, "ticker": "BAD", "title": "Bad"], "3": ["ticker": "WORSE"],
        ])
        #expect(directory.entries.count == 2)
        #expect(directory[try Ticker("brk.b")]?.cik.padded == "0001067983")
        #expect(directory[try Ticker("MSFT")] == nil)
        #expect(throws: DataSourceError.self) { try TickerDirectory([:]) }
        #expect(throws: DataSourceError.self) { try TickerDirectory("nothing") }
    }

    @Test func aSearchPutsTickersAndNamesThatBeginWithTheTextFirst() throws {
        let titles = [
            ("AAPL", "Apple Inc."), ("MCD", "MCDONALDS CORP"), ("F", "FORD MOTOR CO"), ("APH", "AMPHENOL CORP"),
            ("T", "AT&T INC."), ("APLE", "Apple Hospitality REIT, Inc."), ("BFO", "Big Ford"), ("AP", "Ampco"),
            ("XA", "Pineapple Holdings"), ("FORD", "FORWARD INDUSTRIES, INC."),
        ]
        let lines = titles.enumerated().map { place, line in
            ("\(place)", ["cik_str": JSON(place + 1), "ticker": JSON(line.0), "title": JSON(line.1)] as JSON)
        }
        let directory = try TickerDirectory(.object(JSONObject(lines)))
        func found(_ text: String) -> [String] {
            directory.matches(text, limit: 9).filter { $0.cik != nil }.map(\.ticker)
        }
        #expect(found("apple") == ["AAPL", "APLE", "XA"])
        #expect(found("ap") == ["AP", "AAPL", "APH", "APLE", "XA"])
        #expect(found("FORD") == ["FORD", "F", "BFO"])
        #expect(found("at & t") == ["T"])
        #expect(found("McDonald's") == ["MCD"])
        #expect(found("?") == [] && directory.matches("apple", limit: 1).count == 1)
    }

    @Test(.enabled(if: SharedFilings.areThere, "../shared/data/sec is not there"))
    func theRealListIsReadWhole() throws {
        let directory = try TickerDirectory(SharedFilings.json(SharedFilings.tickers))
        #expect(directory.entries.count == 9610)
        #expect(directory[try Ticker("GOOGL")]?.cik.number == 1_652_044)
        #expect(directory.matches("brk.b", limit: 3).map(\.ticker).first == "BRK-B")
        #expect(directory.matches("snowflake", limit: 3).map(\.ticker) == ["SNOW"])
        #expect(directory.matches("  ", limit: 3).isEmpty)
    }
}
