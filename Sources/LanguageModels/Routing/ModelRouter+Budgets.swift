/// The budgets that a router's calls are made from.
extension ModelRouter {
    /// Waits for the right to make a call; `nil` when nobody keeps budgets.
    func admit(
        _ request: ModelRequest, _ model: ModelDescription, _ isInteractive: Bool
    ) async throws(ModelError) -> BudgetLimiter.Permit? {
        guard let desk else { return nil }
        let output = Int64(min(request.maxOutputTokens, model.maxOutputTokens))
        let need = BudgetUse(requests: 1, tokens: TokenEstimate.prompt(of: request) + output)
        do throws(ModelError) {
            return try await desk.admit(need, to: model.budget, isInteractive: isInteractive)
        } catch {
            var error = error
            if error.kind == .rateLimited { (error.provider, error.model) = (model.provider, model.id) }
            throw error
        }
    }

    /// Gives back a permit whose call was not made.
    func giveBack(_ permit: BudgetLimiter.Permit?) async {
        if let permit { await desk?.settle(permit, used: BudgetUse()) }
    }

    /// Says what a call used, and tells the others when it was one too many.
    func settle(_ permit: BudgetLimiter.Permit?, _ outcome: Result<ModelResponse, ModelError>) async {
        guard let desk, let permit else { return }
        let usage: TokenUsage?
        switch outcome {
        case .success(let response): usage = response.usage
        case .failure(let error):
            usage = error.usage
            if error.kind == .rateLimited { await desk.block(permit.budget, for: error.retryAfter) }
        }
        let used = usage.map { BudgetUse(requests: 1, tokens: $0.prompt - $0.cacheRead + $0.output) }
        await desk.settle(permit, used: used)
    }
}
