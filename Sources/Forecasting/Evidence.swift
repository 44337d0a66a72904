internal import Glibc
internal import Prices

/// Figures of tested rows beside those of the best constant.
package struct Score: Hashable, Sendable {
    package let rows: Int
    /// The share of rows where the ensemble named the right side.
    package let accuracy: Double
    /// The ensemble's mean logarithmic loss.
    package let loss: Double
    /// The share of rows that went up.
    package let upShare: Double
    /// The loss of the best constant: the shrunk base rates, or the share of these very rows, whichever is lower.
    package let constantLoss: Double
    let usesOwnShare: Bool
    /// The accuracy of the better rule of the calendar.
    package let calendarAccuracy: Double
    /// The times of the first and the last row; 0 without rows.
    package let firstTime: Int64
    package let lastTime: Int64

    init(_ rows: some Collection<TestedRow>) {
        self.rows = rows.count
        let count = Double(max(rows.count, 1))
        let upShare = Double(rows.filter(\.isUp).count) / count
        self.upShare = upShare
        accuracy = Double(rows.filter { ($0.ensemble > 0.5) == $0.isUp }.count) / count
        loss = rows.reduce(0) { $0 + Statistics.loss($1.ensemble, isUp: $1.isUp) } / count
        let baseLoss = rows.reduce(0) { $0 + Statistics.loss($1.baseRate, isUp: $1.isUp) } / count
        let ownLoss = rows.reduce(0) { $0 + Statistics.loss(upShare, isUp: $1.isUp) } / count
        func rightShare(_ rate: (TestedRow) -> Double) -> Double {
            Double(rows.filter { (rate($0) > 0.5) == $0.isUp }.count) / count
        }
        calendarAccuracy = max(rightShare(\.weekdayRate), rightShare(\.hourRate))
        (firstTime, lastTime) = (rows.map(\.time).min() ?? 0, rows.map(\.time).max() ?? 0)
        (constantLoss, usesOwnShare) = (min(baseLoss, ownLoss), ownLoss < baseLoss)
    }

    func constant(of row: TestedRow) -> Double { usesOwnShare ? upShare : row.baseRate }

    /// The accuracy of always naming the side that was more frequent in these rows.
    package var majorityAccuracy: Double { max(upShare, 1 - upShare) }
    package var majority: String { upShare >= 0.5 ? "up" : "down" }
}

/// The test of whether the ensemble was better than its simple rivals: the best constant, and the rules of weekdays and
/// of hours. It must have less loss than each of them, so the weakest of the tests counts, and be right more often.
package struct Evidence: Hashable, Sendable {
    /// A p-value below this is taken as an edge.
    package static let significance = 0.05
    /// The same for the gain in accuracy, which is told less surely than that in loss: one standard error.
    private static let significanceOfAccuracy = 0.16
    /// From this share of rows without a move on, the rounding of prices alone makes returns look like a pattern.
    private static let mostUnmoved = 0.2

    /// One-sided, that the ensemble's gain over the strongest rival is above 0.
    package let pValue: Double
    /// Whether the ensemble was right more often than each rival.
    package let isMoreOftenRight: Bool
    /// Whether the price moved too seldom for a pattern to mean anything.
    package let isCoarse: Bool
    /// One-sided, that the ensemble's loss is above that of the best constant.
    package let pValueOfWorse: Double

    /// Tests rows; `unmoved` rows beside them had no label, since the price did not move.
    init(_ rows: [TestedRow], score: Score, unmoved: Int, _ recipe: Recipe) {
        let blocks = Blocks(length: max(recipe.horizonBars, 5))
        func losses(_ rival: (TestedRow) -> Double) -> [Double] {
            blocks.means(
                rows.map {
                    Statistics.loss(rival($0), isUp: $0.isUp) - Statistics.loss($0.ensemble, isUp: $0.isUp)
                })
        }
        func hits(_ saysUp: (TestedRow) -> Bool) -> [Double] {
            blocks.means(
                rows.map { row in
                    (((row.ensemble > 0.5) == row.isUp) ? 1.0 : 0) - ((saysUp(row) == row.isUp) ? 1 : 0)
                })
        }
        let constant = losses(score.constant)
        var gains = [constant, losses(\.weekdayRate)]
        var accuracies = [hits { _ in score.majority == "up" }, hits { $0.weekdayRate > 0.5 }]
        if recipe.timeframe == .hourly {
            gains.append(losses(\.hourRate))
            accuracies.append(hits { $0.hourRate > 0.5 })
        }
        pValue = gains.map(Statistics.pValueOfPositiveMean).max() ?? 1
        isMoreOftenRight = accuracies.allSatisfy {
            Statistics.pValueOfPositiveMean($0) < Self.significanceOfAccuracy
        }
        isCoarse = Double(unmoved) >= Self.mostUnmoved * Double(unmoved + rows.count)
        pValueOfWorse = Statistics.pValueOfPositiveMean(constant.map { -$0 })
    }

    package var hasEdge: Bool { pValue < Self.significance && isMoreOftenRight && !isCoarse }

    /// E: 0 without an edge, ½ at p = 0.01, 1 from p = 0.001.
    package var strength: Double {
        hasEdge ? min(max((-log10(max(pValue, 1e-300)) - 1) / 2, 0), 1) : 0
    }
}

/// Means of rows next to each other, whose labels overlap.
private struct Blocks {
    let length: Int

    /// The means of whole blocks, the newest ones.
    func means(_ values: [Double]) -> [Double] {
        stride(from: values.count % length, to: values.count, by: length).map { start in
            values[start..<start + length].reduce(0, +) / Double(length)
        }
    }
}

/// How well probabilities fit what happened: ten bins.
package struct Calibration: Hashable, Sendable {
    package struct Bin: Hashable, Sendable {
        package var rows = 0
        package var probabilitySum = 0.0
        package var ups = 0
    }

    package private(set) var bins = [Bin](repeating: Bin(), count: 10)

    init(_ answers: some Sequence<(probability: Double, isUp: Bool)>) {
        for (probability, isUp) in answers {
            let index = min(max(Int(probability * 10), 0), 9)
            bins[index].rows += 1
            bins[index].probabilitySum += probability
            bins[index].ups += isUp ? 1 : 0
        }
    }

    /// The expected calibration error: the mean distance of probability and share over all rows.
    package var error: Double {
        let rows = bins.reduce(0) { $0 + $1.rows }
        guard rows > 0 else { return 0 }
        return bins.reduce(0) { $0 + abs($1.probabilitySum - Double($1.ups)) } / Double(rows)
    }
}

/// On how many rows forest and boosting name the same side.
package struct Agreement: Hashable, Sendable {
    package let share: Double
    /// What two models that know nothing of each other would reach with the same frequencies.
    package let byChance: Double

    init(_ rows: [TestedRow]) {
        let count = Double(max(rows.count, 1))
        let forest = Double(rows.filter { $0.forest > 0.5 }.count) / count
        let boosting = Double(rows.filter { $0.boosting > 0.5 }.count) / count
        share = Double(rows.filter { ($0.forest > 0.5) == ($0.boosting > 0.5) }.count) / count
        byChance = forest * boosting + (1 - forest) * (1 - boosting)
    }
}

/// The parts of the quality score; each 0 to 1.
package struct Quality: Hashable, Sendable {
    package let sample: Double
    package let freshness: Double
    package let data: Double
    package let calibration: Double
    package let evidence: Double

    init(
        independentRows: Double, missedSessions: Int, repairedShare: Double, calibrationError: Double, evidence: Double
    ) {
        func clamped(_ value: Double) -> Double { min(max(value, 0), 1) }
        sample = clamped(independentRows / 60)
        freshness = clamped(1 - 0.2 * Double(missedSessions))
        data = clamped(1 - 10 * repairedShare)
        calibration = 1 - clamped((calibrationError - 0.03) / 0.12)
        self.evidence = evidence
    }

    package var health: Double { min(sample, freshness, data, calibration) }
    /// At most ½ without an edge.
    package var score: Double { health * (0.5 + 0.5 * evidence) }
}
