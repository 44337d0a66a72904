internal import Basics
internal import JobQueue

/// What the circuit breakers need: calls that find out whether a model is back, and word to the other processes.
extension ModelRouter {
    /// The request that finds out whether a model is back. Its answer is long enough to show that the model does not
    /// stop in the midst of answers; no job waits for it.
    private static let probeRequest = ModelRequest(
        messages: [.user("Count from 1 to 500, with a comma after each number.")], maxOutputTokens: 256)
    private static let longestProbe: Duration = .seconds(90)
    static let probeTier = "probe"

    /// Finds out in the background whether a model is back: its breaker closes at the end of the answer. The call is
    /// booked for the caller that would have asked.
    ///
    /// Returns when the call is booked: the caller's job may end then.
    func probe(_ model: any LanguageModel, _ state: ProviderState, for caller: CallContext) async {
        let id = model.description.id
        guard case .success(true) = state.begin(id, at: clock.uptime()) else { return }
        guard await claimProbe(of: model.description, state) else {
            return state.postponeProbe(of: id, at: clock.uptime())
        }
        await withCheckedContinuation { booked in
            let attempt = Attempt(
                tier: Self.probeTier, caller: CallContext(origin: caller.origin, book: caller.book),
                isFallback: false,
                deadline: clock.uptime() + Self.longestProbe,
                candidates: 1, next: nil, isRepeated: true, onBooked: { booked.resume() })
            Task {
                let prefix = await beginPrefix(Self.probeRequest, model.description, attempt.caller)
                _ = await call(model, prefix, attempt, state, isProbe: true, nil, nil)
            }
        }
    }

    /// Asks the other processes for the right to probe: one process at a time does.
    func claimProbe(of model: ModelDescription, _ state: ProviderState) async -> Bool {
        guard let limiter else { return true }
        for scope in state.probeScopes(of: model.id) {
            guard await limiter.report(BreakerReport(scope, .wantsProbe), to: model.budget) else { return false }
        }
        return true
    }

    /// Tells the log and the other processes of changes of circuit breakers.
    func tell(_ changes: [ProviderState.Change], about model: ModelDescription) async {
        for change in changes {
            let (scope, event): (BreakerScope, BreakerReport.Event) =
                switch change {
                case .opened(let scope): (scope, .opened)
                case .closed(let scope): (scope, .closed)
                }
            onBreaker(
                BreakerChange(
                    provider: model.provider, model: scope == .provider ? nil : model.id, isOpen: event == .opened))
            guard let limiter else { continue }
            for budget in budgets(of: scope, model) { await limiter.report(BreakerReport(scope, event), to: budget) }
        }
    }

    /// The budgets whose calls a breaker stops.
    private func budgets(of scope: BreakerScope, _ model: ModelDescription) -> Set<ModelBudget> {
        guard scope == .provider else { return [model.budget] }
        return Set(models.values.map(\.description).filter { $0.provider == model.provider }.map(\.budget))
    }
}
