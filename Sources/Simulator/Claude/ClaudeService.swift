internal import HTTP
internal import HTTPServer
internal import JSON

/// The Claude Messages API.
struct ClaudeService: ModelService {
    private static let versions = ["2023-06-01", "2026-10-21"]

    func read(_ request: ServiceRequest) throws(Refusal) -> SimulatedCall {
        let body = try check(request, against: ClaudeShapes.create)
        var reader = ClaudeRequestReader(body: body, request: request, version: try version(of: request))
        return try reader.call()
    }

    /// `POST /v1/messages/count_tokens`.
    func countTokens(_ request: ServiceRequest) throws(Refusal) -> Answer {
        let body = try check(request, against: ClaudeShapes.countTokens)
        var reader = ClaudeRequestReader(body: body, request: request, version: try version(of: request))
        let call = try reader.call(countingOnly: true)
        return Answer(headers: headers(request.context), json: ["input_tokens": JSON(call.inputTokens)])
    }

    /// `GET /v1/models` and `GET /v1/models/{id}`.
    func models(_ request: ServiceRequest, id: String?) throws(Refusal) -> Answer {
        try authenticate(request)
        _ = try version(of: request)
        if let id {
            guard let model = ClaudeModelInfo.all.first(where: { $0.id == id }) else {
                throw notFound("model: \(id)", request.context)
            }
            return Answer(headers: headers(request.context), json: model.json)
        }
        let lifecycles = request.request.query.filter { $0.name == "lifecycle[]" || $0.name == "lifecycle" }.map(
            \.value)
        let listed = ClaudeModelInfo.all.filter { lifecycles.isEmpty || lifecycles.contains($0.lifecycle) }
        let page = try ClaudePage(of: listed, id: \.id, json: \.json, request)
        return Answer(headers: headers(request.context), json: page.json)
    }

    func notFound(_ message: String, _ context: AnswerContext) -> Refusal {
        Refusal(answer: SimulatedClaudeErrors.answer(404, "not_found_error", message, context: context))
    }

    func failure(_ failure: ServiceFailure, context: AnswerContext) -> Answer {
        SimulatedClaudeErrors.failure(failure, context: context)
    }

    func refused(_ refusal: LimitBook.Refusal, model: String, context: AnswerContext) -> Answer {
        SimulatedClaudeErrors.refused(refusal, context: context)
    }

    func limitHeaders(_ levels: [LimitLevel], context: AnswerContext, isExhausted: Bool) -> HTTPHeaders {
        LimitHeaders.claude(levels, now: context.milliseconds, isExhausted: isExhausted)
    }

    /// The model with which a request counts towards limits; `nil` where it names none that exists.
    static func limitedModel(_ body: JSON?) -> LimitBook.Model? {
        guard let info = ClaudeModelInfo.all.first(where: { $0.id == body?["model"]?.string }) else { return nil }
        return LimitBook.Model(service: .claude, id: info.id, group: info.line)
    }

    func midStreamError(context: AnswerContext) -> Answer.Piece {
        .event("error", ["type": "error", "error": ["type": "overloaded_error", "message": "Overloaded"]])
    }

    func headers(_ context: AnswerContext) -> HTTPHeaders {
        [
            "request-id": context.requestID, "anthropic-organization-id": "org_simulated",
            "anthropic-workspace-id": "wrkspc_simulated",
        ]
    }

    // MARK: Before the body

    /// Checks the key and the version alone.
    func checkHead(_ request: ServiceRequest) throws(Refusal) {
        try authenticate(request)
        _ = try version(of: request)
    }

    func check(_ request: ServiceRequest, against shape: Shape) throws(Refusal) -> JSON {
        try authenticate(request)
        guard request.request.headers["content-type"]?.lowercased().hasPrefix("application/json") == true else {
            throw SimulatedClaudeErrors.invalid("content-type: must be application/json", context: request.context)
        }
        guard let body = request.body else {
            throw SimulatedClaudeErrors.invalid("The request body is not valid JSON", context: request.context)
        }
        if let violation = shape.violations(of: body).first {
            throw SimulatedClaudeErrors.invalid(
                violation.path.isEmpty ? "Input should be an object" : SimulatedClaudeErrors.message(violation),
                context: request.context)
        }
        return body
    }

    private func authenticate(_ request: ServiceRequest) throws(Refusal) {
        let headers = request.request.headers
        let bearer = headers["authorization"].flatMap { $0.hasPrefix("Bearer ") ? String($0.dropFirst(7)) : nil }
        guard let key = headers["x-api-key"] ?? bearer, !key.isEmpty else {
            throw Refusal(
                answer: SimulatedClaudeErrors.answer(
                    401, "authentication_error", "x-api-key header is required", context: request.context))
        }
        if SimulatorKeys.isRefused(key) {
            throw Refusal(answer: SimulatedClaudeErrors.failure(ServiceFailure(.status(401)), context: request.context))
        }
    }

    private func version(of request: ServiceRequest) throws(Refusal) -> String {
        guard let version = request.request.headers["anthropic-version"] else {
            throw SimulatedClaudeErrors.invalid("anthropic-version: header is required", context: request.context)
        }
        guard Self.versions.contains(version) else {
            throw SimulatedClaudeErrors.invalid(
                "anthropic-version: \"\(version)\" is not a valid version", context: request.context)
        }
        return version
    }
}

/// Any key opens the simulated services, except those made to be refused.
enum SimulatorKeys {
    /// A key that begins so is answered as a wrong one.
    static let refusedPrefix = "invalid"

    static func isRefused(_ key: String) -> Bool { key.hasPrefix(refusedPrefix) }
}

extension ClaudeService {
    func answer(_ reply: Reply, to call: SimulatedCall, pacing: Pacing, context: AnswerContext) -> Answer {
        call.streams
            ? Answer(headers: headers(context), events: events(reply, call, pacing))
            : Answer(headers: headers(context), json: message(reply, call), tokens: reply.usage.output)
    }

    // MARK: Whole

    func message(_ reply: Reply, _ call: SimulatedCall) -> JSON {
        var message = head(reply, call)
        message["content"] = .array(blocks(reply))
        for (key, value) in stop(reply).object ?? [:] { message[key] = value }
        message["usage"] = usage(reply, isFinal: true)
        return message
    }

    private func head(_ reply: Reply, _ call: SimulatedCall) -> JSON {
        [
            "id": JSON("msg_sim_" + reply.id), "type": "message", "role": "assistant", "model": JSON(call.model),
            "content": [], "stop_reason": nil, "stop_sequence": nil, "stop_details": nil,
        ]
    }

    private func blocks(_ reply: Reply) -> [JSON] {
        var blocks: [JSON] = []
        if reply.thinks, reply.stop != .refusal {
            blocks.append(["type": "thinking", "thinking": "", "signature": JSON(signature(reply))])
        }
        switch reply.content {
        case .text(""): break
        case .text(let text): blocks.append(["type": "text", "text": JSON(text)])
        case .toolCalls(let calls):
            blocks += calls.map { call in
                [
                    "type": "tool_use", "id": JSON("toolu_sim_" + call.id), "name": JSON(call.name),
                    "input": call.arguments,
                ]
            }
        }
        return blocks
    }

    private func signature(_ reply: Reply) -> String { "c2lt" + reply.id }

    private func stop(_ reply: Reply) -> JSON {
        switch reply.stop {
        case .finished: ["stop_reason": "end_turn", "stop_sequence": nil, "stop_details": nil]
        case .toolUse: ["stop_reason": "tool_use", "stop_sequence": nil, "stop_details": nil]
        case .length: ["stop_reason": "max_tokens", "stop_sequence": nil, "stop_details": nil]
        case .sequence(let text): ["stop_reason": "stop_sequence", "stop_sequence": JSON(text), "stop_details": nil]
        case .refusal, .blockedPrompt:
            [
                "stop_reason": "refusal", "stop_sequence": nil,
                "stop_details": [
                    "type": "refusal", "category": "general_harms", "explanation": "The simulator was told to refuse.",
                ],
            ]
        }
    }

    private func usage(_ reply: Reply, isFinal: Bool) -> JSON {
        let usage = reply.usage
        return [
            "input_tokens": JSON(usage.input), "output_tokens": JSON(isFinal ? usage.output : 1),
            "cache_creation_input_tokens": JSON(usage.cacheWrite5m + usage.cacheWrite1h),
            "cache_read_input_tokens": JSON(usage.cacheRead),
            "cache_creation": [
                "ephemeral_5m_input_tokens": JSON(usage.cacheWrite5m),
                "ephemeral_1h_input_tokens": JSON(usage.cacheWrite1h),
            ],
            "output_tokens_details": ["thinking_tokens": JSON(isFinal ? usage.thinking : 0)],
            "service_tier": reply.isBatch ? "batch" : "standard",
        ]
    }

    // MARK: Stream

    private func events(_ reply: Reply, _ call: SimulatedCall, _ pacing: Pacing) -> [Answer.Piece] {
        var start = head(reply, call)
        start["usage"] = usage(reply, isFinal: false)
        var pieces: [Answer.Piece] = [
            .event("message_start", ["type": "message_start", "message": start]),
            .event("ping", ["type": "ping"]),
        ]
        for (index, block) in blocks(reply).enumerated() { pieces += events(of: block, index, pacing) }
        pieces.append(
            .event(
                "message_delta", ["type": "message_delta", "delta": stop(reply), "usage": usage(reply, isFinal: true)]))
        pieces.append(.event("message_stop", ["type": "message_stop"]))
        return pieces
    }

    private func events(of block: JSON, _ index: Int, _ pacing: Pacing) -> [Answer.Piece] {
        var opening = block
        var deltas: [(JSON, tokens: Int)] = []
        switch block["type"]?.string {
        case "thinking":
            opening["signature"] = ""
            deltas = [(["type": "signature_delta", "signature": block["signature"] ?? ""], 0)]
        case "text":
            opening["text"] = ""
            deltas = pacing.deltas(of: block["text"]?.string ?? "").map { text in
                (["type": "text_delta", "text": JSON(text)], max(1, TokenCount.of(text)))
            }
        default:
            opening["input"] = [:]
            // An input without members may come without any partial JSON.
            let arguments = block["input"] == [:] ? "" : block["input"]?.compact ?? ""
            deltas = [(["type": "input_json_delta", "partial_json": ""], 0)]
            deltas += pacing.deltas(of: arguments).map { text in
                (["type": "input_json_delta", "partial_json": JSON(text)], max(1, TokenCount.of(text)))
            }
        }
        func event(_ type: String, _ fields: [(String, JSON)], tokens: Int = 0) -> Answer.Piece {
            .event(type, .object(JSONObject([("type", JSON(type)), ("index", JSON(index))] + fields)), tokens: tokens)
        }
        return [event("content_block_start", [("content_block", opening)])]
            + deltas.map { event("content_block_delta", [("delta", $0.0)], tokens: $0.tokens) }
            + [event("content_block_stop", [])]
    }
}
