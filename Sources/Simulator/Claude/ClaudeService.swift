internal import HTTP
internal import HTTPServer
internal import JSON

/// The Claude Messages API.
struct ClaudeService: ModelService {
    private static let versions = ["2023-06-01", "2026-10-21"]

    func read(_ request: ServiceRequest) throws(Refusal) -> ModelCall {
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
        var listed = ClaudeModelInfo.all.filter { lifecycles.isEmpty || lifecycles.contains($0.lifecycle) }
        if let after = request.request.query("after_id"), let place = listed.firstIndex(where: { $0.id == after }) {
            listed = Array(listed[(place + 1)...])
        }
        if let before = request.request.query("before_id"), let place = listed.firstIndex(where: { $0.id == before }) {
            listed = Array(listed[..<place])
        }
        let limit = request.request.query("limit").flatMap(Int.init) ?? 20
        guard (1...1_000).contains(limit) else {
            throw ClaudeErrors.invalid("limit: Input should be from 1 to 1000", context: request.context)
        }
        let page = listed.prefix(limit)
        return Answer(
            headers: headers(request.context),
            json: [
                "data": .array(page.map(\.json)), "has_more": JSON(listed.count > limit),
                "first_id": JSON(page.first?.id), "last_id": JSON(page.last?.id),
            ])
    }

    func notFound(_ message: String, _ context: AnswerContext) -> Refusal {
        Refusal(answer: ClaudeErrors.answer(404, "not_found_error", message, context: context))
    }

    func failure(_ failure: ServiceFailure, context: AnswerContext) -> Answer {
        ClaudeErrors.failure(failure, context: context)
    }

    func midStreamError(context: AnswerContext) -> Answer.Piece {
        .event("error", ["type": "error", "error": ["type": "overloaded_error", "message": "Overloaded"]])
    }

    func headers(_ context: AnswerContext) -> HTTPHeaders {
        var headers = ClaudeErrors.limits(remaining: 1, context: context)
        headers["request-id"] = context.requestID
        headers["anthropic-organization-id"] = "org_simulated"
        headers["anthropic-workspace-id"] = "wrkspc_simulated"
        return headers
    }

    // MARK: Before the body

    private func check(_ request: ServiceRequest, against shape: Shape) throws(Refusal) -> JSON {
        try authenticate(request)
        guard request.request.headers["content-type"]?.lowercased().hasPrefix("application/json") == true else {
            throw ClaudeErrors.invalid("content-type: must be application/json", context: request.context)
        }
        guard let body = request.body else {
            throw ClaudeErrors.invalid("The request body is not valid JSON", context: request.context)
        }
        if let violation = shape.violations(of: body).first {
            throw ClaudeErrors.invalid(
                violation.path.isEmpty ? "Input should be an object" : ClaudeErrors.message(violation),
                context: request.context)
        }
        return body
    }

    private func authenticate(_ request: ServiceRequest) throws(Refusal) {
        let headers = request.request.headers
        let bearer = headers["authorization"].flatMap { $0.hasPrefix("Bearer ") ? String($0.dropFirst(7)) : nil }
        guard let key = headers["x-api-key"] ?? bearer, !key.isEmpty else {
            throw Refusal(
                answer: ClaudeErrors.answer(
                    401, "authentication_error", "x-api-key header is required", context: request.context))
        }
        if SimulatorKeys.isRefused(key) {
            throw Refusal(answer: ClaudeErrors.failure(ServiceFailure(.status(401)), context: request.context))
        }
    }

    private func version(of request: ServiceRequest) throws(Refusal) -> String {
        guard let version = request.request.headers["anthropic-version"] else {
            throw ClaudeErrors.invalid("anthropic-version: header is required", context: request.context)
        }
        guard Self.versions.contains(version) else {
            throw ClaudeErrors.invalid(
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
