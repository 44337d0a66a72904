internal import HTTP
internal import HTTPServer
internal import JSON

/// The Gemini API. Made for one request, whose path names the version, the model and the method.
struct GeminiService: ModelService {
    var version: String
    var model: String
    var streams: Bool

    func read(_ request: ServiceRequest) throws(Refusal) -> ModelCall {
        try authenticate(request)
        let body = try body(of: request, shape: GeminiShapes.generate)
        guard let info = GeminiModelInfo.find(model, version: version) else {
            throw GeminiErrors.modelNotFound(model, version: version)
        }
        if streams, request.request.query("alt") != "sse" {
            throw GeminiErrors.invalid("The simulator streams as server-sent events only: add ?alt=sse.")
        }
        var call = try GeminiRequestReader(body: body, model: info).call()
        call.digest = ModelCall.digest(of: body)
        call.streams = streams
        return call
    }

    func countTokens(_ request: ServiceRequest) throws(Refusal) -> Answer {
        try authenticate(request)
        let body = try body(of: request, shape: GeminiShapes.countTokens)
        guard GeminiModelInfo.find(model, version: version) != nil else {
            throw GeminiErrors.modelNotFound(model, version: version)
        }
        let counted = body["generateContentRequest"] ?? body
        guard let contents = counted["contents"]?.array, !contents.isEmpty else {
            throw GeminiErrors.invalid("* CountTokensRequest.contents: contents is not specified")
        }
        return Answer(json: ["totalTokens": JSON(GeminiRequestReader.tokens(of: counted))])
    }

    /// `GET models` and, with a model, `GET models/{model}`.
    func models(_ request: ServiceRequest) throws(Refusal) -> Answer {
        try authenticate(request)
        if !model.isEmpty {
            guard let info = GeminiModelInfo.find(model, version: version) else {
                throw GeminiErrors.modelNotFound(model, version: version)
            }
            return Answer(json: info.json)
        }
        let size = request.request.query("pageSize").flatMap(Int.init) ?? 50
        let first = request.request.query("pageToken").flatMap(Int.init) ?? 0
        guard size > 0, first >= 0 else { throw GeminiErrors.invalid("Invalid pageSize or pageToken") }
        let page = GeminiModelInfo.all.dropFirst(first).prefix(size)
        var body: JSON = ["models": .array(page.map(\.json))]
        if first + page.count < GeminiModelInfo.all.count { body["nextPageToken"] = JSON(String(first + page.count)) }
        return Answer(json: body)
    }

    func failure(_ failure: ServiceFailure, context: AnswerContext) -> Answer { GeminiErrors.failure(failure) }

    /// The service sends it as a bare line, without `data:`.
    func midStreamError(context: AnswerContext) -> Answer.Piece {
        let error = GeminiErrors.failure(ServiceFailure(.status(503)))
        return Answer.Piece(bytes: error.bytes + Array("\n".utf8))
    }

    func authenticate(_ request: ServiceRequest) throws(Refusal) {
        guard let key = request.request.headers["x-goog-api-key"] ?? request.request.query("key"), !key.isEmpty else {
            throw GeminiErrors.missingKey
        }
        if SimulatorKeys.isRefused(key) { throw GeminiErrors.wrongKey }
    }

    func body(of request: ServiceRequest, shape: Shape) throws(Refusal) -> JSON {
        guard request.request.headers["content-type"]?.lowercased().hasPrefix("application/json") == true else {
            throw GeminiErrors.invalid("Invalid content type: must be application/json")
        }
        guard let raw = request.body else { throw GeminiErrors.invalid("Invalid JSON payload received.") }
        let body = GeminiNames.camelCased(raw)
        if let violation = shape.violations(of: body).first { throw GeminiErrors.refusal(violation) }
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
