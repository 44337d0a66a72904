internal import HTTP
internal import JSON
internal import Basics

/// A model of Anthropic's Messages API, version 2026-10-21.
struct ClaudeModel: LanguageModel {
    let description: ModelDescription
    private let call: ProviderCall

    init(
        _ description: ModelDescription, at endpoint: ProviderEndpoint, over transport: any HTTPTransport,
        clock: TimeSource = .system
    ) {
        self.description = description
        call = ProviderCall(
            model: description, endpoint: endpoint, transport: transport, clock: clock, verdict: ClaudeErrors.verdict)
    }

    func respond(to request: ModelRequest, onText: (@Sendable (String) -> Void)?) async throws(ModelError)
        -> ModelResponse
    {
        var account = try CallAccount(call, request)
        var pauses: [JSON] = []
        for _ in 0..<Self.longestChain {
            let answer = try await ask(request, after: pauses, onText, &account)
            guard case .paused = answer.stop else { return try account.finish(answer) }
            account.pause(answer)
            pauses.append(["role": "assistant", "content": answer.content])
        }
        throw account.account(call.failure(.unusable(reason: "pause_turn")))
    }

    /// The most requests for one turn that Claude pauses.
    private static let longestChain = 5

    /// The body of a request that continues paused turns.
    private func body(_ request: ModelRequest, after pauses: [JSON], isStreamed: Bool) throws(ModelError) -> JSON {
        var body = try ClaudeRequest(request, for: call).body
        if isStreamed { body["stream"] = true }
        if !pauses.isEmpty { body["messages"] = .array((body["messages"]?.array ?? []) + pauses) }
        return body
    }

    private func ask(
        _ request: ModelRequest, after pauses: [JSON], _ onText: (@Sendable (String) -> Void)?,
        _ account: inout CallAccount
    ) async throws(ModelError) -> RawAnswer {
        // A longer answer may take more time than a silent connection stays open.
        let isStreamed = onText != nil || min(request.maxOutputTokens, description.maxOutputTokens) > 21_333
        let url = call.endpoint.versioned("v1") + "/messages"
        var headers: HTTPHeaders = ["anthropic-version": "2026-10-21"]
        headers["x-api-key"] = call.endpoint.key?.reveal()
        var parser = ClaudeAnswerParser(cacheLifetime: request.system.cache)
        do throws(ModelError) {
            if isStreamed {
                let head = try await call.stream(url, headers: headers) { () throws(ModelError) in
                    try body(request, after: pauses, isStreamed: true)
                } onRecord: { record, headers throws(ModelError) in
                    account.requestID = call.requestID(headers)
                    guard let event = try? JSON(parsing: record) else {
                        throw call.failure(.malformedAnswer("an event that is not JSON"))
                    }
                    if event["type"] == "error" { throw call.failure(inStream: event, headers) }
                    guard let text = parser.receive(event), !text.isEmpty else { return }
                    account.noteText()
                    onText?(text)
                }
                account.requestID = call.requestID(head)
            } else {
                let body = try body(request, after: pauses, isStreamed: false)
                let (response, message) = try await call.send(url, headers: headers, body: body)
                account.requestID = call.requestID(response.headers)
                parser.receive(message: message)
            }
            guard let answer = parser.answer else {
                throw call.failure(.connection("the answer ended before its end"))
            }
            return answer
        } catch {
            throw account.account(error, at: parser.progress)
        }
    }
}
