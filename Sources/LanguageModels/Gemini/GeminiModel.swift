internal import HTTP
internal import JSON
internal import Basics

/// A model of Google's Gemini API (`generateContent`).
struct GeminiModel: LanguageModel {
    let description: ModelDescription
    private let call: ProviderCall

    /// The endpoint's base URL may end in a version (`…/v1beta`); without one, `v1` is used.
    init(
        _ description: ModelDescription, at endpoint: ProviderEndpoint, over transport: any HTTPTransport,
        clock: TimeSource = .system
    ) {
        self.description = description
        call = ProviderCall(
            model: description, endpoint: endpoint, transport: transport, clock: clock, verdict: GeminiErrors.verdict)
    }

    func respond(
        to request: ModelRequest, activity: CallActivity, onText: (@Sendable (String) -> Void)?
    ) async throws(ModelError) -> ModelResponse {
        var account = try CallAccount(call, request)
        var token: String?
        for _ in 0..<Self.longestChain {
            let answer = try await ask(request, from: token, activity, onText, &account)
            guard case .paused(let next?) = answer.stop else { return try account.finish(answer) }
            account.pause(answer)
            token = next
        }
        throw account.account(call.failure(.unusable(reason: "CONTINUATION")))
    }

    /// The most requests for one long answer.
    private static let longestChain = 16

    /// The body of a request, which may continue a paused answer.
    private func body(_ request: ModelRequest, from token: String?) throws(ModelError) -> JSON {
        var body = try GeminiRequest(request, for: call).body
        if let token { body["continuationToken"] = JSON(token) }
        return body
    }

    private func ask(
        _ request: ModelRequest, from token: String?, _ activity: CallActivity,
        _ onText: (@Sendable (String) -> Void)?, _ account: inout CallAccount
    ) async throws(ModelError) -> RawAnswer {
        let url = "\(call.endpoint.versioned("v1"))/models/\(description.wireName)"
        var headers: HTTPHeaders = [:]
        headers["x-goog-api-key"] = call.endpoint.key?.reveal()
        var parser = GeminiAnswerParser()
        do throws(ModelError) {
            try await call.stream("\(url):streamGenerateContent?alt=sse", headers: headers, activity: activity) {
                () throws(ModelError) in
                try body(request, from: token)
            } onRecord: { record, headers throws(ModelError) in
                guard let chunk = try? JSON(parsing: record) else {
                    throw call.failure(.malformedAnswer("an event that is not JSON"))
                }
                // Errors are bare objects or arrays of one.
                let error = chunk[0] ?? chunk
                if error["error"] != nil { throw call.failure(inStream: error, headers) }
                let before = parser.outputBytes
                let text = parser.receive(chunk)
                activity.received(parser.outputBytes - before)
                activity.told(account.use(at: parser.progress))
                guard !text.isEmpty else { return }
                account.noteText()
                onText?(text)
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
