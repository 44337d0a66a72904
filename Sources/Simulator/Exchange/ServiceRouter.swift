internal import HTTP
internal import HTTPServer
internal import JSON

/// Answers requests for all services: a function of the request, the injected fault, and the state of limits, cache and
/// batches.
struct ServiceRouter: Sendable {
    let sec: SECService
    let news = NewsAPIService()
    let fmp = FMPService()
    let site = NewsSite()
    let videos = YouTubeService()
    let openAI: OpenAIService
    let books: CallMeter.Books
    let batches: BatchBook
    /// Characters of text in one delta of a stream.
    let pacing: Pacing
    let accepted: AcceptedAnswers

    /// `fault` is called once, after the request was found valid.
    func answer(
        _ request: ServiceRequest, for service: SimulatedService, fault: (_ model: String?) -> FaultAction?
    ) -> Served {
        if request.request.body.count > Self.mostBytes, !Self.takesBatches(request.path) {
            let failure = ServiceFailure(.status(413))
            switch service {
            case .claude: return Served(answer: ClaudeService().failure(failure, context: request.context))
            case .openai: return Served(answer: openAI.failure(failure, context: request.context))
            default: return Served(answer: SimulatedGeminiErrors.failure(failure))
            }
        }
        return switch service {
        case .claude: claude(request, fault)
        case .gemini: gemini(request, fault)
        case .openai: openAI(request, fault)
        case .sec:
            Self.serve(fault, failing: sec.failure) { () throws(Refusal) in try sec.answer(request) }
        case .newsAPI:
            Self.serve(fault, failing: news.failure) { () throws(Refusal) in try news.answer(request) }
        case .fmp:
            Self.serve(fault, failing: fmp.failure) { () throws(Refusal) in try fmp.answer(request) }
        case .web:
            Self.serve(fault, failing: site.failure) { () throws(Refusal) in try site.answer(request) }
        case .youTube:
            Self.serve(fault, failing: videos.failure) { () throws(Refusal) in try videos.answer(request) }
        }
    }

    /// As much as the providers take in one call.
    private static let mostBytes = 32 << 20

    private static func takesBatches(_ path: String) -> Bool {
        ClaudeBatches.handles(path) || path.hasSuffix("/files") || path.hasSuffix(":batchGenerateContent")
    }

    /// An answer with the fault that is in it or that its delivery will have.
    struct Served: Sendable {
        var answer: Answer
        var fault: FaultAction?
        /// Counts the call; `nil` for one that costs nothing.
        var meter: CallMeter?
    }

    typealias FaultSource = (_ model: String?) -> FaultAction?

    private func claude(_ request: ServiceRequest, _ fault: FaultSource) -> Served {
        let service = ClaudeService()
        let method = request.request.method
        if ClaudeBatches.handles(request.path) {
            return ClaudeBatches(service: service, book: batches).answer(request, fault)
        }
        switch (method, request.path) {
        case (.post, "/v1/messages"):
            return withLimits(
                generate(service, .claude, request, fault), of: ClaudeService.limitedModel(request.body), by: service,
                request.context)
        case (.post, "/v1/messages/count_tokens"):
            let counted = Self.serve(fault, failing: { service.failure($0, context: request.context) }) {
                () throws(Refusal) in try service.countTokens(request)
            }
            return withLimits(
                counted, of: ClaudeService.limitedModel(request.body), by: service, request.context)
        case (.get, _) where request.path == "/v1/models" || request.path.hasPrefix("/v1/models/"):
            let id = request.path.dropFirst("/v1/models/".count)
            return Self.serve(fault, failing: { service.failure($0, context: request.context) }) {
                () throws(Refusal) in try service.models(request, id: id.isEmpty ? nil : String(id))
            }
        default: return Served(answer: service.notFound("Not Found", request.context).answer)
        }
    }

    private func gemini(_ request: ServiceRequest, _ fault: FaultSource) -> Served {
        let steps = request.path.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: true).map(String.init)
        if steps.count >= 2, ["v1", "v1beta"].contains(steps[0]), steps[1] == "batches" {
            return GeminiBatches(book: batches).answer(steps.count > 2 ? steps[2] : "", request, fault)
        }
        guard steps.count >= 2, ["v1", "v1beta"].contains(steps[0]), steps[1] == "models" else {
            return Served(answer: SimulatedGeminiErrors.answer(404, "NOT_FOUND", "Requested entity was not found."))
        }
        let parts = (steps.count > 2 ? steps[2] : "").split(separator: ":", maxSplits: 1).map(String.init)
        let method = parts.count > 1 ? parts[1] : ""
        let service = GeminiService(
            version: steps[0], model: parts.first ?? "", streams: method == "streamGenerateContent")
        let failing = { (failure: ServiceFailure) in service.failure(failure, context: request.context) }
        switch (request.request.method, method) {
        case (.post, "generateContent"), (.post, "streamGenerateContent"):
            return generate(service, .gemini, request, fault)
        case (.post, "batchGenerateContent"): return GeminiBatches(book: batches).create(service, request, fault)
        case (.post, "batchEmbedContents"):
            return Self.serve(fault, failing: failing) { () throws(Refusal) in try service.embed(request) }
        case (.post, "countTokens"):
            return Self.serve(fault, failing: failing) { () throws(Refusal) in try service.countTokens(request) }
        case (.get, ""):
            return Self.serve(fault, failing: failing) { () throws(Refusal) in try service.models(request) }
        default:
            return Served(answer: SimulatedGeminiErrors.answer(404, "NOT_FOUND", "Requested entity was not found."))
        }
    }

    private func openAI(_ request: ServiceRequest, _ fault: FaultSource) -> Served {
        let path = request.path.hasPrefix("/v1/") ? String(request.path.dropFirst(3)) : request.path
        if OpenAIBatches.handles(path) {
            return OpenAIBatches(service: openAI, book: batches).answer(path, request, fault)
        }
        switch (request.request.method, path) {
        case (.post, "/chat/completions"):
            let model = request.body?["model"]?.string.map { LimitBook.Model(service: .openai, id: $0, group: $0) }
            return withLimits(
                generate(openAI, .openai, request, fault), of: model, by: openAI, request.context)
        case (.get, _) where path == "/models" || path.hasPrefix("/models/"):
            let id = path.dropFirst("/models/".count)
            return Self.serve(fault, failing: { openAI.failure($0, context: request.context) }) {
                () throws(Refusal) in try openAI.models(request, id: id.isEmpty ? nil : String(id))
            }
        default:
            return Served(
                answer: OpenAIService.answer(
                    404, "Invalid URL", type: "invalid_request_error", param: nil, code: nil))
        }
    }

    // MARK: Generation

    private func generate(
        _ service: some ModelService, _ name: SimulatedService, _ request: ServiceRequest, _ fault: FaultSource
    ) -> Served {
        let context = request.context
        let call: SimulatedCall
        do {
            call = try service.read(request)
        } catch {
            return Served(answer: error.answer)
        }
        let model = LimitBook.Model(service: name, id: call.model, group: call.group)
        let reading = books.cache.reading(of: call.cacheable, at: context.milliseconds)
        let usage = Reply.Usage(input: call.inputTokens, reading)
        var ticket: LimitBook.Ticket?
        do throws(LimitBook.Denial) {
            // Claude alone leaves what the cache reads out of the limit.
            let counted = name == .claude ? usage.allInput - usage.cacheRead : usage.allInput
            ticket = try books.limits.admit(model, input: counted, cacheRead: usage.cacheRead, user: call.user)
        } catch {
            if case .refused(let refusal) = error {
                return Served(answer: service.refused(refusal, model: call.model, context: context))
            }
        }
        let action = fault(call.model)
        if let cause = action?.failure {
            if let ticket { books.limits.giveBack(ticket) }
            var answer = service.failure(ServiceFailure(cause, model: call.model), context: context)
            if case .rateLimit = cause {
                answer.add(
                    service.limitHeaders(books.limits.levels(of: model), context: context, isExhausted: true))
            }
            return Served(answer: answer, fault: action)
        }
        let reply = ReplyComposer(call, flaw: action?.flaw, accepted: accepted).reply(usage)
        var answer = service.answer(reply, to: call, pacing: pacing, context: context)
        var output = reply.usage.output
        switch action {
        case .errorMidStream(let after):
            guard case .pieces(let pieces) = answer.body else {
                if let ticket { books.limits.giveBack(ticket) }
                return Served(
                    answer: service.failure(ServiceFailure(.status(500), model: call.model), context: context),
                    fault: action)
            }
            let head = Self.head(of: pieces, deltas: after)
            answer.body = .pieces(head + [service.midStreamError(context: context)])
            // Nothing more is generated after the error.
            output = head.reduce(0) { $0 + $1.tokens }
        default: answer = Self.spoiled(answer, by: action)
        }
        let meter = CallMeter(
            call, service: name, usage: usage, output: output, sequence: context.sequence, ticket: ticket,
            reading: reading, books: books)
        return Served(answer: answer, fault: action, meter: meter)
    }

    /// Adds the headers of limits, which every answer about a model has.
    private func withLimits(
        _ served: Served, of model: LimitBook.Model?, by service: some ModelService, _ context: AnswerContext
    ) -> Served {
        guard let model else { return served }
        var served = served
        served.answer.add(service.limitHeaders(books.limits.levels(of: model), context: context, isExhausted: false))
        return served
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

    static func serve(
        _ fault: FaultSource, failing: (ServiceFailure) -> Answer, _ answer: () throws(Refusal) -> Answer
    ) -> Served {
        serve(fault, failing: failing, reading: answer) { $0 }
    }

    /// Performs a request that changes something, unless it is wrong or fails before.
    static func serve<Input>(
        _ fault: FaultSource, failing: (ServiceFailure) -> Answer, reading: () throws(Refusal) -> Input,
        _ perform: (Input) -> Answer
    ) -> Served {
        let input: Input
        do {
            input = try reading()
        } catch {
            return Served(answer: error.answer)
        }
        let action = fault(nil)
        if let cause = action?.failure { return Served(answer: failing(ServiceFailure(cause)), fault: action) }
        let whole = perform(input)
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
