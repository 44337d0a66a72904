internal import HTTP
internal import HTTPServer
internal import JSON

/// Chat completions as OpenAI defined them and as Ollama, vLLM and llama.cpp offer them.
struct OpenAIService: ModelService {
    /// The models there are; empty for any, as llama.cpp has it.
    var models: [String]
    /// When answers were created, in seconds since 1970: the same for all, so that equal requests get equal answers.
    var created: Int64

    func read(_ request: ServiceRequest) throws(Refusal) -> ModelCall {
        try authenticate(request)
        guard request.request.headers["content-type"]?.lowercased().hasPrefix("application/json") == true else {
            throw Self.invalid("The content type must be application/json.", param: nil)
        }
        guard let body = request.body else {
            throw Self.invalid("We could not parse the JSON body of your request.", param: nil)
        }
        if let violation = OpenAIShapes.completions.violations(of: body).first { throw Self.refusal(violation) }
        let model = body["model"]?.string ?? ""
        guard models.isEmpty || models.contains(model) else {
            throw Refusal(
                answer: Self.answer(
                    404, "The model `\(model)` does not exist.", type: "invalid_request_error", param: "model",
                    code: "model_not_found"))
        }
        var call = try OpenAIRequestReader(body: body).call()
        call.digest = ModelCall.digest(of: body)
        return call
    }

    /// `GET /v1/models` and `GET /v1/models/{id}`.
    func models(_ request: ServiceRequest, id: String?) throws(Refusal) -> Answer {
        try authenticate(request)
        func entry(_ model: String) -> JSON {
            ["id": JSON(model), "object": "model", "created": JSON(created), "owned_by": "simulator"]
        }
        let listed = models.isEmpty ? ["simulated-model"] : models
        guard let id else { return Answer(json: ["object": "list", "data": .array(listed.map(entry))]) }
        guard models.isEmpty || models.contains(id) else {
            throw Refusal(
                answer: Self.answer(
                    404, "The model '\(id)' does not exist", type: "invalid_request_error", param: "model",
                    code: "model_not_found"))
        }
        return Answer(json: entry(id))
    }

    func failure(_ failure: ServiceFailure, context: AnswerContext) -> Answer {
        switch failure.cause {
        case .status(let status):
            let type =
                switch status {
                case 401, 403: "authentication_error"
                case 400, 404, 408, 413: "invalid_request_error"
                case 503, 529: "service_unavailable_error"
                default: "server_error"
                }
            return Self.answer(
                status == 529 ? 503 : status, "The server had an error while processing your request.", type: type,
                param: nil, code: nil)
        case .rateLimit(let limit, let retryAfter):
            let isQuota = limit != .perMinute && limit != .ramp
            var answer = Self.answer(
                429,
                isQuota
                    ? "You exceeded your current quota, please check your plan and billing details."
                    : "Rate limit reached for requests per minute.",
                type: isQuota ? "insufficient_quota" : "requests", param: nil,
                code: isQuota ? "insufficient_quota" : "rate_limit_exceeded")
            if !isQuota { answer.headers["retry-after"] = (retryAfter ?? .seconds(7)).secondsText }
            return answer
        }
    }

    func midStreamError(context: AnswerContext) -> Answer.Piece {
        .event(
            nil,
            [
                "error": [
                    "message": "The server had an error while processing your request.", "type": "server_error",
                    "param": nil, "code": nil,
                ]
            ])
    }

    // MARK: Errors

    static func answer(_ status: Int, _ message: String, type: String, param: String?, code: String?) -> Answer {
        Answer(
            status: status,
            json: ["error": ["message": JSON(message), "type": JSON(type), "param": JSON(param), "code": JSON(code)]])
    }

    static func invalid(_ message: String, param: String?) -> Refusal {
        Refusal(answer: answer(400, message, type: "invalid_request_error", param: param, code: nil))
    }

    private static func refusal(_ violation: Shape.Violation) -> Refusal {
        let path = violation.path.reduce(into: "") { text, step in
            switch step {
            case .member(let name): text += (text.isEmpty ? "" : ".") + name
            case .index(let index): text += "[\(index)]"
            }
        }
        switch violation.problem {
        case .missing: return invalid("Missing required parameter: '\(path)'.", param: path)
        case .unknown: return invalid("Unknown parameter: '\(path)'.", param: path)
        case .wrongType(let expected):
            return invalid(
                "Invalid type for '\(path)': expected \(expected), but got \(violation.value?.kind.rawValue ?? "nothing") instead.",
                param: path)
        case .notAmong(let choices):
            let list = choices.map { "'\($0)'" }.joined(separator: ", ")
            return invalid(
                "Invalid value: '\(violation.value?.string ?? "")'. Supported values are: \(list).", param: path)
        }
    }

    private func authenticate(_ request: ServiceRequest) throws(Refusal) {
        let header = request.request.headers["authorization"] ?? ""
        let key = header.hasPrefix("Bearer ") ? String(header.dropFirst(7)) : ""
        guard !key.isEmpty, !SimulatorKeys.isRefused(key) else {
            throw Refusal(
                answer: Self.answer(
                    401, key.isEmpty ? "You didn't provide an API key." : "Incorrect API key provided.",
                    type: "invalid_request_error", param: nil, code: "invalid_api_key"))
        }
    }
}
