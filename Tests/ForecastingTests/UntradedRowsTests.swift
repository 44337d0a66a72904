import Basics
import JSON
import Prices
import TestSupport
import Testing

@testable import Forecasting

/// Rows without trading must not make a random walk look as if it could be foretold.
@Suite struct UntradedRowsTests {
    private static let recipe = Recipe(lookbackDays: 365)

    private static func series(_ rows: [RawPriceBar], _ timeframe: Timeframe = .daily) -> PriceSeries {
        PriceSeries(cleaning: rows, timeframe: timeframe)
    }

    @Test(arguments: Fill.allCases) func noFillMakesAnEdgeOfARandomWalk(fill: Fill) throws {
        for seed in 1...4 as ClosedRange<UInt64> {
            let rows = fill.rows(InventedPrices.rows(800, autoregression: 0, seed: seed), seed: seed)
            let result = try Evaluation.atClose(of: Self.series(rows), Self.recipe)
            #expect(result.types.contains("no_edge"), "seed \(seed)")
            #expect(result.quality.score <= 0.5 && result.quality.evidence == 0, "seed \(seed)")
            #expect(result.probabilityUp == result.final.baseRate)
        }
    }

    @Test func hoursFilledOverNightsAndWeekendsMakeNoEdge() throws {
        for seed in 1...2 as ClosedRange<UInt64> {
            let (plain, filled) = (
                Self.series(Fill.hours(150, isFilled: false, seed: seed), .hourly),
                Self.series(Fill.hours(150, isFilled: true, seed: seed), .hourly)
            )
            #expect(filled.bars.count > 3 * plain.bars.count)
            let isSame = TradedBars(filled).bars == plain.bars
            #expect(isSame)
            let result = try Evaluation.atClose(of: filled, Recipe(timeframe: .hourly, lookbackDays: 90))
            #expect(result.types.isSuperset(of: ["no_edge", "data_repaired"]) && result.health.untraded > 1000)
        }
    }

    @Test(arguments: [
        Fill.calendarCopies, .saturdayCopies, .flatCloses, .flatClosesWithVolume, .interpolated, .jittered,
    ])
    func aFilledFileGivesTheBarsOfTheFileItself(fill: Fill) {
        let rows = InventedPrices.rows(400, autoregression: 0.3, seed: 4)
        let (plain, filled) = (Self.series(rows), Self.series(fill.rows(rows, seed: 4)))
        let traded = TradedBars(filled)
        let isSame = traded.bars == plain.bars && TradedBars(plain).bars == plain.bars
        #expect(isSame && filled.bars.count > plain.bars.count && !traded.includesWeekends)
        #expect(traded.untraded.count == filled.bars.count - plain.bars.count)
    }

    @Test func daysWithoutTradingAreCountedAndNamed() throws {
        let rows = Fill.calendarCopies.rows(InventedPrices.rows(500, autoregression: 0, seed: 9), seed: 9)
        let result = try Evaluation.atClose(of: Self.series(rows), Self.recipe)
        let issue = try #require(result.issues.first { $0.type == "data_repaired" })
        #expect(issue.message.contains("\(result.health.untraded) rows without trading were left out"))
        #expect(try result.qualityAnswer()["provenance"]?["untraded"] == JSON(result.health.untraded))
        // The bars that are left are whole.
        #expect(result.quality.data == 1)
    }

    @Test func anInstrumentThatTradesOnWeekendsKeepsThem() throws {
        var rows = InventedPrices.rows(1300, autoregression: 0.35, seed: 3)
        for index in rows.indices { rows[index].time = Int64(16_436 + index) * 86_400 }
        let series = Self.series(rows)
        let traded = TradedBars(series)
        let isSame = traded.bars == series.bars
        #expect(isSame && traded.includesWeekends)
        // A Friday and the Saturday after it.
        #expect(traded.date(1, after: 20_412 * 86_400) == CalendarDate(dayNumber: 20_413))
        let newest = (series.bars.last?.time ?? 0) + 5 * 86_400
        let result = try Evaluation(
            of: "BTCUSD", series, from: PriceOrigin(name: "test"), recipe: Recipe(lookbackDays: 1095), now: newest)
        #expect(!result.types.contains("no_edge") && result.health.missing == 0)
    }

    @Test func coarsePricesAreNamedThoughTheModelsGain() throws {
        let rows = Fill.coarse.rows(InventedPrices.rows(1300, autoregression: 0, seed: 1), seed: 1)
        let result = try Evaluation.atClose(of: Self.series(rows))
        #expect(result.evidence.pValue < 0.05 && !result.evidence.hasEdge)
        let issue = try #require(result.issues.first { $0.type == "no_edge" })
        #expect(issue.message.contains("come from their rounding"))
        #expect(result.types.contains("unchanged_price"))
    }

    @Test func aPatternOfWeekdaysIsTheCalendarsAndNotTheModels() throws {
        var rows = InventedPrices.rows(1000, autoregression: 0, seed: 12)
        var factor = 1.0
        for index in rows.indices {
            let weekday = CalendarDate(secondsSinceEpoch: rows[index].time).weekday
            factor *= weekday == 2 ? 1.01 : weekday == 4 ? 1 / 1.01 : 1
            rows[index].open? *= factor
            rows[index].high? *= factor * 1.01
            rows[index].low? *= factor / 1.01
            rows[index].close? *= factor
        }
        let result = try Evaluation.atClose(of: Self.series(rows), Recipe(lookbackDays: 730))
        #expect(result.all.accuracy > result.all.majorityAccuracy + 0.03)
        let issue = try #require(result.issues.first { $0.type == "no_edge" })
        #expect(issue.message.contains("A rule by weekday alone was right in"))
    }

    @Test func aPriceThatDoesNotMoveIsRefusedAndNotCalledDown() throws {
        var rows = InventedPrices.rows(300, autoregression: 0, seed: 2)
        for index in rows.indices {
            rows[index] = RawPriceBar(
                time: rows[index].time, open: 100, high: 100, low: 100, close: 100, volume: rows[index].volume)
        }
        do throws(ForecastError) {
            _ = try Evaluation.atClose(of: Self.series(rows), Recipe())
            Issue.record("accepted")
        } catch {
            #expect("\(error)".contains("in which the price did not move were left out"))
        }
        for index in rows.indices { rows[index].volume = nil }
        do throws(ForecastError) {
            _ = try Evaluation.atClose(of: Self.series(rows), Recipe())
            Issue.record("accepted")
        } catch {
            #expect("\(error)".contains("(299 without trading were left out)"))
        }
    }
}

@Suite struct DataHealthTests {
    private static let recipe = Recipe(lookbackDays: 365)

    private func result(_ rows: [RawPriceBar]) throws -> Evaluation {
        try Evaluation.atClose(of: PriceSeries(cleaning: rows, timeframe: .daily), Self.recipe)
    }

    @Test func defectsBeforeTheBarsThatAreUsedDoNotCount() throws {
        var rows = InventedPrices.rows(1500, autoregression: 0, seed: 21)
        for index in 0..<400 { rows[index].volume = 0 }
        rows[10].close = nil
        let result = try result(rows)
        #expect(result.series.bars.count < 1100 && result.health.repaired == 0)
        #expect(!result.types.contains("data_repaired") && result.quality.data == 1)
    }

    /// Rows after the date of a forecast are not known then, and neither are their defects.
    @Test func aFileThatGoesOnGivesTheAnswerOfTheFileCutThere() throws {
        var rows = InventedPrices.rows(900, autoregression: 0, seed: 22)
        rows[600].close = nil
        for index in 800..<900 { rows[index].volume = 0 }
        rows[850].close = nil
        let now = rows[799].time + 22 * 3600
        func answer(_ rows: [RawPriceBar]) throws -> String {
            try Evaluation(
                of: "TEST", PriceSeries(cleaning: rows, timeframe: .daily), from: PriceOrigin(name: "test"),
                recipe: Self.recipe, now: now
            ).qualityAnswer().compact
        }
        #expect(try answer(rows) == answer(Array(rows[..<800])))
    }

    @Test func missingSessionsCount() throws {
        let rows = InventedPrices.rows(900, autoregression: 0, seed: 23).filter {
            TradingCalendar.isSession(CalendarDate(secondsSinceEpoch: $0.time))
        }
        let halved = try result(rows.enumerated().filter { $0.offset % 2 == 0 }.map(\.element))
        #expect(halved.health.missing > 400 && halved.quality.score == 0 && halved.types.contains("data_repaired"))
        let gap = try result(Array(rows[..<500] + rows[700...]))
        #expect(gap.health.missing == 200 && gap.quality.score == 0)
        #expect(gap.issues.contains { $0.message.contains("\(gap.health.missing) more are missing") })
        #expect(try result(rows).health.missing == 0)
    }

    @Test func holidaysAreNotMissing() throws {
        let rows = InventedPrices.rows(900, autoregression: 0, seed: 24).filter {
            TradingCalendar.isSession(CalendarDate(secondsSinceEpoch: $0.time))
        }
        #expect(rows.count < 880)
        #expect(try result(rows).health.missing == 0)
        // Of the days that should have a row, one in fifty has none.
        let lacking = try result(rows.enumerated().filter { $0.offset % 50 != 7 }.map(\.element))
        #expect(lacking.health.missing > 10 && lacking.types.contains("data_repaired"))
    }

    @Test func aSourceWithoutVolumesAndRowsThatAreThereTwiceAreNoDefects() throws {
        let rows = InventedPrices.rows(500, autoregression: 0, seed: 25)
        let bare = rows.map { RawPriceBar(time: $0.time, open: $0.open, high: $0.high, low: $0.low, close: $0.close) }
        #expect(try result(bare).health.repaired == 0)
        #expect(try result(rows + rows).health.repaired == 0)
        var other = rows
        for index in 400..<500 { other[index].close? *= 1.001 }
        let conflicting = try result(rows + other)
        #expect(conflicting.health.repaired == 100 && conflicting.quality.score == 0)
    }
}
