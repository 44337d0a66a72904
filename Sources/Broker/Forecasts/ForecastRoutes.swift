internal import DataSources
internal import DossierAPI
internal import JSON
internal import JobQueue
internal import Prices

/// `POST /train-model` and `POST /forecast-quality`: models of a stock's direction and what they are worth, the same
/// for everybody until the next bar is final.
struct ForecastRoutes: Sendable {
    /// The time that a request waits; its job goes on after it.
    private static let timeout: Duration = .seconds(30)
    /// The time for which a user's lookback is remembered.
    private static let lookbackLifetime: Duration = .seconds(90 * 86_400)

    let jobs: JobService
    let documents: any DocumentRepository
    let now: @Sendable () -> Timestamp
    let allowance: TrainingAllowance

    func train(_ context: RequestContext) async throws(APIError) -> APIResponse {
        let input = try ForecastInput(try context.body(), lookback: ForecastInput.trainingLookback)
        let response = try await answer("training", input, context)
        await remember(input, of: context.user)
        return response
    }

    func quality(_ context: RequestContext) async throws(APIError) -> APIResponse {
        let body = try context.body()
        var input = try ForecastInput(body, lookback: ForecastInput.standardLookback)
        if body["lookbackDays"].optional == nil, let last = try await lookback(of: context.user, input) {
            input.lookbackDays = last
        }
        return try await answer("forecast", input, context)
    }

    // MARK: Answers

    private func answer(
        _ kind: String, _ input: ForecastInput, _ context: RequestContext
    ) async throws(APIError) -> APIResponse {
        let timestamp = now()
        let kept = try await stored(input.documentKey(at: timestamp))
        guard let tries = allowance.count(input, of: context.user, at: timestamp, isNew: kept == nil) else {
            throw .tooManyTrainings(at: timestamp)
        }
        if let kept, var body = kept[kind] {
            body["job_id"] = kept["job_id"] ?? ""
            return APIResponse(Self.withTries(body, tries, input))
        }
        var options = Submitter.Options()
        options.uniqueKey = input.sharedKey(of: kind, at: timestamp)
        do {
            let done = try await jobs.result(
                of: kind, input: input.json, options: options, context: context, leavingAfter: Self.timeout)
            var body = done.result
            body["job_id"] = JSON(done.job.id.description)
            return APIResponse(Self.withTries(body, tries, input))
        } catch {
            let described = error.describingForecast
            // A mistyped symbol costs nothing.
            if described.status != 504 { allowance.giveBack(input, of: context.user) }
            throw described
        }
    }

    private func stored(_ key: String) async throws(APIError) -> JSON? {
        do {
            let found = try await documents.documents([key]).first { $0.keptUntil > now() }
            return found.flatMap { try? JSON(parsing: $0.text) }
        } catch {
            throw APIError(error)
        }
    }

    /// Significance after many tries is none.
    private static func withTries(_ body: JSON, _ tries: Int, _ input: ForecastInput) -> JSON {
        guard tries > 1, let issues = body["issues"]?.array else { return body }
        var body = body
        body["issues"] = .array(
            issues + [
                [
                    "level": "info", "type": "many_tries",
                    "message": JSON(
                        "\(tries) variants of \(input.ticker.text) were tried today; the best of several looks better "
                            + "than it is."), "action": "review",
                ]
            ])
        return body
    }

    // MARK: The user's lookback

    private static func lookbackKey(_ user: UserID, _ input: ForecastInput) -> String {
        "forecast-lookback:\(user.rawValue):\(input.ticker.text):\(input.timeframe.rawValue)"
    }

    private func lookback(of user: UserID, _ input: ForecastInput) async throws(APIError) -> Int? {
        do {
            let found = try await documents.documents([Self.lookbackKey(user, input)]).first
            return found.flatMap { Int($0.text) }
        } catch {
            throw APIError(error)
        }
    }

    /// A forecast uses the lookback of the user's last training. Without this record it uses the standard one.
    private func remember(_ input: ForecastInput, of user: UserID) async {
        let timestamp = now()
        try? await documents.store(
            CachedDocument(
                key: Self.lookbackKey(user, input), text: "\(input.lookbackDays)", storedAt: timestamp,
                keptUntil: timestamp + Self.lookbackLifetime))
    }
}

extension APIError {
    static func tooManyTrainings(at timestamp: Timestamp) -> APIError {
        let seconds = timestamp.milliseconds / 1000
        return APIError(
            429, .limitReached, "A user may train \(TrainingAllowance.limit) different models a day.",
            user: "That was a lot for one day. Please try again tomorrow.", action: "wait",
            details: ["what": "trainings_per_day", "limit": JSON(TrainingAllowance.limit)],
            retryAfter: Int(86_400 - seconds % 86_400))
    }

    /// The same error with the statuses that the app expects: 400 for what the caller can change, 404 for an unknown
    /// symbol, 503 where no source has prices.
    fileprivate var describingForecast: APIError {
        var copy = self
        switch code {
        case .validationFailed, .invalidTicker: copy.status = 400
        case .stockNotFound: copy.status = 404
        case .dataSource, .fmp: copy.status = 503
        default: break
        }
        return copy
    }
}
