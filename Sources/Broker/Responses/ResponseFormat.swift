internal import DossierAPI
internal import JSON

/// The form of an API's responses. The documents of the apps prescribe the forms beside the native one.
enum ResponseFormat: Sendable, Hashable {
    /// The native API: `success`, `error`, `meta`.
    case envelope
    /// `/api/analyze`: `error`, `message`, `details [{path, message}]`.
    case analyze
    /// `/v1`: `error`, `details`.
    case news
    /// `/train-model`, `/forecast-quality`: `error` as one sentence.
    case forecast

    init(path: String?) {
        switch path {
        case let path? where path == "/api/analyze" || path.hasPrefix("/api/analyze/"): self = .analyze
        case "/train-model", "/forecast-quality": self = .forecast
        case let path? where path == "/v1" || path.hasPrefix("/v1/"): self = .news
        default: self = .envelope
        }
    }

    /// The status of an error: the documents have `400` where the native API has `422`, and `500` where a model cannot
    /// be called.
    func status(of error: APIError) -> Int {
        if self == .envelope { return error.status }
        if self == .news, error.title == APIError.noUserTitle { return 400 }
        if [.claude, .gemini].contains(error.code) { return 500 }
        return error.status == 422 ? 400 : error.status
    }

    /// The body of an error; `nil` for the envelope, which needs more than the error.
    func body(of error: APIError) -> JSON? {
        switch self {
        case .envelope: nil
        case .analyze: analyze(error)
        case .news: news(error)
        case .forecast: forecast(error)
        }
    }

    private func analyze(_ error: APIError) -> JSON {
        let isRequest = [400, 413, 415, 422].contains(error.status)
        let problems = error.problems.isEmpty && isRequest ? [("", error.message)] : error.problems
        var body: JSONObject = [
            "error": JSON(Self.title(of: error)),
            // A problem that the user can fix is named; other errors have a text that the app may show.
            "message": JSON(isRequest && error.code != .contentUnavailable ? error.message : error.userMessage),
        ]
        if !problems.isEmpty {
            body["details"] = .array(
                problems.map { ["path": JSON(Self.steps(of: $0.0)), "message": JSON($0.1)] })
        }
        body["code"] = JSON(error.code.rawValue)
        if let job = error.details?["job_id"] {
            body["trace_id"] = job
            body["job_id"] = job
        }
        for name in ["current_credits", "required"] { body[name] = error.details?[name] }
        if let retryAfter = error.retryAfter { body["retry_after"] = JSON(retryAfter) }
        return .object(body)
    }

    private func news(_ error: APIError) -> JSON {
        var body: JSONObject = ["error": JSON(error.title ?? Self.title(of: error))]
        let isRequest = [400, 405, 413, 415, 422].contains(error.status) || error.title != nil
        body["details"] = JSON(isRequest && error.code != .contentUnavailable ? error.message : error.userMessage)
        if error.code == .contentUnavailable, let (field, problem) = error.problems.first {
            body["details"] = JSON("'\(field)': \(problem)")
        }
        body["code"] = JSON(error.code.rawValue)
        if let job = error.details?["job_id"] { body["job_id"] = job }
        return .object(body)
    }

    private func forecast(_ error: APIError) -> JSON {
        var body: JSONObject = [
            "error": JSON(error.status == 500 ? error.userMessage : error.message),
            "code": JSON(error.code.rawValue),
        ]
        if let job = error.details?["job_id"] { body["job_id"] = job }
        if let retryAfter = error.retryAfter { body["retry_after"] = JSON(retryAfter) }
        return .object(body)
    }

    private static func title(of error: APIError) -> String {
        switch (error.status, error.code) {
        case (400, .contentUnavailable): "Content fetch failed"
        case (400, _), (422, _): "Invalid request"
        case (401, _): "Unauthorized"
        case (403, .insufficientCredits): "Not enough credits"
        case (403, .spendLimitReached): "Daily limit reached"
        case (403, _): "Forbidden"
        case (404, _): "Not found"
        case (405, _): "Method not allowed"
        case (409, _): "Conflict"
        case (413, _): "Request too large"
        case (415, _): "Unsupported media type"
        case (429, _): "Rate limit exceeded"
        case (_, .claude), (_, .gemini): "Analysis failed"
        case (503, _): "Service unavailable"
        case (504, _): "Request timed out"
        default: error.code == .internal ? "Internal server error" : "Analysis failed"
        }
    }

    /// `known_concepts[2]` as `known_concepts`, `2`.
    private static func steps(of path: String) -> [String] {
        path.split { ".[]".contains($0) }.map(String.init)
    }
}
