internal import Basics
internal import HTTP
internal import HTTPServer
internal import JSON

/// The Gemini API. Made for one request, whose path names the version, the model and the method.
struct GeminiService: ModelService {
    var version: String
    var model: String
    var streams: Bool

    func read(_ request: ServiceRequest) throws(Refusal) -> SimulatedCall {
        try authenticate(request)
        let body = try body(of: request, shape: GeminiShapes.generate)
        guard let info = GeminiModelInfo.find(model, version: version) else {
            throw SimulatedGeminiErrors.modelNotFound(model, version: version)
        }
        if streams, request.request.query("alt") != "sse" {
            throw SimulatedGeminiErrors.invalid("The simulator streams as server-sent events only: add ?alt=sse.")
        }
        var call = try GeminiRequestReader(body: body, model: info).call()
        call.digest = SimulatedCall.digest(of: body)
        call.streams = streams
        return call
    }

    func countTokens(_ request: ServiceRequest) throws(Refusal) -> Answer {
        try authenticate(request)
        let body = try body(of: request, shape: GeminiShapes.countTokens)
        guard GeminiModelInfo.find(model, version: version) != nil else {
            throw SimulatedGeminiErrors.modelNotFound(model, version: version)
        }
        let counted = body["generateContentRequest"] ?? body
        guard let contents = counted["contents"]?.array, !contents.isEmpty else {
            throw SimulatedGeminiErrors.invalid("* CountTokensRequest.contents: contents is not specified")
        }
        return Answer(json: ["totalTokens": JSON(GeminiRequestReader.tokens(of: counted))])
    }

    /// `GET models` and, with a model, `GET models/{model}`.
    func models(_ request: ServiceRequest) throws(Refusal) -> Answer {
        try authenticate(request)
        if !model.isEmpty {
            guard let info = GeminiModelInfo.find(model, version: version) else {
                throw SimulatedGeminiErrors.modelNotFound(model, version: version)
            }
            return Answer(json: info.json)
        }
        let size = request.request.query("pageSize").flatMap(Int.init) ?? 50
        let first = request.request.query("pageToken").flatMap(Int.init) ?? 0
        guard size > 0, first >= 0 else { throw SimulatedGeminiErrors.invalid("Invalid pageSize or pageToken") }
        let page = GeminiModelInfo.all.dropFirst(first).prefix(size)
        var body: JSON = ["models": .array(page.map(\.json))]
        if first + page.count < GeminiModelInfo.all.count { body["nextPageToken"] = JSON(String(first + page.count)) }
        return Answer(json: body)
    }

    func failure(_ failure: ServiceFailure, context: AnswerContext) -> Answer { SimulatedGeminiErrors.failure(failure) }

    func refused(_ refusal: LimitBook.Refusal, model: String, context: AnswerContext) -> Answer {
        SimulatedGeminiErrors.refused(refusal, model: model)
    }

    /// The service tells nothing of its limits before they are reached.
    func limitHeaders(_ levels: [LimitLevel], context: AnswerContext, isExhausted: Bool) -> HTTPHeaders { [:] }

    /// The service sends it as a bare line, without `data:`.
    func midStreamError(context: AnswerContext) -> Answer.Piece {
        let error = SimulatedGeminiErrors.failure(ServiceFailure(.status(503)))
        return Answer.Piece(bytes: error.bytes + Array("\n".utf8))
    }

    func authenticate(_ request: ServiceRequest) throws(Refusal) {
        guard let key = request.request.headers["x-goog-api-key"] ?? request.request.query("key"), !key.isEmpty else {
            throw SimulatedGeminiErrors.missingKey
        }
        if SimulatorKeys.isRefused(key) { throw SimulatedGeminiErrors.wrongKey }
    }

    func body(of request: ServiceRequest, shape: Shape) throws(Refusal) -> JSON {
        guard request.request.headers["content-type"]?.lowercased().hasPrefix("application/json") == true else {
            throw SimulatedGeminiErrors.invalid("Invalid content type: must be application/json")
        }
        guard let raw = request.body else { throw SimulatedGeminiErrors.invalid("Invalid JSON payload received.") }
        let body = GeminiNames.camelCased(raw)
        if let violation = shape.violations(of: body).first { throw SimulatedGeminiErrors.refusal(violation) }
        return body
    }
}

/// The service's JSON takes names in snake case, too. Schemas, arguments and other free maps stay as they are.
enum GeminiNames {
    private static let free: Set<String> = [
        "responseJsonSchema", "parametersJsonSchema", "response", "args", "labels",
    ]
    /// Messages of the service's own schema type, whose properties have free names.
    private static let schemas: Set<String> = ["responseSchema", "parameters"]

    static func camelCased(_ value: JSON) -> JSON {
        switch value {
        case .array(let elements): return .array(elements.map { camelCased($0) })
        case .object(let members):
            return .object(
                JSONObject(
                    members.map { key, value in
                        let name = camelCase(key)
                        if schemas.contains(name) { return (name, camelCased(inSchema: value)) }
                        return (name, free.contains(name) ? value : camelCased(value))
                    }))
        default: return value
        }
    }

    private static func camelCased(inSchema schema: JSON) -> JSON {
        switch schema {
        case .array(let parts): return .array(parts.map { camelCased(inSchema: $0) })
        case .object(let members):
            return .object(
                JSONObject(
                    members.map { key, value in
                        let name = camelCase(key)
                        guard name == "properties", let properties = value.object else {
                            return (name, camelCased(inSchema: value))
                        }
                        return (name, .object(JSONObject(properties.map { ($0, camelCased(inSchema: $1)) })))
                    }))
        default: return schema
        }
    }

    private static func camelCase(_ name: String) -> String {
        guard name.contains("_") else { return name }
        let words = name.split(separator: "_", omittingEmptySubsequences: true)
        return words.enumerated().map { $0 == 0 ? String($1) : String($1).uppercasedFirst }.joined()
    }
}

extension GeminiService {
    func answer(_ reply: Reply, to call: SimulatedCall, pacing: Pacing, context: AnswerContext) -> Answer {
        guard call.streams else {
            return Answer(json: whole(reply, call), tokens: reply.usage.output)
        }
        var pieces: [Answer.Piece] = []
        if case .text(let text) = reply.content, reply.stop != .blockedPrompt, reply.stop != .refusal {
            for delta in pacing.deltas(of: text) {
                pieces.append(
                    .event(
                        nil, response([["text": JSON(delta)]], reply, call, isLast: false),
                        tokens: max(1, TokenCount.of(delta))))
            }
            pieces.append(.event(nil, response([["text": ""]], reply, call, isLast: true)))
        } else {
            pieces.append(
                .event(nil, response(parts(reply), reply, call, isLast: true), tokens: max(1, reply.usage.output)))
        }
        return Answer(headers: [:], events: pieces)
    }

    /// The whole answer as the body of a response.
    func whole(_ reply: Reply, _ call: SimulatedCall) -> JSON { response(parts(reply), reply, call, isLast: true) }

    private func parts(_ reply: Reply) -> [JSON] {
        switch reply.content {
        case .text(""): return []
        case .text(let text): return [["text": JSON(text)]]
        case .toolCalls(let calls):
            return calls.map { call in
                [
                    "functionCall": ["id": JSON(call.id), "name": JSON(call.name), "args": call.arguments],
                    "thoughtSignature": JSON("c2lt" + reply.id),
                ]
            }
        }
    }

    private func response(_ parts: [JSON], _ reply: Reply, _ call: SimulatedCall, isLast: Bool) -> JSON {
        var body: JSON = [:]
        if reply.stop == .blockedPrompt {
            body["promptFeedback"] = ["blockReason": "SAFETY", "safetyRatings": [safetyRating]]
        } else {
            var candidate: JSON = ["index": 0]
            // Blocked candidates come without content.
            if !parts.isEmpty, reply.stop != .refusal {
                candidate["content"] = ["role": "model", "parts": .array(parts)]
            }
            if isLast {
                candidate["finishReason"] = finishReason(reply)
                candidate["safetyRatings"] = reply.stop == .refusal ? [safetyRating] : []
            }
            body["candidates"] = [candidate]
        }
        body["usageMetadata"] = usage(reply, isLast: isLast)
        body["modelVersion"] = JSON(call.model)
        body["responseId"] = JSON("sim-" + reply.id)
        return body
    }

    private var safetyRating: JSON {
        ["category": "HARM_CATEGORY_DANGEROUS_CONTENT", "probability": "HIGH", "blocked": true]
    }

    private func finishReason(_ reply: Reply) -> JSON {
        switch reply.stop {
        case .finished, .toolUse, .sequence: "STOP"
        case .length: "MAX_TOKENS"
        case .refusal, .blockedPrompt: "SAFETY"
        }
    }

    private func usage(_ reply: Reply, isLast: Bool) -> JSON {
        let usage = reply.usage
        let candidates = isLast ? usage.output - usage.thinking : 1
        var fields: JSON = ["promptTokenCount": JSON(usage.allInput)]
        if usage.cacheRead > 0 { fields["cachedContentTokenCount"] = JSON(usage.cacheRead) }
        if reply.stop != .blockedPrompt { fields["candidatesTokenCount"] = JSON(candidates) }
        if usage.thinking > 0 { fields["thoughtsTokenCount"] = JSON(usage.thinking) }
        let generated = reply.stop == .blockedPrompt ? 0 : candidates + usage.thinking
        fields["totalTokenCount"] = JSON(usage.allInput + generated)
        return fields
    }
}

extension GeminiService {
    static let embeddingModels: Set<String> = ["gemini-embedding-001", "gemini-embedding-2"]
    private static let largestBatch = 100

    /// The vectors of texts, for the purpose that each names.
    func embed(_ request: ServiceRequest) throws(Refusal) -> Answer {
        try authenticate(request)
        let body = try body(of: request, shape: GeminiShapes.embed)
        guard Self.embeddingModels.contains(model) else {
            throw SimulatedGeminiErrors.modelNotFound(model, version: version)
        }
        let requests = body["requests"]?.array ?? []
        guard !requests.isEmpty, requests.count <= Self.largestBatch else {
            throw SimulatedGeminiErrors.invalid(
                "* BatchEmbedContentsRequest.requests: at most \(Self.largestBatch) requests")
        }
        var embeddings: [JSON] = []
        for one in requests {
            guard one["model"]?.string == "models/" + model else {
                throw SimulatedGeminiErrors.invalid(
                    "* BatchEmbedContentsRequest.requests[].model must be the model of the path")
            }
            let text = (one["content"]?["parts"]?.array ?? []).compactMap { $0["text"]?.string }.joined(separator: " ")
            let size = min(max(Int(one["outputDimensionality"]?.integer ?? 3072), 1), 3072)
            let values = SimulatedVector.values(
                of: text, size: size, forGrouping: one["taskType"]?.string == "CLUSTERING")
            embeddings.append(["values": .array(values.map { JSON($0) })])
        }
        return Answer(json: ["embeddings": .array(embeddings)])
    }
}

/// A Gemini model and the values that it accepts.
struct GeminiModelInfo: Sendable {
    var id: String
    var name: String
    var levels: Set<String> = ["LOW", "MEDIUM", "HIGH"]
    /// Newer models take no `candidateCount` above 1.
    var outputTokens = 65_536

    static let all: [GeminiModelInfo] = [
        GeminiModelInfo(id: "gemini-3.8-flash", name: "Gemini 3.8 Flash"),
        GeminiModelInfo(id: "gemini-3.7-flash", name: "Gemini 3.7 Flash"),
        GeminiModelInfo(
            id: "gemini-3.6-flash", name: "Gemini 3.6 Flash", levels: ["MINIMAL", "LOW", "MEDIUM", "HIGH"]),
        GeminiModelInfo(
            id: "gemini-3.5-flash", name: "Gemini 3.5 Flash", levels: ["MINIMAL", "LOW", "MEDIUM", "HIGH"]),
        GeminiModelInfo(
            id: "gemini-3.5-flash-lite", name: "Gemini 3.5 Flash-Lite", levels: ["MINIMAL", "LOW", "MEDIUM", "HIGH"]),
        GeminiModelInfo(id: "gemini-3.1-pro-preview", name: "Gemini 3.1 Pro Preview"),
        GeminiModelInfo(
            id: "gemini-3.1-flash-lite", name: "Gemini 3.1 Flash-Lite", levels: ["MINIMAL", "LOW", "MEDIUM", "HIGH"]),
    ]

    /// Aliases, which only `v1beta` knows.
    static let latest = [
        "gemini-flash-latest": "gemini-3.8-flash", "gemini-flash-lite-latest": "gemini-3.5-flash-lite",
    ]

    static func find(_ id: String, version: String) -> GeminiModelInfo? {
        let name = version == "v1beta" ? latest[id] ?? id : id
        return all.first { $0.id == name }
    }

    var json: JSON {
        [
            "name": JSON("models/" + id), "version": "simulated", "displayName": JSON(name),
            "inputTokenLimit": 1_048_576, "outputTokenLimit": JSON(outputTokens),
            "supportedGenerationMethods": ["generateContent", "countTokens"], "thinking": true,
        ]
    }
}
