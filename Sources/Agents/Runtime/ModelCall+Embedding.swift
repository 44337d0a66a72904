internal import JobQueue
internal import LanguageModels

extension ModelCall {
    /// A call that made vectors.
    init(id: String, of model: ModelDescription, _ answer: EmbeddingModel.Answer) {
        self.init(
            id: id, provider: model.provider.rawValue, model: model.id, inputTokens: answer.tokens, outputTokens: 0,
            cacheReadTokens: 0, cacheWriteTokens: 0, costMicroDollars: answer.cost.rawValue)
    }
}
