import Basics
import Forecasting
import Prices

/// Prints an evaluation as a person reads it.
struct ForecastPrinter {
    private let result: Evaluation

    init(_ result: Evaluation) { self.result = result }

    func print() {
        let (recipe, series) = (result.recipe, result.series)
        Terminal.print(
            "\(result.symbol), \(recipe.horizon.rawValue) ahead, as of \(result.newestDay); \(series.bars.count) "
                + "\(recipe.timeframe.adjective) bars from \(result.origin.name), \(result.health.repaired) repaired")
        Terminal.print()
        row("", "models", "always \(result.all.majority)")
        row("right", percent(result.all.accuracy), percent(result.all.majorityAccuracy))
        row("right by calendar alone", "", percent(result.all.calendarAccuracy))
        row("loss (a coin: 0.693)", decimals(result.all.loss), decimals(result.all.constantLoss))
        let (low, high) = result.wilson(result.all)
        Terminal.print(
            "  on \(result.tested.count) rows not seen in training, \(result.testedDates); 95% interval "
                + "\(percent(low)) to \(percent(high))")
        let pValue = result.evidence.pValue
        Terminal.print(
            "  p \(pValue < 0.001 ? "< 0.001" : "= \(decimals(pValue))") for such a gain over the constant and the "
                + "calendar by chance; learned from \(result.final.rows) rows")
        Terminal.print()
        Terminal.print(
            "  probability of a higher close: \(percent(result.probabilityUp)) "
                + (result.usesEnsemble ? "(the models)" : "(the base rate: the models were no better)"))
        Terminal.print(
            "  quality \(decimals(result.quality.score, 2)) of 1; at most 0.50 without an edge; models agree on "
                + "\(percent(result.agreement.share)), \(percent(result.agreement.byChance)) by chance")
        Terminal.print(
            "  forest \(decimals(result.weights.forest, 2)), boosting \(decimals(result.weights.boosting, 2))")
        for issue in result.issues {
            Terminal.print()
            Terminal.print(
                Terminal.wrapped("\(issue.level.rawValue): \(issue.type). \(issue.message)", indent: 2))
        }
        Terminal.print()
        Terminal.print("model \(result.final.hash)")
    }

    private func row(_ name: String, _ models: String, _ constant: String) {
        func padded(_ text: String, _ width: Int) -> String {
            text + String(repeating: " ", count: max(1, width - text.utf8.count))
        }
        Terminal.print("  " + padded(name, 24) + padded(models, 12) + constant)
    }

    private func percent(_ share: Double) -> String { Evaluation.percent(share) }
    private func decimals(_ value: Double, _ places: Int = 3) -> String { Evaluation.decimals(value, places: places) }
}
