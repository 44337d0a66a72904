internal import Prices

/// What a reader must know about the figures; `action` is one of few words that the app knows.
package struct Issue: Hashable, Sendable {
    package enum Level: String, Sendable { case info, warning, error }

    package var level: Level
    package var type: String
    package var message: String
    package var action: String

    init(_ level: Level, _ type: String, _ message: String, action: String) {
        (self.level, self.type, self.message, self.action) = (level, type, message, action)
    }
}

extension Evaluation {
    /// All issues, the weightiest first.
    package var issues: [Issue] { evidenceIssues + sampleIssues + dataIssues + modelIssues }

    private var evidenceIssues: [Issue] {
        var issues: [Issue] = []
        if origin.isSimulated {
            issues.append(
                Issue(
                    .error, "simulated_data",
                    "The prices are invented by a simulator; nothing here is about \(symbol).",
                    action: "review"))
        }
        if !evidence.hasEdge {
            issues.append(
                Issue(
                    .warning, "no_edge",
                    "Over \(tested.count) \(recipe.timeframe == .daily ? "days" : "hours"), "
                        + "\(claim(all)).\(reason) Forecasts of direction from past prices were "
                        + "no better than the base rate in our tests.", action: "use_baseline_only"))
        }
        if evidence.pValueOfWorse < Evidence.significance {
            issues.append(
                Issue(
                    .warning, "worse_than_baseline",
                    "The models' loss was \(Self.decimals(all.loss)), that of a constant "
                        + "\(Self.decimals(all.constantLoss)); a difference this large is seldom chance.",
                    action: "use_baseline_only"))
        }
        if confidence < 0.55 {
            issues.append(
                Issue(
                    .warning, "low_confidence", "Low confidence: \(Self.percent(confidence, places: 0))",
                    action: "review"))
        }
        return issues
    }

    /// `2015-12-29 to 2017-12-28, the models were right in 50.4% of cases (95% interval 46.1% to 54.8%); always saying
    /// 'up' was right in 51.1%`: no accuracy is without the dates, the interval and the baseline of the same rows.
    private func claim(_ score: Score) -> String {
        let (low, high) = wilson(score)
        return "\(Self.day(score.firstTime)) to \(Self.day(score.lastTime)), the models were right in "
            + "\(Self.percent(score.accuracy)) of cases (95% interval \(Self.percent(low)) to \(Self.percent(high))); "
            + "always saying '\(score.majority)' was right in \(Self.percent(score.majorityAccuracy))"
    }

    /// The reason why a gain over the constant is no edge, where there is one.
    private var reason: String {
        if evidence.isCoarse {
            return " The price did not move in \(unmovedRows) more rows; prices that move so seldom show patterns that "
                + "come from their rounding."
        }
        guard all.calendarAccuracy > all.majorityAccuracy else { return "" }
        let rule = recipe.timeframe == .daily ? "weekday" : "weekday or hour"
        return " A rule by \(rule) alone was right in \(Self.percent(all.calendarAccuracy))."
    }

    /// The interval of a share of right answers.
    package func wilson(_ score: Score) -> (low: Double, high: Double) {
        Statistics.wilson(score.accuracy, independent: Double(score.rows) / Double(recipe.horizonBars))
    }

    private var sampleIssues: [Issue] {
        var issues: [Issue] = []
        let independent = independentRows
        if independent < 60 {
            issues.append(
                Issue(
                    independent < 20 ? .error : .warning, "few_samples",
                    "The history allows \(independent < 2 ? "fewer than 2" : Self.decimals(independent, places: 0)) "
                        + "independent tests of this horizon; 60 are wanted.", action: "wait"))
        }
        if final.rows < 250 {
            issues.append(
                Issue(
                    .warning, "short_lookback",
                    "\(recipe.lookbackDays) days leave \(final.rows) rows to learn from; below 250 even a strong "
                        + "pattern is often missed.", action: "longer_lookback"))
        }
        return issues
    }

    private var dataIssues: [Issue] {
        var issues: [Issue] = []
        if missedSessions >= 2 {
            issues.append(
                Issue(
                    missedSessions >= 5 ? .error : .warning, "stale_data",
                    "The newest bar is of \(newestDay), \(missedSessions) weekdays before the last close.",
                    action: "wait"))
        }
        if health.isNotable {
            issues.append(
                Issue(
                    .warning, "data_repaired",
                    "Of \(series.bars.count) bars, \(health.repaired) were repaired or have no volume and "
                        + "\(health.missing) more are missing; \(health.untraded) rows without trading were left out.",
                    action: "review"))
        }
        if Double(unmovedRows) > 0.05 * Double(unmovedRows + tested.count) {
            issues.append(
                Issue(
                    .warning, "unchanged_price",
                    "The price had not moved after the horizon in \(unmovedRows) of \(unmovedRows + tested.count) "
                        + "rows; they count neither as up nor as down.", action: "review"))
        }
        if let jump = largestJump, abs(jump.change) > 0.35 {
            issues.append(
                Issue(
                    .warning, "price_jump",
                    "The price changed by \(Self.percent(jump.change)) on \(jump.day): an event, or a split that the "
                        + "source did not adjust.", action: "review"))
        }
        return issues
    }

    private var modelIssues: [Issue] {
        var issues: [Issue] = []
        if (final.forest > 0.5) != (final.boosting > 0.5) || agreement.share < 0.7 {
            issues.append(
                Issue(
                    .info, "model_disagreement",
                    "The two models named the same side on \(Self.percent(agreement.share)) of the tested rows "
                        + "(\(Self.percent(agreement.byChance)) by chance), and "
                        + ((final.forest > 0.5) == (final.boosting > 0.5) ? "do" : "do not") + " on the newest bar.",
                    action: "use_baseline_only"))
        }
        if final.accuracy - validation.accuracy > 0.15 || validation.loss - final.loss > 0.05 {
            issues.append(
                Issue(
                    .info, "overfit",
                    "On rows learned from, the loss was \(Self.decimals(final.loss)); on rows not seen, of "
                        + "\(Self.day(validation.firstTime)) to \(Self.day(validation.lastTime)), it was "
                        + "\(Self.decimals(validation.loss)), that of a constant \(Self.decimals(validation.constantLoss)). "
                        + "Only rows not seen count.", action: "review"))
        }
        let ups = Double(tested.filter { $0.ensemble > 0.5 }.count) / Double(max(tested.count, 1))
        if max(ups, 1 - ups) >= 0.95 {
            issues.append(
                Issue(
                    .info, "one_sided",
                    "The models said '\(ups > 0.5 ? "up" : "down")' on \(Self.percent(max(ups, 1 - ups))) of the "
                        + "tested rows, as a constant does.", action: "review"))
        }
        if final.volatilityRatio < 0.5 || final.volatilityRatio > 2 || final.unusualFeatures >= 0.1 {
            issues.append(
                Issue(
                    .warning, "regime_change",
                    "Volatility is \(Self.decimals(final.volatilityRatio, places: 1)) times its median of the training, "
                        + "and \(Self.percent(final.unusualFeatures, places: 0)) of the features are outside their "
                        + "usual range.", action: "retrain"))
        }
        if calibration.error > 0.08 {
            issues.append(
                Issue(
                    .warning, "poor_calibration",
                    "Probabilities were \(Self.percent(calibration.error)) off on average.", action: "review"))
        }
        return issues
    }

    /// `2015-12-29 to 2017-12-28`.
    package var testedDates: String {
        guard let first = tested.first, let last = tested.last else { return "" }
        return "\(Self.day(first.time)) to \(Self.day(last.time))"
    }

    /// The largest change from a close to the next, by its size.
    private var largestJump: (change: Double, day: String)? {
        var largest: (change: Double, day: String)?
        for (before, bar) in zip(series.bars, series.bars.dropFirst()) {
            let change = bar.close / before.close - 1
            if abs(change) > abs(largest?.change ?? 0) { largest = (change, Self.day(bar.time)) }
        }
        return largest
    }
}
