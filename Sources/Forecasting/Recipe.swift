package import Prices

/// The time ahead that a forecast is for, by the names that the app sends.
package enum Horizon: String, Sendable, Hashable, CaseIterable {
    case day = "1D"
    case week = "1W"
    case month = "1M"

    package var sessions: Int {
        switch self {
        case .day: 1
        case .week: 5
        case .month: 21
        }
    }
}

/// All that decides a training besides the bars: the same bars and recipe give the same bytes.
package struct Recipe: Hashable, Sendable {
    package static let lookbackRange = 60...3650
    /// Grows with every change of the features, of the models' settings or of the walk: results of an older version
    /// are not reused.
    package static let version = 2
    package static let seed = 2026

    package var timeframe: Timeframe
    package var horizon: Horizon
    /// Calendar days of bars that a training learns from.
    package var lookbackDays: Int

    package init(timeframe: Timeframe = .daily, horizon: Horizon = .day, lookbackDays: Int = 90) {
        (self.timeframe, self.horizon, self.lookbackDays) = (timeframe, horizon, lookbackDays)
    }

    /// h: the bars from a row to the close that its label compares.
    package var horizonBars: Int { horizon.sessions * timeframe.barsPerSession }
    /// The bars that one training of the walk is tested on.
    package var foldBars: Int { max(21, horizonBars) }
    /// V: the labelled bars that the walk tests at most.
    package var testedBars: Int { max(504, 60 * horizonBars) }

    /// Fewer bars leave nothing to measure.
    package static let fewestBars = 100
    /// A fold with fewer rows to learn from is not tested.
    static let fewestTrainingRows = 15
}

/// Why there is no forecast. `description` is safe to show.
package enum ForecastError: Error, Hashable, Sendable {
    /// Too little history.
    case tooFewBars(Int, timeframe: Timeframe, untraded: Int = 0)
    /// The bars leave too few rows to learn from: a long horizon with a short lookback.
    case tooFewRows(Int, Recipe, unmoved: Int = 0)
    case cancelled
    /// The library of the models failed; the first line of its message.
    case booster(String)
    /// A text of the answer claims what forecasts cannot hold.
    case forbiddenClaim(String)
}

extension ForecastError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .tooFewBars(let count, let timeframe, let untraded):
            "there are \(count) \(timeframe.adjective) bars; at least \(Recipe.fewestBars) are needed"
                + (untraded > 0 ? " (\(untraded) without trading were left out)" : "")
        case .tooFewRows(let count, let recipe, let unmoved):
            "a lookback of \(recipe.lookbackDays) days leaves \(count) rows to learn from for \(recipe.horizon.rawValue); "
                + "at least \(Recipe.fewestTrainingRows) are needed"
                + (unmoved > 0 ? " (\(unmoved) in which the price did not move were left out)" : "")
        case .cancelled: "cancelled"
        case .booster(let message): "libxgboost failed: \(message)"
        case .forbiddenClaim(let claim): "a text of the answer claims too much: \(claim)"
        }
    }
}
