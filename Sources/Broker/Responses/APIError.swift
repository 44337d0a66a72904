internal import Basics
internal import DataSources
internal import DossierAPI
internal import HTTPServer
internal import JobQueue
internal import JSON

/// An error as a client sees it. All internal errors become responses here.
struct APIError: Error {
    var status: Int
    var code: ErrorCode
    /// For developers.
    var message: String
    /// For the user of the app: plain and calm, with the next step.
    var userMessage: String
    /// The `error` text of a response without an envelope, where a document prescribes one for this error.
    var title: String?
    /// The action that the app could offer.
    var action: String?
    var details: JSON?
    /// Seconds.
    var retryAfter: Int?
    /// The operator's setting whose limit is reached, for the log.
    var setting: String?
    /// What the log says of the cause, and the answer does not.
    var cause: String?
    var headers: [(String, String)] = []
    /// The fields that are wrong, each with a phrase that completes "the field …" or a sentence.
    var problems: [(path: String, problem: String)] = []

    init(
        _ status: Int, _ code: ErrorCode, _ message: String, user userMessage: String, action: String? = nil,
        details: JSON? = nil, retryAfter: Int? = nil
    ) {
        self.status = status
        self.code = code
        self.message = message
        self.userMessage = userMessage
        self.action = action
        self.details = details
        self.retryAfter = retryAfter
    }

    /// The body's `error`.
    var json: JSON {
        var body: JSONObject = [
            "code": JSON(code.rawValue), "message": JSON(message), "user_message": JSON(userMessage),
        ]
        if let action { body["action"] = JSON(action) }
        if let details { body["details"] = details }
        if let retryAfter { body["retry_after"] = JSON(retryAfter) }
        body["doc_url"] = JSON("/docs#\(code.rawValue)")
        return .object(body)
    }
}

// MARK: Requests

extension APIError {
    static func notFound(_ subject: String) -> APIError {
        APIError(404, .notFound, "\(subject) was not found.", user: "We could not find that.", action: "go_back")
    }

    /// No job has this id, or another user's job has it.
    static func notFound(_ job: JobID) -> APIError {
        var error = notFound("The job")
        error.details = ["job_id": JSON(job.description)]
        return error
    }

    static func methodNotAllowed(_ allowed: [String]) -> APIError {
        var error = APIError(
            405, .malformed, "This address answers only \(allowed.joined(separator: ", ")).",
            user: "Something went wrong. Please try again.")
        error.headers = [("Allow", allowed.joined(separator: ", "))]
        return error
    }

    /// A field has the wrong type or a value outside its bounds; `problem` completes a sentence that begins with the
    /// field.
    static func invalid(_ field: String, _ problem: String, code: ErrorCode = .validationFailed) -> APIError {
        let field = shortened(field)
        var error = APIError(
            422, code, field.isEmpty ? "The body \(problem)." : "'\(field)' \(problem).",
            user: "Please check what you entered and try again.",
            details: field.isEmpty ? nil : ["field": JSON(field)])
        error.problems = [(field, shortened(problem))]
        return error
    }

    /// Shortens text from a client: a key may be as long as a body.
    private static func shortened(_ text: String, to limit: Int = 300) -> String {
        text.utf8.count > limit ? "\(text.prefix(scalars: limit / 2))…" : text
    }

    static func invalid(_ error: JSONFieldError) -> APIError { invalid(error.path, error.problem) }

    static func malformed(_ problem: String) -> APIError {
        APIError(422, .malformed, shortened(problem), user: "Something went wrong. Please try again.")
    }

    static func badRequest(_ problem: String) -> APIError {
        APIError(400, .malformed, problem, user: "Something went wrong. Please try again.")
    }

    static let unsupportedMediaType = APIError(
        415, .malformed, "A body must be sent as application/json.", user: "Something went wrong. Please try again.")

    static func unauthorized(_ problem: String) -> APIError {
        APIError(401, .unauthorized, problem, user: "Please sign in again.", action: "reauthenticate")
    }

    /// The request has no valid user id; the news document has a title and a status of its own for this.
    static func noUser(_ problem: String) -> APIError {
        var error = unauthorized(problem)
        error.title = noUserTitle
        return error
    }

    static let noUserTitle = "User ID is required"

    static func forbidden(_ problem: String) -> APIError {
        APIError(403, .unauthorized, problem, user: "This request was not allowed.")
    }

    static func tooLarge(limit: Int) -> APIError {
        APIError(
            413, .tooLarge, "The body is larger than \(limit) bytes.", user: "That is too long. Please shorten it.")
    }

    /// The limit of requests a minute is reached. `subject` names the requests that are counted, with a verb: "A user
    /// may send".
    static func rateLimited(_ limit: Int, _ subject: String, setting: String?, retryAfter: Int) -> APIError {
        var error = APIError(
            429, .rateLimited, "\(subject) at most \(limit) requests a minute.",
            user: "That was a lot at once. Please wait a moment.", action: "wait",
            details: ["what": "requests_per_minute", "limit": JSON(limit)], retryAfter: retryAfter)
        error.setting = setting
        return error
    }
}

// MARK: Jobs

extension APIError {
    /// `job` is the job to start again, if the request names one.
    static func insufficientCredits(_ balance: CreditBalance, required: Int, job: JobID? = nil) -> APIError {
        var details: JSONObject = ["current_credits": JSON(balance.remaining), "required": JSON(required)]
        if let job { details["job_id"] = JSON(job.description) }
        return APIError(
            403, .insufficientCredits, "The user does not have enough credits for this job.",
            user: "You've used all your research credits.", action: "upgrade", details: .object(details))
    }

    /// An operation would change more jobs than one may.
    static func tooManyMatch(_ most: Int) -> APIError {
        APIError(
            429, .limitReached, "More than \(most) jobs match; narrow the filter by time, say.",
            user: "That is too much at once.", action: "change_input",
            details: ["what": "operation_jobs", "limit": JSON(most)])
    }

    /// The request contradicts an earlier one or the present state; `reason` is one of the words of the API.
    static func conflict(_ reason: String) -> APIError {
        let message =
            switch reason {
            case "key_reused": "The key was used before for something else."
            case "list_full": "There are as many of these as there may be."
            case "not_finished": "It is not finished yet."
            case "no_result_yet": "It has no result yet."
            default: "The request contradicts the present state: \(reason)."
            }
        return APIError(
            409, .conflict, message, user: "Something went wrong. Please try again.",
            details: ["reason": JSON(reason)])
    }

    /// The error for a key that belongs to another request, which made `job` if it made any.
    static func idempotencyConflict(_ job: JobID?) -> APIError {
        var error = APIError(
            409, .conflict, "The Idempotency-Key was used before with a different body.",
            user: "Something went wrong. Please try again.", details: ["reason": "key_reused"])
        error.details?["job_id"] = job.map { JSON($0.description) }
        return error
    }

    static func resultNotReady(_ job: Job) -> APIError {
        APIError(
            409, .conflict, "The job is \(job.status.rawValue) and has no result.",
            user: job.status.isFinished ? "There is no result." : "This is not ready yet.",
            action: job.status.isFinished ? nil : "wait",
            details: [
                "reason": job.status == .cancelled ? "cancelled" : "no_result_yet", "job_id": JSON(job.id.description),
            ])
    }

    /// The error of a failed job, in response to a request for its result.
    static func failedJob(_ job: Job, _ error: JobError) -> APIError {
        APIError(
            409, error.code, error.message, user: error.userMessage, action: "retry",
            details: ["job_id": JSON(job.id.description)])
    }
}

// MARK: The service

extension APIError {
    static let overloaded = APIError(
        503, .overloaded, "The service is overloaded or shutting down.",
        user: "We are busy. Please try again in a moment.",
        action: "retry", retryAfter: 2)

    /// The server has no room for a request: for its connection, its body, or because it is stopping.
    static func unavailable(_ error: ServerError) -> APIError {
        var unavailable = overloaded
        unavailable.message = "The service cannot take this request: \(error)."
        unavailable.setting =
            switch error {
            case .overloaded: "connections of all clients"
            case .tooManyConnections: "DOSSIER_CONNECTIONS_PER_ADDRESS"
            case .tooManyBodies: "DOSSIER_UNFINISHED_BODY_MEBIBYTES"
            default: nil
            }
        return unavailable
    }

    /// For `/ready`, once the process drains.
    static let stopping = APIError(
        503, .overloaded, "The service is stopping.", user: "We are busy. Please try again in a moment.",
        action: "retry", retryAfter: 2)

    static let noWorker = APIError(
        503, .overloaded, "No worker has sent a heartbeat recently.",
        user: "We are having trouble. Please try again soon.", action: "retry", retryAfter: 5)

    /// No worker that is alive can run jobs of a kind.
    static func noWorker(for kind: String, reason: String) -> APIError {
        var error = noWorker
        error.message = "No worker can run jobs of kind '\(kind)': \(reason)."
        error.retryAfter = 30
        return error
    }

    static let databaseUnavailable = APIError(
        503, .database, "The database is unavailable.", user: "We are having trouble. Please try again soon.",
        action: "retry", retryAfter: 2)

    static let `internal` = APIError(
        500, .internal, "Something went wrong inside the service.", user: "Something went wrong on our side.",
        action: "retry")

    init(_ error: StoreError) {
        switch error {
        case .invalidText(let field): self = .invalid(field, "must not contain a NUL character")
        case .unavailable, .full, .damaged, .unexpected: self = .databaseUnavailable
        case .leaseLost, .workerUnknown, .overLimit, .invalidValue: self = .internal
        }
    }
}

extension APIError {
    /// A failure of a data source. The response does not repeat text from the source.
    init(_ error: DataSourceError) {
        switch error {
        case .invalidTicker: self = .invalid("ticker", "is not a ticker such as AAPL or BRK-B", code: .invalidTicker)
        case .notFound(let ticker): self = .stockNotFound(ticker)
        case .noData(_, let ticker), .notCovered(_, let ticker): self = .stockNotFound(ticker)
        case .missingPrices(_, let ticker, _), .unusablePrices(_, let ticker, _):
            // Asking again changes nothing: the source has to be mended.
            self = .stockNotFound(ticker)
            (message, userMessage) = ("\(error).", "There are no usable prices of this stock.")
        case .rateLimited(let source, let retryAfter):
            self = .source(source, error, isTransient: true)
            self.retryAfter = Int(max(retryAfter?.components.seconds ?? 30, 1))
        case .unavailable(let source, _), .timedOut(let source): self = .source(source, error, isTransient: true)
        case .forbidden(let source, _), .unexpected(let source, _):
            self = .source(source, error, isTransient: false)
        case .callLimit(_, let limit): self = .sourceCallLimit(limit, "\(error)")
        case .cancelled: self = .overloaded
        }
    }

    private static func sourceCallLimit(_ limit: CallLimit, _ problem: String) -> APIError {
        var error = APIError(
            503, .limitReached, "\(problem.prefix(1).uppercased())\(problem.dropFirst()).",
            user: "That was a lot at once. Please wait a moment.", action: "wait",
            details: ["what": "source_calls_per_minute", "limit": JSON(limit.calls)],
            retryAfter: limit.retryAfter.roundedUpSeconds)
        error.setting = limit.user == nil ? "service.source_calls_per_minute" : "plans.*.source_calls_per_minute"
        return error
    }

    static func stockNotFound(_ ticker: String) -> APIError {
        APIError(
            404, .stockNotFound, "No company is listed under the ticker \(ticker.prefix(20)).",
            user: "We could not find that stock.", action: "go_back")
    }

    /// Prices over time are read by the days of the stock exchange, which coins do not keep.
    static func noChart(_ name: String) -> APIError {
        APIError(
            404, .stockNotFound, "\(name) is no stock; its prices over time are not read.",
            user: "There is no chart of \(name).", action: "go_back")
    }

    /// Crypto assets and funds are known, and have no filings to list.
    static func filesNothing(_ name: String) -> APIError {
        APIError(
            404, .stockNotFound, "\(name) files no reports with the SEC.", user: "\(name) files no reports.",
            action: "go_back")
    }

    /// A report rests on filings, which crypto assets and funds do not have.
    static func noFilings(_ ticker: String, _ name: String, field: String) -> APIError {
        var error = invalid(
            field, "is \(name), which files no reports, so no report can be written on it", code: .invalidTicker)
        error.userMessage = "\(name) files no reports, so there is nothing to write a report from."
        error.action = "go_back"
        return error
    }

    /// The sources have not answered in time; their answers go into the cache.
    static let sourcesPending = APIError(
        503, .dataSource, "The data sources have not answered yet. Please retry.",
        user: "This is taking longer than usual. Please try again in a moment.", action: "retry", retryAfter: 3)

    static let noSources = APIError(
        503, .dataSource, "No source of stock data is configured (SEC_USER_AGENT, FMP_API_KEY).",
        user: "This is not available at the moment.")

    private static func source(_ source: DataSource, _ error: DataSourceError, isTransient: Bool) -> APIError {
        APIError(
            isTransient ? 503 : 502, source == .fmp ? .fmp : .dataSource, "\(error).",
            user: "We could not reach our data provider. Please try again soon.",
            action: isTransient ? "retry" : nil, retryAfter: isTransient ? 5 : nil)
    }
}

extension Duration {
    /// Whole seconds, rounded up, and at least one.
    var roundedUpSeconds: Int { max(1, Int((wholeMilliseconds + 999) / 1000)) }
}
