internal import Basics
package import JSON

extension ModelResponse {
    /// Reads an answer that a provider sent in one piece, as the body of its HTTP response.
    ///
    /// - Parameters:
    ///   - body: The body in the provider's own format.
    ///   - provider: The provider whose format it is.
    /// - Throws: `ModelError` for a refusal, a cut-off answer and a body that is no answer.
    package init(body: JSON, from provider: ModelProvider) throws(ModelError) {
        let raw: RawAnswer?
        switch provider {
        case .claude:
            var parser = ClaudeAnswerParser(cacheLifetime: .fiveMinutes)
            _ = parser.receive(body)
            raw = parser.answer
        case .gemini:
            var parser = GeminiAnswerParser()
            _ = parser.receive(body)
            raw = parser.answer
        case .openai:
            var parser = OpenAIAnswerParser()
            _ = parser.receive(body)
            raw = parser.answer
        }
        let model = raw?.model ?? ""
        func failure(_ kind: ModelError.Kind) -> ModelError { ModelError(kind, provider: provider, model: model) }
        guard let raw else { throw failure(.unusable(reason: "incomplete")) }
        switch raw.stop {
        case .finished(let reason):
            self.init(
                provider: provider, requestedModel: model, model: model, id: raw.id, text: raw.text.sanitized,
                toolCalls: raw.toolCalls, stopReason: reason, usage: raw.usage ?? TokenUsage(),
                cost: MicroDollars(rawValue: 0), timings: Timings(total: .zero),
                original: ProviderContent(provider: provider, content: raw.content))
        case .refused(let category): throw failure(.refused(category: category))
        case .truncated(let limit): throw failure(.truncated(limit))
        case .unusable(let reason), .invalidRequest(let reason): throw failure(.unusable(reason: reason))
        case .paused: throw failure(.unusable(reason: "paused"))
        }
    }
}
