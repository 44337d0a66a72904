internal import JSON

/// The errors of the Gemini API: `google.rpc.Status`.
enum SimulatedGeminiErrors {
    static func answer(_ code: Int, _ status: String, _ message: String, details: [JSON] = []) -> Answer {
        var error: JSON = ["code": JSON(code), "message": JSON(message), "status": JSON(status)]
        if !details.isEmpty { error["details"] = .array(details) }
        return Answer(status: code, json: ["error": error])
    }

    static func invalid(_ message: String, details: [JSON] = []) -> Refusal {
        Refusal(answer: answer(400, "INVALID_ARGUMENT", message, details: details))
    }

    static let missingKey = Refusal(
        answer: answer(
            403, "PERMISSION_DENIED",
            "Method doesn't allow unregistered callers (callers without established identity). Please use API Key or "
                + "other form of API consumer identity to call this API."))

    static let wrongKey = invalid(
        "API key not valid. Please pass a valid API key.",
        details: [
            [
                "@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID",
                "domain": "googleapis.com", "metadata": ["service": "generativelanguage.googleapis.com"],
            ]
        ])

    static func modelNotFound(_ model: String, version: String) -> Refusal {
        Refusal(
            answer: answer(
                404, "NOT_FOUND",
                "models/\(model) is not found for API version \(version), or is not supported for generateContent."))
    }

    /// The words for a violation, with the field in the service's notation: `contents[0].parts[0]`.
    static func refusal(_ violation: Shape.Violation) -> Refusal {
        let parent = field(violation.path.dropLast())
        let whole = field(violation.path[...])
        let value = violation.value?.compact ?? ""
        let (field, message): (String, String) =
            switch violation.problem {
            case .unknown:
                (
                    parent,
                    "Invalid JSON payload received. Unknown name \"\(violation.path.lastName)\""
                        + (parent.isEmpty ? "" : " at '\(parent)'") + ": Cannot find field."
                )
            case .missing: (whole, "\(whole) is required")
            case .wrongType(let expected): (whole, "Invalid value at '\(whole)' (\(protoName(expected))), \(value)")
            case .notAmong: (whole, "Invalid value at '\(whole)' (TYPE_ENUM), \(value)")
            }
        return invalid(
            message,
            details: [
                [
                    "@type": "type.googleapis.com/google.rpc.BadRequest",
                    "fieldViolations": [["field": JSON(field), "description": JSON(message)]],
                ]
            ])
    }

    private static func field(_ path: ArraySlice<Shape.Step>) -> String {
        path.reduce(into: "") { text, step in
            switch step {
            case .member(let name): text += (text.isEmpty ? "" : ".") + snakeCase(name)
            case .index(let index): text += "[\(index)]"
            }
        }
    }

    private static func snakeCase(_ name: String) -> String {
        name.reduce(into: "") { $0 += $1.isUppercase ? "_" + $1.lowercased() : String($1) }
    }

    private static func protoName(_ kind: String) -> String {
        switch kind {
        case "string": "TYPE_STRING"
        case "integer": "TYPE_INT32"
        case "number": "TYPE_FLOAT"
        case "boolean": "TYPE_BOOL"
        default: "TYPE_MESSAGE"
        }
    }

    static func failure(_ failure: ServiceFailure) -> Answer {
        switch failure.cause {
        case .status(let status):
            let (name, message) = words(for: status)
            return answer(status == 529 ? 503 : status, name, message)
        case .rateLimit(let limit, let retryAfter):
            let isDaily = limit != .perMinute && limit != .ramp
            return exhausted(
                isDaily ? requestsPerDay : requestsPerMinute, value: isDaily ? 250 : 10, model: failure.model,
                retryAfter: retryAfter ?? .seconds(isDaily ? 41 : 7))
        }
    }

    static func refused(_ refusal: LimitBook.Refusal, model: String) -> Answer {
        let (quota, value) =
            switch refusal.cause {
            case .bucket(.requests, let perMinute): (requestsPerMinute, Int(perMinute))
            case .bucket(_, let perMinute): (inputPerMinute, Int(perMinute))
            case .daily(let most): (requestsPerDay, most)
            case .acceleration: (requestsPerMinute, 0)
            }
        let wait = Duration.milliseconds(Int64((refusal.wait * 1_000).rounded(.up)))
        return exhausted(quota, value: value, model: model, retryAfter: wait)
    }

    private typealias Quota = (metric: String, id: String)

    private static let requestsPerMinute: Quota = (
        "generate_content_free_tier_requests", "GenerateRequestsPerMinutePerProjectPerModel"
    )
    private static let requestsPerDay: Quota = (
        "generate_content_free_tier_requests", "GenerateRequestsPerDayPerProjectPerModel"
    )
    private static let inputPerMinute: Quota = (
        "generate_content_free_tier_input_token_count", "GenerateContentInputTokensPerModelPerMinute"
    )

    private static func exhausted(_ quota: Quota, value: Int, model: String, retryAfter: Duration) -> Answer {
        let delay = retryAfter.secondsText
        return answer(
            429, "RESOURCE_EXHAUSTED",
            "You exceeded your current quota, please check your plan and billing details. Please retry in \(delay)s.",
            details: [
                [
                    "@type": "type.googleapis.com/google.rpc.QuotaFailure",
                    "violations": [
                        [
                            "quotaMetric": JSON("generativelanguage.googleapis.com/" + quota.metric),
                            "quotaId": JSON(quota.id + "-FreeTier"),
                            "quotaDimensions": ["model": JSON(model), "location": "global"],
                            "quotaValue": JSON(String(value)),
                        ]
                    ],
                ],
                ["@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": JSON(delay + "s")],
            ])
    }

    private static func words(for status: Int) -> (String, String) {
        switch status {
        case 400: ("INVALID_ARGUMENT", "Request contains an invalid argument.")
        case 401: ("UNAUTHENTICATED", "Request had invalid authentication credentials.")
        case 402, 403: ("PERMISSION_DENIED", "The caller does not have permission")
        case 404: ("NOT_FOUND", "Requested entity was not found.")
        case 413: ("INVALID_ARGUMENT", "Request payload size exceeds the limit.")
        case 408, 504: ("DEADLINE_EXCEEDED", "Deadline expired before operation could complete.")
        case 502, 503, 529: ("UNAVAILABLE", "The model is overloaded. Please try again later.")
        default: ("INTERNAL", "An internal error has occurred.")
        }
    }
}

extension [Shape.Step] {
    var lastName: String {
        switch last {
        case .member(let name): name
        case .index(let index): "[\(index)]"
        case nil: ""
        }
    }
}
