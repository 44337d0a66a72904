internal import Basics
internal import DataSources
internal import DossierAPI
internal import Forecasting
internal import JSON
internal import JobQueue
internal import Prices

/// Trains the models of a symbol and measures what they are worth. No language model is asked.
///
/// The result depends on the bars, the recipe and the clock alone. The clock and the digest of the bars are journalled,
/// so that a run after an interruption gives the same bytes, and a run over other bars starts anew.
struct ForecastAgent: Agent {
    /// The answer that a kind of job gives; both are made by one training.
    enum Answer: String {
        case training
        case forecast
    }

    private static let userMessage = "This forecast cannot be made right now. Please try again later."

    private let answer: Answer
    private let history: PriceHistory?
    private let documents: any DocumentRepository
    private let executor: TrainingExecutor
    private let now: @Sendable () -> Timestamp

    /// - Parameters:
    ///   - answer: The answer to give.
    ///   - history: The prices; `nil` without a source.
    ///   - documents: Keeps answers until the next close.
    ///   - executor: Trains one model at a time.
    ///   - now: The time.
    init(
        _ answer: Answer, history: PriceHistory?, documents: any DocumentRepository, executor: TrainingExecutor,
        now: @escaping @Sendable () -> Timestamp
    ) {
        (self.answer, self.history, self.documents) = (answer, history, documents)
        (self.executor, self.now) = (executor, now)
    }

    func run(_ context: JobContext) async throws(AgentError) -> AgentResult {
        let request = try context.input { field in try ForecastRequest(field) }
        guard let history else {
            throw Self.failed(.dataSource, "No source of prices is set up (FMP_API_KEY, DOSSIER_PRICES).")
        }
        context.progress("fetch")
        let clock = try await context.journal.step("clock", input: [:]) { ["now": JSON(now().milliseconds / 1000)] }
        guard let time = clock.output["now"]?.integer else { throw .internalFailure("the journalled clock") }
        let key = request.documentKey(at: time)
        if let known = try await stored(key) { return try result(known, in: context) }
        let prices = try await AgentError.mapping {
            try await history.prices(of: request.ticker, request.recipe.timeframe)
        }
        context.progress("walk")
        let input: JSON = ["now": JSON(time), "digest": JSON(prices.series.digest), "recipe": JSON(key)]
        let trained = try await context.journal.step("train", input: input) {
            try await train(request, prices, at: time, in: context)
        }
        context.progress("store")
        var body = try result(trained.output, in: context)
        body.records = [.document(document(trained.output, key, at: time, prices, job: context.job))]
        return body
    }

    /// Both answers of one training.
    private func train(
        _ request: ForecastRequest, _ prices: PriceHistory.Answer, at time: Int64, in context: JobContext
    ) async throws -> JSON {
        let origin = PriceOrigin(name: prices.source.rawValue, isSimulated: prices.isSimulated)
        let evaluation: Evaluation
        do throws(ForecastError) {
            evaluation = try await executor.run { isCancelled throws(ForecastError) in
                try Evaluation(
                    of: request.ticker.text, prices.series, from: origin, recipe: request.recipe, now: time,
                    progress: { context.progress("walk", fraction: $0) }, isCancelled: isCancelled)
            }
            return ["training": try evaluation.trainingAnswer(), "forecast": try evaluation.qualityAnswer()]
        } catch {
            switch error {
            case .cancelled: throw AgentError.interrupted
            case .tooFewBars(let count, let timeframe, let untraded):
                let left = untraded > 0 ? " \(untraded) rows without trading were left out." : ""
                throw Self.failed(
                    .validationFailed,
                    "\(request.ticker.text) has \(count) \(timeframe.adjective) bars; "
                        + "at least \(Recipe.fewestBars) are needed.\(left)",
                    user: "There are too few prices of this stock for a forecast.")
            case .tooFewRows:
                throw Self.failed(.validationFailed, "\(error).", user: "Please choose a longer lookback.")
            case .booster, .forbiddenClaim: throw AgentError.internalFailure("\(error)")
            }
        }
    }

    private static func failed(_ code: ErrorCode, _ message: String, user: String = userMessage) -> AgentError {
        .failed(AgentFailure(JobError(code: code, message: message, userMessage: user), isTransient: false))
    }

    // MARK: Kept answers

    private func stored(_ key: String) async throws(AgentError) -> JSON? {
        let found = try await AgentError.mapping { try await documents.documents([key]) }
        guard let document = found.first, document.keptUntil > now() else { return nil }
        return try? JSON(parsing: document.text)
    }

    private func result(_ both: JSON, in context: JobContext) throws(AgentError) -> AgentResult {
        guard var body = both[answer.rawValue] else { throw .internalFailure("the stored answer") }
        body["job_id"] = JSON(context.job.lease.job.description)
        return AgentResult(body)
    }

    /// Kept until the next bar is final; for a short time only where the source lacked the newest one.
    private func document(
        _ both: JSON, _ key: String, at time: Int64, _ prices: PriceHistory.Answer, job: ClaimedJob
    ) -> CachedDocument {
        let timeframe = prices.series.timeframe
        let newest = prices.series.bars.last.map { CalendarDate(secondsSinceEpoch: $0.time) }
        let isLate = timeframe == .daily && newest.map { $0 < TradingCalendar.lastClosedDay(at: time) } ?? true
        let until = isLate ? time + 900 : TradingCalendar.nextClose(after: time, timeframe)
        var body = both
        body["job_id"] = JSON(job.lease.job.description)
        return CachedDocument(
            key: key, text: body.compact, storedAt: Timestamp(milliseconds: time * 1000),
            keptUntil: Timestamp(milliseconds: until * 1000))
    }
}

/// The input of a `training` or `forecast` job.
struct ForecastRequest: Sendable {
    let ticker: Ticker
    let recipe: Recipe

    init(_ input: JSONField) throws {
        ticker = try Ticker(try input["symbol"].string())
        let timeframe = try input["timeframe"].optional?.string() ?? Timeframe.daily.rawValue
        let horizon = try input["horizon"].optional?.string() ?? Horizon.day.rawValue
        guard let timeframe = Timeframe(rawValue: timeframe) else { throw input["timeframe"].failure("is not known") }
        guard let horizon = Horizon(rawValue: horizon) else { throw input["horizon"].failure("is not known") }
        recipe = Recipe(
            timeframe: timeframe, horizon: horizon,
            lookbackDays: Int(try input["lookbackDays"].optional?.integer() ?? 90))
    }

    /// The key of the answers up to the newest final bar.
    func documentKey(at time: Int64) -> String {
        ForecastKey.text(
            symbol: ticker.text, timeframe: recipe.timeframe, horizon: recipe.horizon.rawValue,
            lookbackDays: recipe.lookbackDays, at: time)
    }
}
