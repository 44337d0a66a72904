internal import JSON
package import LanguageModels

/// Where the live lane asks: one model, a tier, or a provider's model of a tier.
package struct ModelClient: Sendable {
    package typealias Ask =
        @Sendable (_ request: ModelRequest, _ tierOrModel: String) async throws(ModelError) -> ModelResponse

    private let catalogue: ModelCatalogue
    private let ask: Ask

    package init(_ catalogue: ModelCatalogue, ask: @escaping Ask) {
        self.catalogue = catalogue
        self.ask = ask
    }

    package init(_ catalogue: ModelCatalogue, router: ModelRouter) {
        self.init(catalogue) { request, tier async throws(ModelError) in
            try await router.respond(to: request, tier: tier)
        }
    }

    /// Asks once: a provider's model of the request's tier, or the first that can serve.
    ///
    /// - Returns: The answer or the unusable answer that came, unscrubbed.
    /// - Throws: `ModelError` when no answer came.
    func record(
        _ request: CanonicalRequest, provider: ModelProvider?, at time: String
    ) async throws(ModelError) -> Recording {
        let model = try model(of: request.tier, provider: provider)
        do throws(ModelError) {
            let response = try await ask(request.request, model)
            return Recording(
                requestHash: request.hash, outcome: .answered, isSimulated: response.isSimulated, recordedAt: time,
                response: response)
        } catch {
            guard let outcome = AnswerOutcome(error.kind), let answer = error.answer else { throw error }
            return Recording(
                requestHash: request.hash, outcome: outcome, detail: AnswerOutcome.detail(of: error.kind),
                isSimulated: answer.isSimulated, recordedAt: time, response: answer)
        }
    }

    private func model(of tier: String, provider: ModelProvider?) throws(ModelError) -> String {
        guard let provider else { return tier }
        guard let model = catalogue.candidates(for: tier)?.first(where: { $0.provider == provider }) else {
            throw ModelError(.notConfigured("the tier '\(tier)' has no model of '\(provider.rawValue)'"))
        }
        return model.id
    }
}

extension ModelResponse {
    /// The simulator marks the ids of its answers, whatever address it has.
    var isSimulated: Bool {
        ["msg_sim_", "sim-", "chatcmpl-sim-"].contains { self.id?.hasPrefix($0) == true }
    }
}

extension Recording {
    /// The recording without what must not be committed.
    ///
    /// - Throws: When it cannot be read back; nothing unscrubbed must be kept then.
    func scrubbed(by scrubber: Scrubber) throws(Failure) -> Recording {
        var copy = self
        copy.detail = detail.map(scrubber.scrub)
        do {
            copy.response = try ModelResponse(decoding: JSONField(scrubber.scrub(response.encoded)))
        } catch {
            throw .unreadable("\(error)")
        }
        return copy
    }
}
