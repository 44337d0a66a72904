internal import HTTP
internal import HTTPServer
internal import JSON

/// Chat completions as OpenAI defined them and as Ollama, vLLM and llama.cpp offer them.
struct OpenAIService: ModelService {
    /// The models there are; empty for any, as llama.cpp has it.
    var models: [String]
    /// The time at which answers were created, in seconds since 1970: the same for all, so that equal requests get
    /// equal answers.
    var created: Int64

    func read(_ request: ServiceRequest) throws(Refusal) -> SimulatedCall {
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
        call.digest = SimulatedCall.digest(of: body)
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

    func refused(_ refusal: LimitBook.Refusal, model: String, context: AnswerContext) -> Answer {
        let (type, unit) =
            switch refusal.cause {
            case .bucket(.requests, let perMinute): ("requests", "requests per min. Limit: \(Int(perMinute))")
            case .bucket(_, let perMinute): ("tokens", "tokens per min. Limit: \(Int(perMinute))")
            case .daily(let most): ("requests", "requests per day. Limit: \(most)")
            case .acceleration: ("requests", "requests: they grew too fast")
            }
        let wait = Duration.milliseconds(Int64((refusal.wait * 1_000).rounded(.up)))
        var answer = Self.answer(
            429, "Rate limit reached for \(model) on \(unit). Please try again in \(wait.secondsText)s.",
            type: type, param: nil, code: "rate_limit_exceeded")
        answer.headers["retry-after"] = String(max(1, wait.wholeSeconds))
        return answer
    }

    func limitHeaders(_ levels: [LimitLevel], context: AnswerContext, isExhausted: Bool) -> HTTPHeaders {
        LimitHeaders.openAI(levels, isExhausted: isExhausted)
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

    static func refusal(_ violation: Shape.Violation) -> Refusal {
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

    func authenticate(_ request: ServiceRequest) throws(Refusal) {
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

extension OpenAIService {
    func answer(_ reply: Reply, to call: SimulatedCall, pacing: Pacing, context: AnswerContext) -> Answer {
        let headers: HTTPHeaders = ["x-request-id": context.requestID]
        guard call.streams else {
            return Answer(headers: headers, json: completion(reply, call), tokens: reply.usage.output)
        }
        return Answer(headers: headers, events: chunks(reply, call, pacing))
    }

    func completion(_ reply: Reply, _ call: SimulatedCall) -> JSON {
        var message: JSON = ["role": "assistant", "content": nil]
        switch reply.content {
        case .text(let text): message["content"] = reply.stop == .refusal ? nil : JSON(text)
        case .toolCalls(let calls): message["tool_calls"] = .array(calls.map(toolCall))
        }
        var body = head(reply, call, object: "chat.completion")
        body["choices"] = [
            ["index": 0, "message": message, "logprobs": nil, "finish_reason": JSON(finishReason(reply))]
        ]
        body["usage"] = usage(reply)
        return body
    }

    private func head(_ reply: Reply, _ call: SimulatedCall, object: String) -> JSON {
        [
            "id": JSON("chatcmpl-sim-" + reply.id), "object": JSON(object), "created": JSON(created),
            "model": JSON(call.model),
        ]
    }

    private func toolCall(_ call: Reply.ToolCall) -> JSON {
        [
            "id": JSON("call_sim_" + call.id), "type": "function",
            "function": ["name": JSON(call.name), "arguments": JSON(call.arguments.compact)],
        ]
    }

    private func finishReason(_ reply: Reply) -> String {
        switch reply.stop {
        case .finished, .sequence: "stop"
        case .length: "length"
        case .toolUse: "tool_calls"
        case .refusal, .blockedPrompt: "content_filter"
        }
    }

    private func usage(_ reply: Reply) -> JSON {
        [
            "prompt_tokens": JSON(reply.usage.allInput), "completion_tokens": JSON(reply.usage.output),
            "total_tokens": JSON(reply.usage.allInput + reply.usage.output),
            "prompt_tokens_details": ["cached_tokens": JSON(reply.usage.cacheRead)],
        ]
    }

    // MARK: Stream

    private func chunks(_ reply: Reply, _ call: SimulatedCall, _ pacing: Pacing) -> [Answer.Piece] {
        let wantsUsage = call.wantsUsageInStream
        func chunk(_ choices: [JSON], usage: JSON? = nil, tokens: Int = 0) -> Answer.Piece {
            var body = head(reply, call, object: "chat.completion.chunk")
            body["choices"] = .array(choices)
            if wantsUsage { body["usage"] = usage ?? .null }
            return .event(nil, body, tokens: tokens)
        }
        func delta(_ delta: JSON, finish: String? = nil, tokens: Int = 0) -> Answer.Piece {
            chunk([["index": 0, "delta": delta, "logprobs": nil, "finish_reason": JSON(finish)]], tokens: tokens)
        }
        var pieces = [delta(["role": "assistant", "content": ""])]
        switch reply.content {
        case .text(let text):
            pieces += pacing.deltas(of: text).map { delta(["content": JSON($0)], tokens: max(1, TokenCount.of($0))) }
        case .toolCalls(let calls):
            for (index, call) in calls.enumerated() {
                var opening = toolCall(call)
                opening["index"] = JSON(index)
                opening["function"] = ["name": JSON(call.name), "arguments": ""]
                pieces.append(delta(["tool_calls": [opening]]))
                pieces += pacing.deltas(of: call.arguments.compact).map { text in
                    delta(
                        ["tool_calls": [["index": JSON(index), "function": ["arguments": JSON(text)]]]],
                        tokens: max(1, TokenCount.of(text)))
                }
            }
        }
        pieces.append(delta([:], finish: finishReason(reply)))
        if wantsUsage { pieces.append(chunk([], usage: usage(reply))) }
        return pieces + [Answer.Piece(bytes: Array("data: [DONE]\n\n".utf8))]
    }
}
