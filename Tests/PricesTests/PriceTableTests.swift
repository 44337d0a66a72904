import Basics
import Prices
import TestSupport
import Testing

@Suite struct PriceTableTests {
    @Test func columnsAreFoundByNameAndRowsMayBeInAnyOrder() throws {
        let text =
            "\u{FEFF}Volume,Close,\"Date\",Open,Low,High,Extra\r\n5,2,2024-01-03,1,1,2,x\r\n\r\n,2,2024-01-02,1,1,2,y\r\n"
        let rows = try PriceTable.rows(Array(text.utf8))
        #expect(rows.map(\.time) == [1_704_240_000, 1_704_153_600])
        #expect(rows[0] == RawPriceBar(time: 1_704_240_000, open: 1, high: 2, low: 1, close: 2, volume: 5))
        #expect(rows[1].volume == nil)
    }

    @Test func aMissingColumnAndAnUnreadableDateAreNamed() {
        #expect(throws: PriceTableError.missingColumn("open")) {
            try PriceTable.rows(Array("Date,AAPL.Open,high,low,close\n2024-01-02,1,1,1,1".utf8))
        }
        #expect(throws: PriceTableError.unreadableDate(line: 3)) {
            try PriceTable.rows(Array("date,open,high,low,close\n2024-01-02,1,1,1,1\n01/03/24,1,1,1,1".utf8))
        }
        #expect(throws: PriceTableError.empty) { try PriceTable.rows([]) }
    }

    @Test func aFileOfAMillionRowsIsRefused() {
        let header = Array("date,open,high,low,close,volume\n".utf8)
        let row = Array("2024-01-02,1,1,1,1,1\n".utf8)
        var bytes = header
        for _ in 0...PriceTable.mostRows { bytes += row }
        #expect(throws: PriceTableError.tooManyRows) { try PriceTable.rows(bytes) }
        let large = [UInt8](repeating: 0x31, count: PriceTable.largestFile + 1)
        #expect(throws: PriceTableError.tooLarge(bytes: large.count)) { try PriceTable.rows(large) }
    }

    @Test(arguments: [
        ("2024-01-02", 1_704_153_600 as Int64?), ("2024-01-02T14:30:00Z", 1_704_205_800),
        ("2024-01-02 14:30", 1_704_205_800), ("2024-01-02T14:30:00+00:00", 1_704_205_800), ("2024-13-02", nil),
        ("2024-01-02 00:00:00-05:00", 1_704_171_600), ("2024-01-02 09:00+0130", 1_704_180_600),
        ("2024-01-02 09:00-x", nil),
        ("2024-01-02T25:00:00Z", nil), ("2024-01-02Tnoon", nil), ("tomorrow", nil),
    ])
    func timesAreReadAsUTC(text: String, time: Int64?) {
        #expect(PriceTable.time(text) == time)
    }
}

@Suite struct TimeframeTests {
    private func file(_ minutes: Int64) -> [UInt8] {
        let lines = (0..<Int64(40)).map { index in
            let time = Int64(1_704_067_200) + index * minutes * 60
            let date = CalendarDate(secondsSinceEpoch: time)
            let minute = (time - date.secondsSinceEpoch) / 60
            func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
            return "\(date) \(two(minute / 60)):\(two(minute % 60)),1,1,1,1"
        }
        return Array((["date,open,high,low,close"] + lines).joined(separator: "\n").utf8)
    }

    @Test func filesOfAnotherTimeframeAreRefusedByName() throws {
        for (minutes, timeframe) in [(1440, .daily), (10_080, .daily), (60, .hourly)] as [(Int64, Timeframe)] {
            #expect(try PriceTable.rows(file(minutes), of: timeframe).count == 40)
        }
        for (minutes, timeframe, problem) in [
            (60, .daily, "rows are 60 minutes apart as a rule"), (1440, .hourly, "there is one row a day as a rule"),
            (5, .hourly, "rows are 5 minutes apart as a rule"),
        ] as [(Int64, Timeframe, String)] {
            #expect(throws: PriceTableError.otherTimeframe(timeframe, problem: problem)) {
                try PriceTable.rows(file(minutes), of: timeframe)
            }
        }
    }
}

@Suite struct MarketHolidayTests {
    /// The New York Stock Exchange's published holidays.
    @Test(arguments: [
        (2012, "01-02 01-16 02-20 04-06 05-28 07-04 09-03 11-22 12-25"),
        (2020, "01-01 01-20 02-17 04-10 05-25 07-03 09-07 11-26 12-25"),
        (2021, "01-01 01-18 02-15 04-02 05-31 07-05 09-06 11-25 12-24"),
        (2022, "01-17 02-21 04-15 05-30 06-20 07-04 09-05 11-24 12-26"),
        (2024, "01-01 01-15 02-19 03-29 05-27 06-19 07-04 09-02 11-28 12-25"),
        (2026, "01-01 01-19 02-16 04-03 05-25 06-19 07-03 09-07 11-26 12-25"),
    ])
    func holidaysOfAYear(year: Int, days: String) throws {
        let first = try #require(CalendarDate(year: year, month: 1, day: 1))
        let holidays = (0..<365).map { first + $0 }.filter { TradingCalendar.isHoliday($0) }
        #expect(holidays.map(\.description) == days.split(separator: " ").map { "\(year)-\($0)" })
    }
}

@Suite struct PriceCleaningTests {
    private func row(_ day: Int64, _ prices: (Double?, Double?, Double?, Double?), _ volume: Double? = 10)
        -> RawPriceBar
    {
        RawPriceBar(
            time: day * 86_400, open: prices.0, high: prices.1, low: prices.2, close: prices.3, volume: volume)
    }

    @Test func everyDefectIsCounted() {
        let rows = [
            row(1, (10, 11, 9, 10)), row(2, (10, nil, 9, 10)), row(3, (10, 11, 0, 10)), row(4, (.nan, 11, 9, 10)),
            row(5, (200, 11, 9, 10)), row(6, (10, 11, 9, 11.5)), row(7, (10, 11, 9, 10), 0), row(1, (10, 11, 9, 10)),
            row(8, (10, 11, 9, -1)), row(9, (10, .infinity, 9, 10)),
        ]
        let series = PriceSeries(cleaning: rows, timeframe: .daily)
        #expect(series.bars.map { $0.time / 86_400 } == [1, 6, 7])
        #expect(series.bars.map(\.high) == [11, 11.5, 11])
        #expect(series.bars[2].volume == nil)
        let days = { (reason: PriceRepair.Reason) in
            series.repairs.filter { $0.reason == reason }.map { $0.time / 86_400 }
        }
        #expect(days(.empty) == [2, 3, 4, 8, 9] && days(.outlier) == [5] && days(.stretched) == [6])
        // A row that is there twice says nothing else.
        #expect(days(.duplicate).isEmpty)
    }

    @Test func theOrderOfRowsMakesNoDifference() {
        let rows = [
            row(1, (10, 11, 9, 10)), row(2, (1, 2, 1, 2)), row(1, (10, 11, 9, 10.5), 20), row(1, (9, 11, 9, 10)),
        ]
        let forward = PriceSeries(cleaning: rows, timeframe: .daily)
        #expect(forward == PriceSeries(cleaning: rows.reversed(), timeframe: .daily))
        #expect(forward.bars[0].close == 10.5)
        #expect(forward.repairs == Array(repeating: PriceRepair(time: 86_400, reason: .duplicate), count: 2))
    }

    @Test(.enabled(if: SharedData.isThere("prices"), "no ../shared/data/prices"))
    func theDefectsOfARealFileAreRepaired() throws {
        let rows = try PriceTable.rows(SharedData.bytes("prices/BA-2006-2017.csv"))
        let series = PriceSeries(cleaning: rows, timeframe: .daily)
        // 2007-02-08 opens at 200 on a day of 88 to 90; 2017-07-31 lacks prices.
        #expect(series.repairs.filter { $0.reason == .outlier }.count == 1)
        #expect(series.repairs.contains { $0.reason == .empty })
        #expect(!series.bars.contains { $0.time == PriceTable.time("2007-02-08") })
        #expect(series.repairs.count * 200 < series.bars.count)
    }
}

@Suite struct TradingCalendarTests {
    private func time(_ text: String) throws -> Int64 { try #require(PriceTable.time(text)) }
    private func date(_ text: String) throws -> CalendarDate { try #require(CalendarDate(text)) }

    @Test func sessionsAreWeekdays() throws {
        #expect(try TradingCalendar.date(1, after: date("2026-11-20")) == date("2026-11-23"))
        #expect(try TradingCalendar.date(1, after: date("2026-11-22")) == date("2026-11-23"))
        #expect(try TradingCalendar.date(21, after: date("2026-11-23")) == date("2026-12-22"))
        #expect(try TradingCalendar.session(date("2026-11-23")) - TradingCalendar.session(date("2026-11-16")) == 5)
    }

    @Test func aDayIsFinalAQuarterOfAnHourAfterTheClose() throws {
        // Winter: 21:15 UTC. Summer: 20:15 UTC.
        #expect(try TradingCalendar.lastClosedDay(at: time("2026-11-23 21:14")) == date("2026-11-20"))
        #expect(try TradingCalendar.lastClosedDay(at: time("2026-11-23 21:15")) == date("2026-11-23"))
        #expect(try TradingCalendar.lastClosedDay(at: time("2026-07-01 20:15")) == date("2026-07-01"))
        #expect(try TradingCalendar.lastClosedDay(at: time("2026-11-22 12:00")) == date("2026-11-20"))
    }

    @Test(arguments: [
        ("2026-11-20 21:15", "2026-11-23 21:15"), ("2026-11-23 07:00", "2026-11-23 21:15"),
        ("2026-07-01 12:00", "2026-07-01 20:15"), ("2026-10-30 20:15", "2026-11-02 21:15"),
    ])
    func theNextCloseFollowsTheClockOfNewYork(now: String, close: String) throws {
        #expect(try TradingCalendar.nextClose(after: time(now), .daily) == time(close))
    }
}
