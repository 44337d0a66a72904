internal import HTTP
internal import HTTPServer
internal import JSON

/// Answers requests for all services: a pure function of the request, the injected fault and the state of the cache.
struct ServiceRouter: Sendable {
    let sec: SECService
    let news = NewsAPIService()
    let fmp = FMPService()
    let site = NewsSite()
    let videos = YouTubeService()
    let openAI: OpenAIService
    let cache: PromptCache
    let pacing: Pacing
    let accepted: AcceptedAnswers

    /// `fault` is called once, after the request was found valid.
    func answer(
        _ request: ServiceRequest, for service: SimulatedService, fault: (_ model: String?) -> FaultAction?
    ) -> Served {
        switch service {
        case .claude: claude(request, fault)
        case .gemini: gemini(request, fault)
        case .openai: openAI(request, fault)
        case .sec:
            serve(fault, failing: sec.failure) { () throws(Refusal) in try sec.answer(request) }
        case .newsAPI:
            serve(fault, failing: news.failure) { () throws(Refusal) in try news.answer(request) }
        case .fmp:
            serve(fault, failing: fmp.failure) { () throws(Refusal) in try fmp.answer(request) }
        case .web:
            serve(fault, failing: site.failure) { () throws(Refusal) in try site.answer(request) }
        case .youTube:
            serve(fault, failing: videos.failure) { () throws(Refusal) in try videos.answer(request) }
        }
    }

    /// An answer with the fault that is in it or that its delivery will have.
    struct Served: Sendable {
        var answer: Answer
        var fault: FaultAction?
        /// What a whole answer costs; `nil` for one that costs nothing.
        var billed: RecordedCall.Billed?
    }

    typealias FaultSource = (_ model: String?) -> FaultAction?

    private func claude(_ request: ServiceRequest, _ fault: FaultSource) -> Served {
        let service = ClaudeService()
        let method = request.request.method
        switch (method, request.path) {
        case (.post, "/v1/messages"): return generate(service, request, fault)
        case (.post, "/v1/messages/count_tokens"):
            return serve(fault, failing: { service.failure($0, context: request.context) }) {
                () throws(Refusal) in try service.countTokens(request)
            }
        case (.get, _) where request.path == "/v1/models" || request.path.hasPrefix("/v1/models/"):
            let id = request.path.dropFirst("/v1/models/".count)
            return serve(fault, failing: { service.failure($0, context: request.context) }) {
                () throws(Refusal) in try service.models(request, id: id.isEmpty ? nil : String(id))
            }
        default: return Served(answer: service.notFound("Not Found", request.context).answer)
        }
    }

    private func gemini(_ request: ServiceRequest, _ fault: FaultSource) -> Served {
        let steps = request.path.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: true).map(String.init)
        guard steps.count >= 2, ["v1", "v1beta"].contains(steps[0]), steps[1] == "models" else {
            return Served(answer: SimulatedGeminiErrors.answer(404, "NOT_FOUND", "Requested entity was not found."))
        }
        let parts = (steps.count > 2 ? steps[2] : "").split(separator: ":", maxSplits: 1).map(String.init)
        let method = parts.count > 1 ? parts[1] : ""
        let service = GeminiService(
            version: steps[0], model: parts.first ?? "", streams: method == "streamGenerateContent")
        let failing = { (failure: ServiceFailure) in service.failure(failure, context: request.context) }
        switch (request.request.method, method) {
        case (.post, "generateContent"), (.post, "streamGenerateContent"): return generate(service, request, fault)
        case (.post, "batchEmbedContents"):
            return serve(fault, failing: failing) { () throws(Refusal) in try service.embed(request) }
        case (.post, "countTokens"):
            return serve(fault, failing: failing) { () throws(Refusal) in try service.countTokens(request) }
        case (.get, ""):
            return serve(fault, failing: failing) { () throws(Refusal) in try service.models(request) }
        default:
            return Served(answer: SimulatedGeminiErrors.answer(404, "NOT_FOUND", "Requested entity was not found."))
        }
    }

    private func openAI(_ request: ServiceRequest, _ fault: FaultSource) -> Served {
        let path = request.path.hasPrefix("/v1/") ? String(request.path.dropFirst(3)) : request.path
        switch (request.request.method, path) {
        case (.post, "/chat/completions"): return generate(openAI, request, fault)
        case (.get, _) where path == "/models" || path.hasPrefix("/models/"):
            let id = path.dropFirst("/models/".count)
            return serve(fault, failing: { openAI.failure($0, context: request.context) }) {
                () throws(Refusal) in try openAI.models(request, id: id.isEmpty ? nil : String(id))
            }
        default:
            return Served(
                answer: OpenAIService.answer(
                    404, "Invalid URL", type: "invalid_request_error", param: nil, code: nil))
        }
    }

    // MARK: Generation

    private func generate(_ service: some ModelService, _ request: ServiceRequest, _ fault: FaultSource) -> Served {
        let call: SimulatedCall
        do {
            call = try service.read(request)
        } catch {
            return Served(answer: error.answer)
        }
        let action = fault(call.model)
        let context = request.context
        if let cause = action?.failure {
            return Served(
                answer: service.failure(ServiceFailure(cause, model: call.model), context: context), fault: action)
        }
        let reply = ReplyComposer(call, flaw: action?.flaw, accepted: accepted).reply(cache: cache)
        var answer = service.answer(reply, to: call, pacing: pacing, context: context)
        var billed = RecordedCall.Billed(input: reply.usage.allInput, output: reply.usage.output)
        switch action {
        case .errorMidStream(let after):
            guard case .pieces(let pieces) = answer.body else {
                answer = service.failure(ServiceFailure(.status(500), model: call.model), context: context)
                break
            }
            let head = Self.head(of: pieces, deltas: after)
            answer.body = .pieces(head + [service.midStreamError(context: context)])
            // Nothing more is generated after the error.
            billed.output = head.reduce(0) { $0 + $1.tokens }
        default: answer = Self.spoiled(answer, by: action)
        }
        return Served(answer: answer, fault: action, billed: answer.status == 200 ? billed : nil)
    }

    /// The pieces before the next delta.
    static func head(of pieces: [Answer.Piece], deltas: Int) -> [Answer.Piece] {
        var left = deltas
        return Array(
            pieces.prefix { piece in
                guard piece.tokens > 0 else { return left > 0 }
                left -= 1
                return left >= 0
            })
    }

    // MARK: Everything else

    private func serve(
        _ fault: FaultSource, failing: (ServiceFailure) -> Answer, _ answer: () throws(Refusal) -> Answer
    ) -> Served {
        let whole: Answer
        do {
            whole = try answer()
        } catch {
            return Served(answer: error.answer)
        }
        let action = fault(nil)
        if let cause = action?.failure { return Served(answer: failing(ServiceFailure(cause)), fault: action) }
        var answer = Self.spoiled(whole, by: action)
        switch action {
        case .invalidJSON, .truncation: answer.body = .whole(Array(whole.bytes.prefix(whole.bytes.count / 2)))
        case .emptyContent: answer.body = .whole([])
        case .brokenSchema: answer.body = .whole(Array(#"{"unexpected":0}"#.utf8))
        default: break
        }
        return Served(answer: answer, fault: action)
    }

    private static func spoiled(_ answer: Answer, by action: FaultAction?) -> Answer {
        var answer = answer
        switch action {
        case .malformedStream:
            answer.body = .whole(
                Array("data {\"type\": \ndata: {\"unfinished\": [1, 2\nevent\n\n: \u{1}\n\ndata: }\n\n".utf8))
        case .wrongContentType:
            answer = Answer(
                text: "<!DOCTYPE html><html><body><h1>Sign in to the network</h1></body></html>", type: "text/html")
        case .hugeBody(let bytes):
            let block = [UInt8](repeating: UInt8(ascii: " "), count: 65_536)
            let blocks = Array(repeating: Answer.Piece(bytes: block), count: bytes / block.count)
            answer.body = .pieces(blocks + [Answer.Piece(bytes: Array(block.prefix(bytes % block.count)))])
        default: break
        }
        return answer
    }
}

extension FaultAction {
    /// The failure that it answers with, before anything is generated.
    var failure: ServiceFailure.Cause? {
        switch self {
        case .status(let status): .status(status)
        case .rateLimit(let limit, let retryAfter): .rateLimit(limit, retryAfter: retryAfter)
        default: nil
        }
    }
}

/// The service that a request is for, and the path in it.
struct Destination: Equatable, Sendable {
    var service: SimulatedService
    /// Without the service's own prefix.
    var path: String

    private static let prefixes: [(String, SimulatedService)] = [
        ("/anthropic", .claude), ("/claude", .claude), ("/gemini", .gemini), ("/openai", .openai), ("/sec", .sec),
        ("/newsapi", .newsAPI), ("/fmp", .fmp), ("/web", .web), ("/youtube", .youTube),
    ]

    /// Without a prefix the path decides, and the kind of key where several services have the same path.
    init?(_ request: ServerRequest) {
        for (prefix, service) in Self.prefixes where request.path.hasPrefix(prefix + "/") {
            self.init(service: service, path: String(request.path.dropFirst(prefix.count)))
            return
        }
        guard let service = Self.service(of: request) else { return nil }
        self.init(service: service, path: request.path)
    }

    init(service: SimulatedService, path: String) {
        self.service = service
        self.path = path
    }

    private static func service(of request: ServerRequest) -> SimulatedService? {
        let path = request.path
        if path.hasPrefix("/v1/messages") { return .claude }
        if path.hasPrefix("/v1/chat/") || path.hasPrefix("/chat/") { return .openai }
        if path.hasPrefix("/v1beta/") { return .gemini }
        if ["/files/", "/api/xbrl/", "/submissions/"].contains(where: path.hasPrefix) { return .sec }
        guard path == "/v1/models" || path.hasPrefix("/v1/models/") else { return nil }
        if path.contains(":") || request.headers["x-goog-api-key"] != nil || request.query("key") != nil {
            return .gemini
        }
        return request.headers["anthropic-version"] != nil || request.headers["x-api-key"] != nil ? .claude : .openai
    }
}
