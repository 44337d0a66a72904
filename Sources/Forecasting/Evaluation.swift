package import Basics
package import Prices

/// Where prices come from, for answers.
package struct PriceOrigin: Hashable, Sendable {
    /// As answers show it: `Financial Modeling Prep`, `files`.
    package var name: String
    /// Prices that nobody ever traded at.
    package var isSimulated: Bool

    package init(name: String, isSimulated: Bool = false) { (self.name, self.isSimulated) = (name, isSimulated) }
}

/// A training and all that is known about its worth.
package struct Evaluation: Sendable {
    package let symbol: String
    package let recipe: Recipe
    package let origin: PriceOrigin
    /// Seconds since 1970.
    package let trainedAt: Int64
    /// Without bars that were not final.
    package let series: PriceSeries
    package let missedSessions: Int
    package let health: DataHealth
    /// The date that the forecast is for.
    package let targetDate: CalendarDate
    /// Rows of the walk whose close was the same after the horizon; they are not tested.
    package let unmovedRows: Int
    package let tested: [TestedRow]
    /// The earlier three quarters of the tested rows, and the last quarter.
    package let validation: Score
    package let test: Score
    package let all: Score
    package let evidence: Evidence
    package let weights: EnsembleWeights
    package let final: FinalModels
    package let agreement: Agreement
    package let calibration: Calibration
    package let quality: Quality

    package var independentRows: Double { Double(tested.count) / Double(recipe.horizonBars) }

    /// The probability that is published: the ensemble's only where the walk has found an edge.
    package var probabilityUp: Double { evidence.hasEdge ? final.ensemble : final.baseRate }
    package var usesEnsemble: Bool { evidence.hasEdge }
    package var confidence: Double { max(probabilityUp, 1 - probabilityUp) }
    package var newestDay: CalendarDate { CalendarDate(secondsSinceEpoch: series.bars.last?.time ?? 0) }
    package var digest: String { series.digest }

    /// Trains, walks and measures. Blocks for a second or more: never on a thread of the cooperative pool.
    ///
    /// Bars that are not final at `now`, in seconds since 1970, are left out. `progress` is called with the share that
    /// is done, and `isCancelled` is asked before each round of a training.
    package init(
        of symbol: String, _ given: PriceSeries, from origin: PriceOrigin, recipe: Recipe, now: Int64,
        progress: (Double) -> Void = { _ in }, isCancelled: () -> Bool = { false }
    ) throws(ForecastError) {
        var series = given
        series.bars.removeAll { !TradingCalendar.isFinal($0.time, series.timeframe, at: now) }
        let traded = TradedBars(series)
        series.bars = traded.bars
        guard series.bars.count >= Recipe.fewestBars, let newest = series.bars.last else {
            throw .tooFewBars(
                series.bars.count, timeframe: series.timeframe, untraded: traded.untraded.count)
        }
        series.bars = Self.needed(series.bars, recipe)
        let data = DataSet(series.bars, horizonBars: recipe.horizonBars)
        let walk = Walk(data, recipe)
        let training = walk.training(before: series.bars.count)
        let range = walk.tested
        let learned = data.movedCount(training)
        guard learned >= Recipe.fewestTrainingRows, data.movedCount(range) > 0 else {
            throw .tooFewRows(learned, recipe, unmoved: training.count - learned)
        }
        let tested = try walk.run(range, progress: { progress($0 * 0.95) }, isCancelled: isCancelled)
        guard !tested.isEmpty else { throw .tooFewRows(learned, recipe, unmoved: training.count - learned) }
        unmovedRows = range.count - data.movedCount(range)
        health = DataHealth(series.bars, series.repairs, traded, series.timeframe)
        targetDate = traded.date(recipe.horizon.sessions, after: newest.time)
        let h = recipe.horizonBars
        let weights = EnsembleWeights(of: tested, horizonBars: h)
        let all = Score(tested)
        let evidence = Evidence(tested, score: all, unmoved: unmovedRows, recipe)
        let split = max(1, tested.count * 3 / 4)
        let calibration = Calibration(
            tested.lazy.map { (probability: evidence.hasEdge ? $0.ensemble : $0.baseRate, isUp: $0.isUp) })
        missedSessions = max(
            0,
            TradingCalendar.session(TradingCalendar.lastClosedDay(at: now))
                - TradingCalendar.session(CalendarDate(secondsSinceEpoch: newest.time)))
        (self.symbol, self.recipe, self.origin, trainedAt, self.series) = (symbol, recipe, origin, now, series)
        (self.tested, self.all, self.evidence, self.weights) = (tested, all, evidence, weights)
        (validation, test) = (Score(tested[..<split]), Score(tested[split...]))
        final = try FinalModels(data, training, weights: weights)
        agreement = Agreement(tested)
        self.calibration = calibration
        quality = Quality(
            independentRows: Double(tested.count) / Double(h), missedSessions: missedSessions,
            repairedShare: health.share, calibrationError: calibration.error, evidence: evidence.strength)
        progress(1)
    }

    /// The newest bars that the walk and the features can see; older ones cost time only.
    private static func needed(_ bars: [PriceBar], _ recipe: Recipe) -> [PriceBar] {
        let walked = max(0, bars.count - recipe.testedBars - recipe.horizonBars - recipe.foldBars)
        let oldest = bars[walked].time - Int64(recipe.lookbackDays) * 86_400
        let first = bars.firstIndex { $0.time >= oldest } ?? 0
        return Array(bars[max(0, first - FeatureWindow.longest - recipe.horizonBars)...])
    }
}

/// The models of the newest lookback and their answer for the newest bar.
package struct FinalModels: Hashable, Sendable {
    package let rows: Int
    package let baseRate: Double
    package let forest: Double
    package let boosting: Double
    package let ensemble: Double
    /// In sample.
    package let accuracy: Double
    package let loss: Double
    /// SHA-256 of both models.
    package let hash: String
    /// The features' shares of what all splits gained; equal shares where no model found a split worth making.
    package let importance: [Double]
    /// Newest volatility of 21 bars by the training's median.
    package let volatilityRatio: Double
    /// The share of features outside the range that 99 % of the training's rows are in.
    package let unusualFeatures: Double

    init(_ data: DataSet, _ training: Range<Int>, weights: EnsembleWeights) throws(ForecastError) {
        let models = try TrainedModels(data, training)
        let newest = data.bars.count - 1
        let answer = try models.probabilities(data.features(newest..<newest + 1))
        (rows, baseRate, forest, boosting) = (models.rows.count, models.baseRate, answer.forest[0], answer.boosting[0])
        ensemble = weights.mean(forest, boosting)
        let inSample = try models.probabilities(data.features(of: models.rows))
        var (right, lossSum) = (0, 0.0)
        for (index, row) in models.rows.enumerated() {
            let (probability, isUp) = (weights.mean(inSample.forest[index], inSample.boosting[index]), data.isUp(row))
            right += (probability > 0.5) == isUp ? 1 : 0
            lossSum += Statistics.loss(probability, isUp: isUp)
        }
        accuracy = Double(right) / Double(rows)
        loss = lossSum / Double(rows)
        hash = SHA256.hex(try models.forest.bytes() + models.boosting.bytes())
        importance = Self.shares(
            try models.forest.gains(), try models.boosting.gains(), weights: weights)
        (volatilityRatio, unusualFeatures) = Self.regime(data, training)
    }

    private static func shares(_ forest: [Double], _ boosting: [Double], weights: EnsembleWeights) -> [Double] {
        func normalized(_ gains: [Double]) -> [Double] {
            let sum = gains.reduce(0, +)
            return gains.map { sum > 0 ? $0 / sum : 1 / Double(gains.count) }
        }
        return zip(normalized(forest), normalized(boosting)).map { weights.mean($0, $1) }
    }

    /// How unlike its training the newest bar is.
    private static func regime(_ data: DataSet, _ training: Range<Int>) -> (volatility: Double, unusual: Double) {
        let (width, last) = (Features.names.count, data.bars.count - 1)
        let (rows, newest) = (Array(data.features(training)), Array(data.features(last..<last + 1)))
        var (outside, known, volatility) = (0, 0, 1.0)
        for feature in 0..<width where !newest[feature].isNaN {
            let values = stride(from: feature, to: rows.count, by: width).map { rows[$0] }.filter { !$0.isNaN }.sorted()
            guard !values.isEmpty else { continue }
            known += 1
            let (low, high) = (values[values.count / 200], values[values.count - 1 - values.count / 200])
            if newest[feature] < low || newest[feature] > high { outside += 1 }
            let median = values[values.count / 2]
            if feature == Features.volatility21, median > 0 { volatility = Double(newest[feature] / median) }
        }
        return (volatility, known > 0 ? Double(outside) / Double(known) : 0)
    }
}
