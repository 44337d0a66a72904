import Basics
import FoundationEssentials
import HTTP
import JSON
import JobQueue
import Prices
import Synchronization
import Testing

@testable import DataSources

@Suite struct PriceSourceTests {
    private static let first = CalendarDate(dayNumber: 20_000)
    private static let last = CalendarDate(dayNumber: 20_400)

    private func client(_ transport: ScriptedTransport) -> FMPClient {
        FMPClient(key: Secret("k"), base: "http://localhost:1/stable", transport: transport)
    }

    @Test func endOfDayPricesAreOneCallAndMayComeInAnyOrder() async throws {
        let transport = ScriptedTransport { _ in
            .ok(
                #"[{"symbol":"X","date":"2026-01-06","open":2,"high":3,"low":1,"close":2.5,"volume":10},"#
                    + #"{"symbol":"X","date":"2026-01-05","open":2,"high":3,"low":1,"close":null,"volume":10},{"date":7}]"#
            )
        }
        let found = try await client(transport).prices(
            of: Ticker("x"), .daily, from: Self.first, to: Self.last)
        #expect(found.rows.map(\.close) == [2.5, nil] && found.rows.map(\.volume) == [10, 10])
        #expect(found.source == .fmp && !found.isSimulated)
        #expect(
            transport.sent.map(\.url) == [
                "http://localhost:1/stable/historical-price-eod/full?symbol=X&from=\(Self.first)&to=\(Self.last)&apikey=k"
            ])
    }

    @Test func hoursAreReadByMonthsInNewYorksTime() async throws {
        let transport = ScriptedTransport { _ in
            .ok(#"[{"date":"2026-06-05 15:30:00","open":2,"high":3,"low":1,"close":2,"volume":0,"simulated":true}]"#)
        }
        let found = try await client(transport).prices(
            of: Ticker("X"), .hourly, from: Self.first, to: Self.first + 64)
        #expect(transport.sent.count == 3)
        #expect(found.rows.first?.time == PriceTable.time("2026-06-05 19:30") && found.isSimulated)
    }

    @Test func anUnknownSymbolAndAPlanWithoutItAreToldApart() async {
        await #expect(throws: DataSourceError.notFound(ticker: "X")) {
            try await client(ScriptedTransport(status: 200, "[]")).prices(
                of: Ticker("X"), .daily, from: Self.first, to: Self.last)
        }
        await #expect(throws: DataSourceError.notCovered(.fmp, ticker: "X")) {
            try await client(ScriptedTransport(status: 402, "Premium")).prices(
                of: Ticker("X"), .daily, from: Self.first, to: Self.last)
        }
    }

    @Test func aFolderIsAskedBeforeTheNextSource() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "prices-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        func write(_ text: String, to name: String) throws {
            try Data(text.utf8).write(to: URL(filePath: folder + "/" + name))
        }
        try write("date,open,high,low,close\n\(Self.first),1,1,1,1\n1990-01-02,2,2,2,2\n", to: "BRK-B.csv")
        try write("open,high\n", to: "BAD.csv")
        let transport = ScriptedTransport { _ in
            .ok(#"[{"date":"\#(Self.first)","open":9,"high":9,"low":9,"close":9}]"#)
        }
        let sources = try #require(PriceSources([PriceFolder(folder), client(transport)]))
        let own = try await sources.prices(of: Ticker("brk.b"), .daily, from: Self.first, to: Self.last)
        #expect(own.rows.map(\.close) == [1] && own.source == .priceFiles && transport.sent.isEmpty)
        let other = try await sources.prices(of: Ticker("AAPL"), .daily, from: Self.first, to: Self.last)
        #expect(other.rows.map(\.close) == [9] && other.source == .fmp)
        // A file that cannot be read is named, and not passed over.
        await #expect(
            throws: DataSourceError.unusablePrices(
                .priceFiles, ticker: "BAD", problem: "the first line names no column 'date'")
        ) {
            try await sources.prices(of: Ticker("BAD"), .daily, from: Self.first, to: Self.last)
        }
        #expect(PriceSources([nil, nil]) == nil)
        // A file that ends long ago gives all its days.
        let old = (1...20).map { "2006-01-\($0 < 10 ? "0" : "")\($0),2,2,2,2" }
        try write((["date,open,high,low,close"] + old).joined(separator: "\n"), to: "OLD.csv")
        #expect(
            try await sources.prices(of: Ticker("OLD"), .daily, from: Self.first, to: Self.last).rows.count == 20)
        // Days where hours are asked for.
        await #expect(throws: DataSourceError.missingPrices(.priceFiles, ticker: "OLD", timeframe: .hourly)) {
            try await PriceFolder(folder).prices(of: Ticker("OLD"), .hourly, from: Self.first, to: Self.last)
        }
        let empty = ScriptedTransport(status: 200, "[]")
        await #expect(throws: DataSourceError.missingPrices(.priceFiles, ticker: "OLD", timeframe: .hourly)) {
            try await #require(PriceSources([PriceFolder(folder), client(empty)])).prices(
                of: Ticker("OLD"), .hourly, from: Self.first, to: Self.first + 20)
        }
        #expect(empty.sent.count == 1)
        await #expect(throws: DataSourceError.notFound(ticker: "NONE")) {
            try await PriceFolder(folder).prices(of: Ticker("NONE"), .daily, from: Self.first, to: Self.last)
        }
    }

    @Test func aFolderThatIsNotThereIsNoUnknownSymbol() async {
        let folder = PriceFolder("/nonexistent/prices")
        #expect(folder.problem == "/nonexistent/prices does not exist")
        await #expect(throws: DataSourceError.unavailable(.priceFiles, status: nil)) {
            try await folder.prices(of: Ticker("AAPL"), .daily, from: Self.first, to: Self.last)
        }
    }
}

/// A source of one row up to a day, which counts its calls.
private final class CountedPrices: PriceSource {
    private let state = Mutex<(calls: Int, newest: CalendarDate)>((0, CalendarDate(dayNumber: 0)))

    let isMetered = true
    var calls: Int { state.withLock { $0.calls } }
    func publish(_ day: CalendarDate) { state.withLock { $0.newest = day } }

    func prices(
        of ticker: Ticker, _ timeframe: Timeframe, from first: CalendarDate, to last: CalendarDate
    ) async throws(DataSourceError) -> SourcedPrices {
        let newest = state.withLock { state in
            state.calls += 1
            return state.newest
        }
        if newest.dayNumber == 0 { throw .notFound(ticker: ticker.text) }
        let row = RawPriceBar(
            time: newest.secondsSinceEpoch, open: 1.1, high: 1.3, low: 0.7, close: 1.2, volume: nil)
        return SourcedPrices(rows: [row, row], source: .fmp)
    }
}

@Suite struct PriceHistoryTests {
    @Test func aSymbolThatASourceWithFewCallsLacksIsAskedForOnce() async throws {
        let source = CountedPrices()
        let history = PriceHistory(source, documents: FakeDocuments(), now: { 1_795_435_200_000 })
        for _ in 1...3 {
            await #expect(throws: DataSourceError.notFound(ticker: "X")) {
                try await history.prices(of: Ticker("X"), .daily)
            }
        }
        #expect(source.calls == 1)
    }

    @Test func pricesAreReadOncePerCloseAndAgainWhereTheNewestBarWasLate() async throws {
        let (source, documents) = (CountedPrices(), FakeDocuments())
        // Monday 2026-11-23 in the morning: the newest close is Friday's.
        let time = Mutex(try #require(PriceTable.time("2026-11-23 12:00")))
        let now: @Sendable () -> Int64 = { time.withLock { $0 * 1000 } }
        let history = PriceHistory(source, documents: documents, now: now)
        let friday = try #require(CalendarDate("2026-11-20"))
        source.publish(friday)
        let first = try await history.prices(of: Ticker("X"), .daily)
        #expect(first.series.bars.map(\.close) == [1.2] && first.series.repairs.isEmpty && !first.isHit)
        time.withLock { $0 += 7200 }
        #expect(try await history.prices(of: Ticker("X"), .daily).series == first.series)
        // Another process finds the document.
        let other = PriceHistory(source, documents: documents, now: now)
        #expect(try await other.prices(of: Ticker("X"), .daily).series == first.series)
        #expect(source.calls == 1)
        // After Monday's close the source has no new bar yet, and is asked again after a quarter of an hour.
        time.withLock { $0 += 10 * 3600 }
        _ = try await history.prices(of: Ticker("X"), .daily)
        #expect(source.calls == 2)
        time.withLock { $0 += 1000 }
        source.publish(friday + 3)
        let monday = try await history.prices(of: Ticker("X"), .daily)
        #expect(monday.series.bars.last?.time == (friday + 3).secondsSinceEpoch && source.calls == 3)
    }
}
