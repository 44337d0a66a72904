internal import DataSources
internal import JSON
internal import JobQueue
internal import Prices

/// The input of a `training` or `forecast` job, complete and in one spelling, so that equal requests are equal.
struct ForecastInput: Sendable {
    static let kinds: Set<String> = ["training", "forecast"]
    static let horizons = ["1D", "1W", "1M"]
    static let lookbackRange = 60...3650
    /// The lookback of a forecast whose user has trained none.
    static let standardLookback = 1095
    /// The lookback of a training that names none, as the app's document has it.
    static let trainingLookback = 90

    let ticker: Ticker
    let timeframe: Timeframe
    let horizon: String
    var lookbackDays: Int

    /// Reads `symbol`, `timeframe`, `horizon` and `lookbackDays`, of which only the first is required; `lookback` is
    /// the lookback of an input that names none.
    init(_ input: JSONField, lookback: Int) throws(APIError) {
        try input.allowOnly(["symbol", "timeframe", "horizon", "lookbackDays"])
        guard let symbol = input["symbol"].optional else { throw Self.invalid("symbol", "is required") }
        do throws(JSONFieldError) {
            let text = try symbol.string()
            guard let ticker = try? Ticker(text) else { throw symbol.failure("is not a ticker such as AAPL or BRK-B") }
            self.ticker = ticker
            let frame = try input["timeframe"].optional?.string() ?? Timeframe.daily.rawValue
            guard let timeframe = Timeframe(rawValue: frame) else {
                let known = Timeframe.allCases.map(\.rawValue).joined(separator: ", ")
                throw input["timeframe"].failure("must be one of \(known)")
            }
            self.timeframe = timeframe
            horizon = try input["horizon"].optional?.string() ?? "1D"
            guard Self.horizons.contains(horizon) else {
                throw input["horizon"].failure("must be one of \(Self.horizons.joined(separator: ", "))")
            }
            let days = input["lookbackDays"].optional.map { try? $0.integer() } ?? Int64(lookback)
            guard let days, let exact = Int(exactly: days), Self.lookbackRange.contains(exact) else {
                throw input["lookbackDays"].failure(
                    "must be a whole number from \(Self.lookbackRange.lowerBound) to \(Self.lookbackRange.upperBound)")
            }
            lookbackDays = exact
        } catch {
            throw Self.invalid(error.path, error.problem)
        }
    }

    /// `symbol is required`, as the app's own server writes it.
    private static func invalid(_ field: String, _ problem: String) -> APIError {
        var error = APIError.invalid(field, problem)
        error.message = "\(field) \(problem)"
        return error
    }

    /// The input of the job.
    var json: JSON {
        [
            "symbol": JSON(ticker.text), "timeframe": JSON(timeframe.rawValue), "horizon": JSON(horizon),
            "lookbackDays": JSON(lookbackDays),
        ]
    }

    /// The key of both answers up to the newest final bar.
    func documentKey(at timestamp: Timestamp) -> String {
        ForecastKey.text(
            symbol: ticker.text, timeframe: timeframe, horizon: horizon, lookbackDays: lookbackDays,
            at: timestamp.milliseconds / 1000)
    }

    /// The key of the work that all users share.
    func sharedKey(of kind: String, at timestamp: Timestamp) -> String { "\(kind)/\(documentKey(at: timestamp))" }
}
