import Basics
import DataSources
import Forecasting
import Foundation
import HTTP
import JSON
import Observability
import Prices

extension Command {
    static let forecast = Command(
        path: ["forecast"], summary: "Measure what forecasts of a stock's direction are worth",
        arguments: [Argument(name: "SYMBOL", help: "A ticker, such as AAPL or BRK-B")],
        options: [
            Option("--horizon", "H", "1D, 1W or 1M (default 1D)", choices: ["1D", "1W", "1M"]),
            Option("--lookback", "DAYS", "Calendar days to learn from, 60 to 3650 (default 1095)"),
            Option("--timeframe", "T", "Bars of a day or an hour: d1 or h1 (default d1)", choices: ["d1", "h1"]),
            Option("--csv", "FILE", "Read prices from a file: date,open,high,low,close,volume"),
            Option("--as-of", "DATE", "Leave out later prices (default: today; the newest date of a file)"),
            .json,
        ],
        notes: """
            Trains two models on past prices, tests them on days that they have not seen, and prints each figure beside
            what always naming the more frequent side would have got. docs/forecasting.md explains the figures.
            Prices come from the file, else from the folder DOSSIER_PRICES, else from FMP (FMP_API_KEY).
            With --json, prints the answers of /train-model and /forecast-quality.
            """
    ) { invocation in
        let settings = try Settings(environment: invocation.environment)
        let ticker: Ticker
        do {
            ticker = try Ticker(try invocation.argument("SYMBOL"))
        } catch let error as DataSourceError {
            throw CommandFailure.usage("SYMBOL: \(error)")
        }
        let recipe = try Self.recipe(invocation)
        let asOf = try invocation.options["--as-of"].map { text in
            guard let date = CalendarDate(text) else {
                throw CommandFailure.usage("--as-of must be a date as in 2026-01-31")
            }
            return date
        }
        let read =
            if let file = invocation.options["--csv"] {
                try Self.prices(of: file, recipe.timeframe, asOf)
            } else {
                try await Self.prices(of: ticker, recipe.timeframe, asOf, settings)
            }
        let isShown = !invocation.has("--json") && Terminal.isInteractive
        let result: Evaluation
        do {
            result = try Evaluation(
                of: ticker.text, read.series, from: read.origin, recipe: recipe, now: read.now,
                progress: { if isShown { Terminal.redraw("Testing \(Evaluation.percent($0, places: 0))") } })
            if isShown { Terminal.redraw("") }
            if invocation.has("--json") {
                let answers: JSON = [
                    "training": try result.trainingAnswer(), "forecast": try result.qualityAnswer(),
                ]
                return Terminal.print(answers.pretty)
            }
        } catch {
            throw CommandFailure.failed("\(ticker): \(error)")
        }
        ForecastPrinter(result).print()
    }

    private static func recipe(_ invocation: Invocation) throws(CommandFailure) -> Recipe {
        let horizon = invocation.options["--horizon"] ?? Horizon.day.rawValue
        guard let horizon = Horizon(rawValue: horizon) else {
            throw .usage(
                "--horizon must be \(Horizon.allCases.map(\.rawValue).joined(separator: ", ")), not '\(horizon)'")
        }
        let timeframe = invocation.options["--timeframe"] ?? Timeframe.daily.rawValue
        guard let timeframe = Timeframe(rawValue: timeframe) else {
            throw .usage(
                "--timeframe must be \(Timeframe.allCases.map(\.rawValue).joined(separator: ", ")), not '\(timeframe)'")
        }
        let lookback = try invocation.integer("--lookback", in: Recipe.lookbackRange, default: 1095)
        return Recipe(timeframe: timeframe, horizon: horizon, lookbackDays: lookback)
    }

    private typealias Read = (series: PriceSeries, origin: PriceOrigin, now: Int64)

    /// The prices of a file, as of its newest bar unless a date is given.
    private static func prices(
        of file: String, _ timeframe: Timeframe, _ asOf: CalendarDate?
    ) throws(CommandFailure) -> Read {
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: file),
            attributes[.type] as? FileAttributeType == .typeRegular
        else { throw .failed("\(file) cannot be read") }
        do throws(PriceTableError) {
            let size = (attributes[.size] as? NSNumber)?.intValue ?? 0
            guard size <= PriceTable.largestFile else { throw .tooLarge(bytes: size) }
            let rows = try PriceTable.rows(
                [UInt8](FileManager.default.contents(atPath: file) ?? Data()), of: timeframe)
            let series = PriceSeries(cleaning: rows, timeframe: timeframe)
            // A row of the future is a mistake, and would make all others old.
            let newest = series.bars.last { $0.time <= WallClock.milliseconds() / 1000 }?.time ?? 0
            // An hour's bar is final after it; a day's after the close.
            let end = timeframe == .daily ? newest + 22 * 3600 : newest + 2 * 3600
            return (series, PriceOrigin(name: "file"), asOf.map { $0.secondsSinceEpoch + 22 * 3600 } ?? end)
        } catch {
            throw .failed("\(file): \(error)")
        }
    }

    /// The prices of the configured sources.
    private static func prices(
        of ticker: Ticker, _ timeframe: Timeframe, _ asOf: CalendarDate?, _ settings: Settings
    ) async throws(CommandFailure) -> Read {
        let transport = HTTPClient()
        let composition = Composition(settings: settings, logger: .silent)
        guard let source = composition.prices(over: transport) else {
            await transport.shutdown()
            throw .failed("no source of prices is set up: give --csv, or set DOSSIER_PRICES or FMP_API_KEY")
        }
        let now = asOf.map { $0.secondsSinceEpoch + 22 * 3600 } ?? WallClock.milliseconds() / 1000
        let last = TradingCalendar.lastClosedDay(at: now)
        let result: Result<SourcedPrices, DataSourceError>
        do throws(DataSourceError) {
            result = .success(
                try await source.prices(of: ticker, timeframe, from: last + -PriceHistory.days(of: timeframe), to: last)
            )
        } catch {
            result = .failure(error)
        }
        await transport.shutdown()
        switch result {
        case .success(let found):
            let origin = PriceOrigin(name: found.source.rawValue, isSimulated: found.isSimulated)
            return (PriceSeries(cleaning: found.rows, timeframe: timeframe), origin, now)
        case .failure(let error): throw .failed("\(error)")
        }
    }
}
