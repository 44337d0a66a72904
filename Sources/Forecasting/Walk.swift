internal import Glibc
internal import Prices

/// A row that a fold's models, which saw nothing of it, have answered.
package struct TestedRow: Hashable, Sendable {
    /// Index of the bar.
    package var row: Int
    package var time: Int64
    package var isUp: Bool
    package var forest: Double
    package var boosting: Double
    package var ensemble: Double
    /// The shrunk base rate of the fold's training.
    package var baseRate: Double
    /// The fold's rules of the calendar; that of hours is the base rate for days.
    package var weekdayRate: Double
    package var hourRate: Double
    /// The first bar of the fold.
    package var foldStart: Int
}

/// The share of each model in the ensemble.
package struct EnsembleWeights: Hashable, Sendable {
    package var forest: Double
    package var boosting: Double

    /// w ∝ exp(−n·L) of the mean losses L over n independent rows; a half each without rows.
    init(of rows: some Collection<TestedRow>, horizonBars: Int) {
        guard !rows.isEmpty else {
            (forest, boosting) = (0.5, 0.5)
            return
        }
        var difference = 0.0
        for row in rows {
            difference += Statistics.loss(row.forest, isUp: row.isUp) - Statistics.loss(row.boosting, isUp: row.isUp)
        }
        forest = 1 / (1 + exp(difference / Double(horizonBars)))
        boosting = 1 - forest
    }

    func mean(_ forest: Double, _ boosting: Double) -> Double { self.forest * forest + self.boosting * boosting }
}

/// Walks forward over the newest rows: each fold is tested by models that were trained on the lookback before it.
///
/// Folds begin at fixed places of the calendar, so that bars added later move none of them. Between training and fold
/// lie h purged rows, whose labels reach into the fold.
package struct Walk: Sendable {
    let data: DataSet
    let recipe: Recipe

    package init(_ data: DataSet, _ recipe: Recipe) { (self.data, self.recipe) = (data, recipe) }

    /// The rows to test. Folds that have less than half of the final training's rows to learn from are left out, unless
    /// that leaves none.
    package var tested: Range<Int> {
        let labelled = data.labelled
        guard let last = labelled.last else { return labelled }
        let most = learnedCount(before: foldStart(of: last))
        let needed = max(Recipe.fewestTrainingRows, min(most, learnedCount(before: data.bars.count) / 2))
        let newest = labelled.suffix(recipe.testedBars)
        return
            (newest.first { learnedCount(before: foldStart(of: $0)) >= needed } ?? newest.endIndex)..<newest.endIndex
    }

    /// The rows with a label among those of `training(before:)`.
    func learnedCount(before start: Int) -> Int { data.movedCount(training(before: start)) }

    /// The rows to learn from for a fold that begins at a bar: within the lookback, with labels known h rows before.
    package func training(before start: Int) -> Range<Int> {
        let end = max(DataSet.firstRow, start - recipe.horizonBars)
        guard start > 0 else { return end..<end }
        let oldest = data.bars[min(start, data.bars.count - 1)].time - Int64(recipe.lookbackDays) * 86_400
        var (first, past) = (DataSet.firstRow, end)
        while first < past {
            let middle = (first + past) / 2
            if data.bars[middle].time > oldest { past = middle } else { first = middle + 1 }
        }
        return first..<end
    }

    private func fold(of row: Int) -> Int {
        TradingCalendar.position(data.bars[row].time, recipe.timeframe) / recipe.foldBars
    }

    /// The first bar of a row's fold.
    package func foldStart(of row: Int) -> Int {
        let fold = fold(of: row)
        var start = row
        while start > 0, self.fold(of: start - 1) == fold { start -= 1 }
        return start
    }

    /// Tests the rows fold by fold. `progress` is called after each with the share that is done, and `isCancelled` is
    /// asked before each round of a training.
    package func run(
        _ rows: Range<Int>, progress: (Double) -> Void = { _ in }, isCancelled: () -> Bool = { false }
    ) throws(ForecastError) -> [TestedRow] {
        var tested: [TestedRow] = []
        tested.reserveCapacity(rows.count)
        var start = rows.lowerBound
        while start < rows.upperBound {
            let fold = fold(of: start)
            var end = start + 1
            while end < rows.upperBound, self.fold(of: end) == fold { end += 1 }
            tested += try test(start..<end, after: tested, isCancelled)
            progress(Double(end - rows.lowerBound) / Double(rows.count))
            start = end
        }
        return tested
    }

    private func test(
        _ rows: Range<Int>, after earlier: [TestedRow], _ isCancelled: () -> Bool
    ) throws(ForecastError) -> [TestedRow] {
        let foldStart = foldStart(of: rows.lowerBound)
        let training = training(before: foldStart)
        let rows = rows.filter { data.hasMoved($0) }
        guard !rows.isEmpty, data.movedCount(training) >= Recipe.fewestTrainingRows else { return [] }
        let models = try TrainedModels(data, training, isCancelled: isCancelled)
        // Only losses whose labels are known before the fold.
        let known = earlier.prefix { $0.row + recipe.horizonBars < foldStart }
        let weights = EnsembleWeights(of: known, horizonBars: recipe.horizonBars)
        let (forest, boosting) = try models.probabilities(data.features(of: rows))
        let weekdays = CalendarRule(.weekday, data, models.rows, baseRate: models.baseRate)
        let hours =
            recipe.timeframe == .hourly ? CalendarRule(.hour, data, models.rows, baseRate: models.baseRate) : nil
        return rows.enumerated().map { index, row in
            let time = data.bars[row].time
            return TestedRow(
                row: row, time: time, isUp: data.isUp(row), forest: forest[index],
                boosting: boosting[index], ensemble: weights.mean(forest[index], boosting[index]),
                baseRate: models.baseRate, weekdayRate: weekdays.rate(at: time),
                hourRate: hours?.rate(at: time) ?? models.baseRate, foldStart: foldStart)
        }
    }
}

/// Forest and boosting, trained on the same rows.
struct TrainedModels {
    let forest: Booster
    let boosting: Booster
    /// The rows learned from: those of the training with a label.
    let rows: [Int]
    /// The shrunk share of rows that went up.
    let baseRate: Double

    init(
        _ data: DataSet, _ training: Range<Int>, isCancelled: () -> Bool = { false }
    ) throws(ForecastError) {
        let rows = training.filter { data.hasMoved($0) }
        self.rows = rows
        let labels: [Float] = rows.map { data.isUp($0) ? 1 : 0 }
        let share = Double(labels.reduce(0, +)) / Double(max(labels.count, 1))
        let independent = Double(labels.count) / Double(data.horizonBars)
        let baseRate = Statistics.shrunk(share, independent: independent)
        self.baseRate = baseRate
        let (features, weight) = (data.features(of: rows), 1 / Float(data.horizonBars))
        forest = try Booster(
            .forest, features: features, labels: labels, weight: weight, baseScore: baseRate, isCancelled: isCancelled)
        boosting = try Booster(
            .boosting, features: features, labels: labels, weight: weight, baseScore: baseRate, isCancelled: isCancelled
        )
    }

    func probabilities(_ features: ArraySlice<Float>) throws(ForecastError) -> (forest: [Double], boosting: [Double]) {
        (try forest.probabilities(features), try boosting.probabilities(features))
    }
}
