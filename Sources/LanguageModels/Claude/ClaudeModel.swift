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

    func respond(
        to request: ModelRequest, activity: CallActivity, onText: (@Sendable (String) -> Void)?
    ) async throws(ModelError) -> ModelResponse {
        var account = try CallAccount(call, request)
        var pauses: [JSON] = []
        for _ in 0..<Self.longestChain {
            let answer = try await ask(request, after: pauses, activity, onText, &account)
            guard case .paused = answer.stop else { return try account.finish(answer) }
            account.pause(answer)
            pauses.append(["role": "assistant", "content": answer.content])
        }
        throw account.account(call.failure(.unusable(reason: "pause_turn")))
    }

    /// The most requests for one turn that Claude pauses.
    private static let longestChain = 5

    /// The body of a request that continues paused turns.
    private func body(_ request: ModelRequest, after pauses: [JSON]) throws(ModelError) -> JSON {
        var body = try ClaudeRequest(request, for: call).body
        body["stream"] = true
        if !pauses.isEmpty { body["messages"] = .array((body["messages"]?.array ?? []) + pauses) }
        return body
    }

    private func ask(
        _ request: ModelRequest, after pauses: [JSON], _ activity: CallActivity,
        _ onText: (@Sendable (String) -> Void)?, _ account: inout CallAccount
    ) async throws(ModelError) -> RawAnswer {
        let url = call.endpoint.versioned("v1") + "/messages"
        var headers: HTTPHeaders = ["anthropic-version": "2026-10-21"]
        headers["x-api-key"] = call.endpoint.key?.reveal()
        var parser = ClaudeAnswerParser(cacheLifetime: request.cacheLifetime ?? .fiveMinutes)
        do throws(ModelError) {
            let head = try await call.stream(url, headers: headers, activity: activity) { () throws(ModelError) in
                try body(request, after: pauses)
            } onRecord: { record, headers throws(ModelError) in
                account.requestID = call.requestID(headers)
                guard let event = try? JSON(parsing: record) else {
                    throw call.failure(.malformedAnswer("an event that is not JSON"))
                }
                if event["type"] == "error" { throw call.failure(inStream: event, headers) }
                let before = parser.outputBytes
                let text = parser.receive(event)
                if event["type"] == "message_start" { activity.counted(parser.usage) }
                activity.received(parser.outputBytes - before)
                activity.told(account.use(at: parser.progress))
                guard let text, !text.isEmpty else { return }
                account.noteText()
                onText?(text)
            }
            account.requestID = call.requestID(head)
            guard let answer = parser.answer else {
                throw call.failure(.connection("the answer ended before its end"))
            }
            return answer
        } catch {
            throw account.account(error, at: parser.progress)
        }
    }
}
