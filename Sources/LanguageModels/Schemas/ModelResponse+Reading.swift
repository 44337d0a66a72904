internal import JSON

extension ModelResponse {
    /// The response with its text read anew as what was asked for, exactly as when it came from the provider.
    ///
    /// - Throws: `ModelError` of the kinds `unparseable`, `schemaViolation`, `unsupportedSchema` and `unusable`.
    package func read(as output: ModelOutput) throws(ModelError) -> ModelResponse {
        var response = self
        response.json = nil
        guard self.toolCalls.isEmpty else { return response }
        guard !self.text.isEmpty else { throw failure(.unusable(reason: "empty")) }
        guard case .json(_, let schema) = output else { return response }
        let reader: AnswerReader
        do {
            reader = try AnswerReader(provider: self.provider, schema: schema)
        } catch {
            throw failure(.unsupportedSchema(error))
        }
        do {
            response.json = try reader.read(self.text)
        } catch {
            throw failure(error.kind)
        }
        return response
    }

    private func failure(_ kind: ModelError.Kind) -> ModelError {
        var error = ModelError(kind, provider: self.provider, model: self.requestedModel)
        error.usage = self.usage
        error.cost = self.cost
        error.answer = self
        return error
    }
}
