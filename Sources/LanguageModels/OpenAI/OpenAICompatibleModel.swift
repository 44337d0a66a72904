internal import HTTP
internal import JSON
internal import Basics

/// A model with OpenAI's chat completions: Ollama, vLLM, llama.cpp and hosted services with the same API.
struct OpenAICompatibleModel: LanguageModel {
    let description: ModelDescription
    private let call: ProviderCall

    /// The endpoint's base URL is the part before `/chat/completions`, usually with `/v1`.
    init(
        _ description: ModelDescription, at endpoint: ProviderEndpoint, over transport: any HTTPTransport,
        clock: TimeSource = .system
    ) {
        self.description = description
        call = ProviderCall(
            model: description, endpoint: endpoint, transport: transport, clock: clock, verdict: OpenAIErrors.verdict)
    }

    func respond(
        to request: ModelRequest, activity: CallActivity, onText: (@Sendable (String) -> Void)?
    ) async throws(ModelError) -> ModelResponse {
        var account = try CallAccount(call, request)
        let url = call.endpoint.baseURL + "/chat/completions"
        // Local servers need a key, but accept any.
        let headers: HTTPHeaders = ["authorization": "Bearer \(call.endpoint.key?.reveal() ?? "none")"]
        var parser = OpenAIAnswerParser()
        do throws(ModelError) {
            let head = try await call.stream(url, headers: headers, activity: activity) { () throws(ModelError) in
                var body = OpenAIRequest(request, for: description).body
                body["stream"] = true
                body["stream_options"] = ["include_usage": true]
                return body
            } onRecord: { record, headers throws(ModelError) in
                account.requestID = call.requestID(headers)
                if record.trimmed == "[DONE]" { return parser.end() }
                guard let chunk = try? JSON(parsing: record) else {
                    throw call.failure(.malformedAnswer("an event that is not JSON"))
                }
                if let error = Self.error(in: chunk) { throw call.failure(inStream: error, headers) }
                let before = parser.outputBytes
                let text = parser.receive(chunk)
                activity.received(parser.outputBytes - before)
                activity.told(account.use(at: parser.progress))
                guard !text.isEmpty else { return }
                account.noteText()
                onText?(text)
            }
            account.requestID = call.requestID(head)
            guard let answer = parser.answer else {
                throw call.failure(.connection("the answer ended before its end"))
            }
            return try account.finish(answer)
        } catch {
            throw account.account(error, at: parser.progress)
        }
    }

    /// An error instead of an answer: in its envelope, or bare as in llama.cpp's `error:` field.
    private static func error(in record: JSON) -> JSON? {
        if let error = record["error"], !error.isNull { return record }
        let isBare = record["choices"] == nil && record["message"] != nil && record["code"] != nil
        return isBare ? ["error": record] : nil
    }
}
