public import HTTP
internal import JSON
internal import Secrets

/// A model behind Anthropic's Messages API, version 2026-10-21.
public struct ClaudeModel: LanguageModel {
    public let description: ModelDescription
    private let call: ProviderCall

    public init(
        _ description: ModelDescription, at endpoint: ProviderEndpoint, over transport: any HTTPTransport,
        clock: ModelClock = .system
    ) {
        self.description = description
        call = ProviderCall(
            model: description, endpoint: endpoint, transport: transport, clock: clock, verdict: ClaudeErrors.verdict)
    }

    public func respond(to request: ModelRequest, onText: (@Sendable (String) -> Void)?) async throws(ModelError)
        -> ModelResponse
    {
        var recorder = try AnswerRecorder(call, request)
        var body = try ClaudeRequest(request, for: call).body
        // Beyond this many tokens an answer may take longer than a silent connection lives.
        let isStreamed = onText != nil || min(request.maxOutputTokens, description.maxOutputTokens) > 21_333
        if isStreamed { body["stream"] = true }
        for _ in 0..<Self.longestChain {
            let answer = try await ask(body, request, isStreamed, onText, &recorder)
            guard case .paused = answer.stop else { return try recorder.finish(answer) }
            recorder.pause(answer)
            let turn: JSON = ["role": "assistant", "content": answer.content]
            body["messages"] = .array((body["messages"]?.array ?? []) + [turn])
        }
        throw recorder.account(call.failure(.unusable(reason: "pause_turn")))
    }

    /// How often a paused turn is taken up again within one call.
    private static let longestChain = 5

    private func ask(
        _ body: JSON, _ request: ModelRequest, _ isStreamed: Bool, _ onText: (@Sendable (String) -> Void)?,
        _ recorder: inout AnswerRecorder
    ) async throws(ModelError) -> RawAnswer {
        let url = call.endpoint.versioned("v1") + "/messages"
        var headers: HTTPHeaders = ["anthropic-version": "2026-10-21"]
        headers["x-api-key"] = call.endpoint.key?.reveal()
        var reading = ClaudeAnswer(cacheLifetime: request.system.cache)
        do throws(ModelError) {
            if isStreamed {
                let head = try await call.stream(url, headers: headers, body: body) {
                    record, headers throws(ModelError) in
                    recorder.requestID = call.requestID(headers)
                    guard let event = try? JSON(parsing: record) else {
                        throw call.failure(.malformedAnswer("an event that is not JSON"))
                    }
                    if event["type"] == "error" { throw call.failure(inStream: event, headers) }
                    guard let text = reading.receive(event), !text.isEmpty else { return }
                    recorder.noteText()
                    onText?(text)
                }
                recorder.requestID = call.requestID(head)
            } else {
                let (response, message) = try await call.send(url, headers: headers, body: body)
                recorder.requestID = call.requestID(response.headers)
                reading.receive(message: message)
            }
            guard let answer = reading.answer else {
                throw call.failure(.connection("the answer ended before its end"))
            }
            return answer
        } catch {
            recorder.charge(reading.usage)
            throw recorder.account(error)
        }
    }
}
