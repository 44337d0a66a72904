package import HTTP
internal import JSON
package import Basics

/// A model behind OpenAI's chat completions: Ollama, vLLM, llama.cpp and hosted services that speak alike.
package struct OpenAICompatibleModel: LanguageModel {
    package let description: ModelDescription
    private let call: ProviderCall

    /// The endpoint's base URL is what stands before `/chat/completions`, usually with `/v1`.
    package init(
        _ description: ModelDescription, at endpoint: ProviderEndpoint, over transport: any HTTPTransport,
        clock: TimeSource = .system
    ) {
        self.description = description
        call = ProviderCall(
            model: description, endpoint: endpoint, transport: transport, clock: clock, verdict: OpenAIErrors.verdict)
    }

    package func respond(to request: ModelRequest, onText: (@Sendable (String) -> Void)?) async throws(ModelError)
        -> ModelResponse
    {
        var recorder = try CallAccount(call, request)
        let url = call.endpoint.baseURL + "/chat/completions"
        // Local servers want some key, whichever it is.
        let headers: HTTPHeaders = ["authorization": "Bearer \(call.endpoint.key?.reveal() ?? "none")"]
        var reading = OpenAIAnswer()
        do throws(ModelError) {
            if let onText {
                let head = try await call.stream(url, headers: headers) { () throws(ModelError) in
                    var body = OpenAIRequest(request, for: description).body
                    body["stream"] = true
                    body["stream_options"] = ["include_usage": true]
                    return body
                } onRecord: { record, headers throws(ModelError) in
                    recorder.requestID = call.requestID(headers)
                    if record.trimmingSpaces == "[DONE]" { return reading.end() }
                    guard let chunk = try? JSON(parsing: record) else {
                        throw call.failure(.malformedAnswer("an event that is not JSON"))
                    }
                    if let error = Self.error(in: chunk) { throw call.failure(inStream: error, headers) }
                    let text = reading.receive(chunk, member: "delta")
                    guard !text.isEmpty else { return }
                    recorder.noteText()
                    onText(text)
                }
                recorder.requestID = call.requestID(head)
            } else {
                let body = OpenAIRequest(request, for: description).body
                let (response, completion) = try await call.send(url, headers: headers, body: body)
                recorder.requestID = call.requestID(response.headers)
                _ = reading.receive(completion, member: "message")
                reading.end()
            }
            guard let answer = reading.answer else {
                throw call.failure(.connection("the answer ended before its end"))
            }
            return try recorder.finish(answer)
        } catch {
            if error.usage == nil { recorder.charge(reading.usage) }
            throw recorder.account(error)
        }
    }

    /// An error in place of an answer: in its envelope, or bare as llama.cpp's `error:` field has it.
    private static func error(in record: JSON) -> JSON? {
        if let error = record["error"], !error.isNull { return record }
        let isBare = record["choices"] == nil && record["message"] != nil && record["code"] != nil
        return isBare ? ["error": record] : nil
    }
}
