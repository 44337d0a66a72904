import JSON
import Prices
import TestSupport
import Testing

@testable import Forecasting

@Suite struct EvaluationTests {
    @Test func aSignalIsFound() throws {
        let result = try Evaluation.atClose(of: InventedPrices.series(1300, autoregression: 0.35, seed: 3))
        #expect(!result.types.contains("no_edge"))
        #expect(result.quality.score >= 0.7 && result.all.accuracy > 0.57)
        #expect(result.probabilityUp == result.final.ensemble)
    }

    @Test func pricesInAnotherUnitAndRowsInAnotherOrderGiveTheSameAnswer() throws {
        let rows = InventedPrices.rows(700, autoregression: 0.2, seed: 5)
        let other = rows.reversed().map { row in
            RawPriceBar(
                time: row.time, open: row.open.map { $0 * 4 }, high: row.high.map { $0 * 4 },
                low: row.low.map { $0 * 4 }, close: row.close.map { $0 * 4 }, volume: row.volume.map { $0 / 4 })
        }
        let recipe = Recipe(lookbackDays: 365)
        let first = try Evaluation.atClose(of: PriceSeries(cleaning: rows, timeframe: .daily), recipe)
        let second = try Evaluation.atClose(of: PriceSeries(cleaning: other, timeframe: .daily), recipe)
        #expect(first.final == second.final)
        #expect(first.tested == second.tested)
        #expect(first.digest != second.digest)
    }

    @Test func theSameBarsGiveTheSameBytes() throws {
        let series = InventedPrices.series(500, autoregression: 0.1, seed: 9)
        let recipe = Recipe(lookbackDays: 200)
        let (first, second) = (try Evaluation.atClose(of: series, recipe), try Evaluation.atClose(of: series, recipe))
        #expect(try first.trainingAnswer().compact == second.trainingAnswer().compact)
        #expect(try first.qualityAnswer().compact == second.qualityAnswer().compact)
        #expect(first.final.hash.utf8.count == 64)
    }

    @Test func everyHorizonAndLookbackOfAShortHistoryIsAnsweredWithFiniteNumbers() throws {
        let series = InventedPrices.series(100, autoregression: 0, seed: 2)
        for horizon in Horizon.allCases {
            for lookback in [90, 1095] {
                let result = try Evaluation.atClose(of: series, Recipe(horizon: horizon, lookbackDays: lookback))
                #expect(result.types.isSuperset(of: ["no_edge", "short_lookback"]))
                for answer in [try result.trainingAnswer(), try result.qualityAnswer()] {
                    #expect(!Self.holdsNull(answer), "\(horizon) \(lookback)")
                }
            }
        }
    }

    @Test func tooShortAHistoryIsRefused() {
        #expect(throws: ForecastError.tooFewBars(99, timeframe: .daily)) {
            try Evaluation.atClose(of: InventedPrices.series(99, autoregression: 0, seed: 1))
        }
    }

    @Test func aBarOfTheRunningDayIsLeftOut() throws {
        let series = InventedPrices.series(160, autoregression: 0, seed: 4)
        let noon = (series.bars.last?.time ?? 0) + 17 * 3600
        let result = try Evaluation(
            of: "TEST", series, from: PriceOrigin(name: "test"), recipe: Recipe(), now: noon)
        #expect(result.series.bars.count < 160 && result.series.bars.last == series.bars[158])
        #expect(result.missedSessions == 0)
    }

    @Test func oldPricesLowerTheScoreAndAreNamed() throws {
        let series = InventedPrices.series(700, autoregression: 0, seed: 6)
        let later = (series.bars.last?.time ?? 0) + 8 * 86_400
        let result = try Evaluation(
            of: "TEST", series, from: PriceOrigin(name: "test", isSimulated: true), recipe: Recipe(), now: later)
        let stale = try #require(result.issues.first { $0.type == "stale_data" })
        #expect(stale.level == .error && result.quality.score == 0)
        #expect(result.issues.first?.type == "simulated_data")
    }

    @Test func aJumpAndRepairsAreNamed() throws {
        var rows = InventedPrices.rows(400, autoregression: 0, seed: 8)
        for index in 200..<400 {
            rows[index].open? *= 1.5
            rows[index].high? *= 1.5
            rows[index].low? *= 1.5
            rows[index].close? *= 1.5
        }
        for index in 300..<310 { rows[index].volume = 0 }
        let result = try Evaluation.atClose(of: PriceSeries(cleaning: rows, timeframe: .daily), Recipe())
        #expect(result.types.isSuperset(of: ["price_jump", "data_repaired"]))
        #expect(result.quality.data < 0.8)
    }

    @Test func noTextClaimsWhatForecastsCannotHold() throws {
        for (autoregression, seed) in [(0.0, 11 as UInt64), (0.35, 3)] {
            let result = try Evaluation.atClose(
                of: InventedPrices.series(900, autoregression: autoregression, seed: seed), Recipe(lookbackDays: 365))
            for issue in result.issues { #expect(ForbiddenClaims.first(in: issue.message) == nil) }
        }
        #expect(ForbiddenClaims.first(in: "The model predicts a rise") == "predicts")
        #expect(ForbiddenClaims.first(in: "AAPL will  rise tomorrow") == "will rise")
        #expect(ForbiddenClaims.first(in: "An AI-powered edge") == "ai powered")
        #expect(ForbiddenClaims.first(in: "Highly ACCURATE.") == "accurate")
        #expect(ForbiddenClaims.first(in: "the models were right in 51% of cases; buyers and sellers") == nil)
    }

    private static func holdsNull(_ json: JSON) -> Bool {
        if json.isNull { return true }
        if let members = json.object { return members.values.contains(where: holdsNull) }
        return json.array?.contains(where: holdsNull) ?? false
    }
}

@Suite struct StatisticsTests {
    @Test(arguments: [(1.0, 0.5), (0.0, 0.5)]) func lossOfACoinIsLogTwo(_ pair: (Double, Double)) {
        #expect(abs(Statistics.loss(pair.1, isUp: pair.0 == 1) - 0.693_147_18) < 1e-6)
    }

    /// Values of R: pt(2, 9, lower.tail = FALSE) and pt(-1.5, 3, lower.tail = FALSE).
    @Test func tailsOfStudentsDistribution() {
        func pValue(t: Double, count: Int) -> Double {
            // Values of mean t·s/√n with s = 1.
            let n = Double(count)
            let spread = ((n - 1) / n).squareRoot()
            let mean = t / n.squareRoot()
            return Statistics.pValueOfPositiveMean((0..<count).map { mean + ($0 % 2 == 0 ? spread : -spread) })
        }
        #expect(abs(pValue(t: 2, count: 10) - 0.038_276) < 1e-5)
        #expect(abs(pValue(t: -1.5, count: 4) - 0.884_708) < 1e-5)
        #expect(Statistics.pValueOfPositiveMean([0, 0, 0]) == 1)
        #expect(Statistics.pValueOfPositiveMean([1]) == 1)
    }

    /// Wilson's interval of 0.5 with 100 observations.
    @Test func intervalOfAShare() {
        let (low, high) = Statistics.wilson(0.5, independent: 100)
        #expect(abs(low - 0.4038) < 1e-3 && abs(high - 0.5962) < 1e-3)
        #expect(Statistics.wilson(0.5, independent: 0) == (0, 1))
    }

    @Test func aShareOfFewRowsIsDrawnToOneHalf() {
        #expect(abs(Statistics.shrunk(0.7, independent: 100) - 0.6) < 1e-12)
        #expect(Statistics.shrunk(0.7, independent: 0) == 0.5)
    }
}

@Suite struct BoosterTests {
    @Test func aCancelledTrainingEndsBeforeItsNextRound() throws {
        let data = DataSet(InventedPrices.series(200, autoregression: 0, seed: 1).bars, horizonBars: 1)
        var asked = 0
        #expect(throws: ForecastError.cancelled) {
            _ = try TrainedModels(data, 30..<150) {
                asked += 1
                return asked == 3
            }
        }
        #expect(asked == 3)
    }

    /// libxgboost accepts names that it does not know.
    @Test func theLibraryUnderstandsEverySetting() throws {
        let data = DataSet(InventedPrices.series(200, autoregression: 0, seed: 1).bars, horizonBars: 1)
        let rows = 30..<150
        for settings in ModelSettings.allCases {
            let booster = try Booster(
                settings, features: data.features(rows), labels: rows.map { data.isUp($0) ? 1 : 0 }, weight: 1,
                baseScore: 0.52)
            let configuration = try booster.configuration()
            // The library writes the score as another number of digits, and keeps the verbosity elsewhere.
            let elsewhere = ["booster", "base_score", "verbosity"]
            for (name, value) in settings.parameters(baseScore: 0.52) where !elsewhere.contains(name) {
                let given = "\"\(name)\":\"" + value
                #expect(configuration.contains(given) || configuration.contains(given.dropLast()), "\(name)")
            }
            #expect(try booster.probabilities(data.features(150..<160)).allSatisfy { $0 > 0 && $0 < 1 })
            #expect(try booster.gains().count == Features.names.count)
        }
    }
}
