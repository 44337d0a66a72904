internal import HTTP
internal import JSON

/// The errors of the Claude API, as it words and frames them.
enum SimulatedClaudeErrors {
    static func answer(
        _ status: Int, _ type: String, _ message: String, details: JSON? = nil, headers: HTTPHeaders = [:],
        context: AnswerContext
    ) -> Answer {
        var error: JSON = ["type": JSON(type), "message": JSON(message)]
        if let details { error["details"] = details }
        var headers = headers
        headers["request-id"] = context.requestID
        return Answer(
            status: status, headers: headers,
            json: ["type": "error", "error": error, "request_id": JSON(context.requestID)])
    }

    static func invalid(_ message: String, context: AnswerContext) -> Refusal {
        Refusal(answer: answer(400, "invalid_request_error", message, context: context))
    }

    /// The words for a violation, with its path: `messages.0.content: Field required`.
    static func message(_ violation: Shape.Violation) -> String {
        let path = violation.path.map { step in
            switch step {
            case .member(let name): name
            case .index(let index): String(index)
            }
        }.joined(separator: ".")
        switch violation.problem {
        case .missing: return "\(path): Field required"
        case .unknown: return "\(path): Extra inputs are not permitted"
        case .wrongType(let expected): return "\(path): Input should be a valid \(pythonName(expected))"
        case .notAmong(let choices):
            let quoted = choices.map { "'\($0)'" }
            let list =
                quoted.count > 1
                ? quoted.dropLast().joined(separator: ", ") + " or " + (quoted.last ?? "") : quoted.first ?? ""
            return "\(path): Input should be \(list)"
        }
    }

    private static func pythonName(_ kind: String) -> String {
        switch kind {
        case "array": "list"
        case "object": "dictionary"
        default: kind
        }
    }

    static func failure(_ failure: ServiceFailure, context: AnswerContext) -> Answer {
        switch failure.cause {
        case .status(let status):
            let (type, message) = words(for: status)
            return answer(status, type, message, context: context)
        case .rateLimit(let limit, let retryAfter): return rateLimited(limit, retryAfter, context)
        }
    }

    private static func words(for status: Int) -> (String, String) {
        switch status {
        case 400: ("invalid_request_error", "The request is not valid.")
        case 401: ("authentication_error", "invalid x-api-key")
        case 402: ("billing_error", "There is a problem with the account's billing.")
        case 403: ("permission_error", "This key may not use the requested resource.")
        case 404: ("not_found_error", "The requested resource could not be found.")
        case 408: ("timeout_error", "The request took too long.")
        case 413: ("request_too_large", "Request exceeds the maximum size")
        case 504: ("timeout_error", "The request timed out while it was processed.")
        case 529: ("overloaded_error", "Overloaded")
        default: ("api_error", "Internal server error")
        }
    }

    private static func rateLimited(
        _ limit: FaultAction.RateLimit, _ retryAfter: Duration?, _ context: AnswerContext
    ) -> Answer {
        var headers = HTTPHeaders()
        func limited(_ message: String, code: String?) -> Answer {
            answer(
                429, "rate_limit_error", message, details: code.map { ["error_code": JSON($0)] }, headers: headers,
                context: context)
        }
        switch limit {
        case .perMinute:
            headers["retry-after"] = (retryAfter ?? .seconds(7)).secondsText
            return limited("This request would exceed the rate limit for your organization.", code: nil)
        case .ramp:
            headers["retry-after"] = (retryAfter ?? .seconds(2)).secondsText
            return limited("Usage grew faster than the limit allows; slow down.", code: "ramp_limit_exceeded")
        case .perDay:
            return limited("The spend limit of your usage tier is reached.", code: "enforced_spend_limit_reached")
        case .spendLimit:
            return limited("The spend limit of your contract is reached.", code: "contract_spend_limit_reached")
        case .ownSpendLimit:
            return answer(
                400, "invalid_request_error",
                "You have reached your specified API usage limits. You will regain access next month.",
                context: context)
        }
    }

    /// The service tells whole seconds.
    static func refused(_ refusal: LimitBook.Refusal, context: AnswerContext) -> Answer {
        var details: JSON?
        let message: String
        switch refusal.cause {
        case .bucket(let kind, let perMinute):
            let unit =
                switch kind {
                case .requests: "requests"
                case .input: "input tokens"
                case .output: "output tokens"
                case .tokens: "tokens"
                }
            message =
                "This request would exceed your organization's rate limit of \(Int(perMinute)) \(unit) per minute."
        case .daily(let most):
            message = "This request would exceed your organization's limit of \(most) requests per day."
        case .acceleration:
            message = "Usage grew faster than the limit allows; slow down."
            details = ["error_code": "ramp_limit_exceeded"]
        }
        return answer(
            429, "rate_limit_error", message, details: details,
            headers: ["retry-after": String(Int(max(1, refusal.wait.rounded(.up))))], context: context)
    }
}
