internal import Basics
internal import JobQueue

/// One call of one model, from the permits that it needs to the record of its end.
extension ModelRouter {
    struct Attempt {
        let tier: String
        let caller: CallContext
        let isFallback: Bool
        /// The uptime at which the caller's time is over.
        let deadline: Duration
        /// The candidates that can be asked after this one, and the first of them.
        let candidates: Int
        let next: (any LanguageModel)?
        /// The model was silent in the call before.
        var isRepeated = false
    }

    /// Asks one model, if its provider may be asked now. `wasSent` becomes true when the call is made.
    ///
    /// A call takes the permits of its provider first: a call that waits for one provider must not hold a permit that
    /// calls of another provider need.
    func attempt(
        _ model: any LanguageModel, _ request: ModelRequest, _ attempt: Attempt, _ relay: StreamRelay?,
        wasSent: inout Bool
    ) async throws(ModelError) -> ModelResponse {
        let description = model.description
        guard let state = states[description.provider] else { throw ModelError(.unavailable) }
        let isInteractive = attempt.caller.isInteractive
        let priority: AsyncSemaphore.Priority = isInteractive ? .high : .normal
        guard await state.calls.acquire(priority) else { throw ModelError(.cancelled) }
        defer { state.calls.release() }
        var permit = try await acquireBudget(request, description, isInteractive)
        guard await calls.acquire(priority) else {
            await returnUnused(permit)
            throw ModelError(.cancelled)
        }
        defer { calls.release() }
        if let late = permit, clock.uptime() >= late.usableUntil {
            await returnUnused(late)
            permit = try await acquireBudget(request, description, isInteractive)
        }
        let isProbe: Bool
        switch state.begin(description.id, at: clock.uptime()) {
        case .success(let probe): isProbe = probe
        case .failure(let refusal):
            await returnUnused(permit)
            throw Self.error(refusal.obstacle, description)
        }
        wasSent = true
        relay?.begin(description)
        let outcome = await call(model, request, attempt, state, isProbe: isProbe, relay?.onText)
        await settle(permit, outcome)
        return try outcome.get()
    }

    /// Makes a call within its time limits, applies its outcome to the health of the model and records it.
    private func call(
        _ model: any LanguageModel, _ request: ModelRequest, _ attempt: Attempt, _ state: ProviderState,
        isProbe: Bool, _ onText: (@Sendable (String) -> Void)?
    ) async -> Result<ModelResponse, ModelError> {
        let description = model.description
        let planned = estimates.usage(of: request, by: description)
        let booking: String?
        do throws(ModelError) {
            booking = try await attempt.caller.book?.begin(
                PlannedCall(
                    provider: description.provider, model: description.id, usage: planned,
                    cost: cost(of: planned, description), isProbe: attempt.tier == Self.probeTier))
        } catch {
            let now = clock.uptime()
            _ = state.finished(
                .init(model: description.id, error: error, isProbe: isProbe, activity: .init(startedAt: now), at: now))
            return .failure(error)
        }
        let activity = CallActivity(clock, needsNewConnection: attempt.isRepeated) { [self] now in
            let changes = state.receivedContent(of: description.id, isProbe: isProbe, at: now)
            if !changes.isEmpty { Task { await tell(changes, about: description) } }
        }
        let start = activity.snapshot.startedAt
        let watch = StallWatch(
            state.timeouts(
                for: description, effort: request.effort, isInteractive: attempt.caller.isInteractive, at: start),
            at: start, deadline: attempt.deadline, candidates: attempt.candidates,
            nextCall: attempt.next.flatMap { next in
                states[next.description.provider]?.wholeCall(of: next.description.id, effort: request.effort, at: start)
            })
        let outcome = await watched(watch, activity, description) { () async throws(ModelError) in
            try await model.respond(to: request, activity: activity, onText: onText)
        }
        let now = clock.uptime()
        var failure: ModelError?
        if case .failure(let error) = outcome { failure = error }
        var record = Self.record(outcome, description, attempt, duration: now - start)
        settle(&record, outcome, request, planned, description)
        onCall(record)
        if let booking { await attempt.caller.book?.end(booking, record) }
        let changes = state.finished(
            .init(
                model: description.id, effort: request.effort, error: failure, isProbe: isProbe,
                activity: activity.snapshot, at: now))
        await tell(changes, about: description)
        return outcome
    }

    private enum Event: Sendable {
        case ended(Result<ModelResponse, ModelError>)
        /// `nil` when the call ended first.
        case expired(ModelError.Kind?)
    }

    /// Makes a call, and ends it when its provider has been silent for too long or the caller's time is over.
    private func watched(
        _ watch: StallWatch, _ activity: CallActivity, _ model: ModelDescription,
        _ call: @escaping @Sendable () async throws(ModelError) -> ModelResponse
    ) async -> Result<ModelResponse, ModelError> {
        await withTaskGroup(of: Event.self) { group in
            group.addTask {
                do throws(ModelError) {
                    return .ended(.success(try await call()))
                } catch {
                    return .ended(.failure(error))
                }
            }
            group.addTask { [clock] in .expired(await Self.expiry(watch, activity, clock)) }
            var outcome: Result<ModelResponse, ModelError> = .failure(ModelError(.cancelled))
            var reason: ModelError.Kind?
            for await event in group {
                group.cancelAll()
                switch event {
                case .ended(let result): outcome = result
                case .expired(let kind): reason = kind
                }
            }
            guard let reason, case .failure(var error) = outcome, error.kind == .cancelled, !Task.isCancelled else {
                return outcome
            }
            error.kind = reason
            (error.provider, error.model) = (model.provider, model.id)
            return .failure(error)
        }
    }

    /// Waits until the call has to end; `nil` when the task was cancelled before.
    private static func expiry(
        _ watch: StallWatch, _ activity: CallActivity, _ clock: TimeSource
    ) async -> ModelError.Kind? {
        while true {
            let now = clock.uptime()
            switch watch.verdict(activity.snapshot, at: now) {
            case .stalled(let stall): return .stalled(stall)
            case .outOfTime(let stall, let isStalled): return .outOfTime(stall, isStalled: isStalled)
            case .wait(let until):
                guard (try? await clock.sleep(until - now)) != nil else { return nil }
            }
        }
    }

    private static func record(
        _ outcome: Result<ModelResponse, ModelError>, _ model: ModelDescription, _ attempt: Attempt, duration: Duration
    ) -> CallRecord {
        var record = CallRecord(
            provider: model.provider, model: model.id, tier: attempt.tier, duration: duration, outcome: "answered",
            isFallback: attempt.isFallback, origin: attempt.caller.origin)
        switch outcome {
        case .success(let response):
            record.firstText = response.timings.firstText
            record.requestID = response.requestID
        case .failure(let error):
            record.outcome = error.kind.name
            record.requestID = error.requestID
            record.problem = error.description
        }
        return record
    }
}

// MARK: The books

extension ModelRouter {
    /// The cost at today's prices.
    private func cost(of usage: TokenUsage, _ model: ModelDescription) -> MicroDollars {
        model.prices?.cost(of: usage, on: clock.today) ?? .zero
    }

    /// Adds the use of a call to its record, and learns from an answer.
    private func settle(
        _ record: inout CallRecord, _ outcome: Result<ModelResponse, ModelError>, _ request: ModelRequest,
        _ planned: TokenUsage, _ model: ModelDescription
    ) {
        if case .success(let response) = outcome { estimates.learn(from: response, to: request, by: model) }
        let settlement = CallSettlement(usage: outcome.map(\.usage), planned: planned) {
            estimates.tokens(ofOutputBytes: $0, by: model)
        }
        (record.state, record.certainty) = (settlement.state, settlement.certainty)
        record.usage = settlement.usage
        switch outcome {
        // Of several requests each has its own price.
        case .success(let response): record.cost = response.cost
        case .failure(let error):
            let isTold = error.cost != nil && error.usage == settlement.usage
            record.cost = isTold ? error.cost : cost(of: settlement.usage, model)
        }
    }
}

// MARK: Circuit breakers

extension ModelRouter {
    /// The request that finds out whether a model is back: its answer costs next to nothing, and no job waits for it.
    private static let probeRequest = ModelRequest(messages: [.user("Reply with OK.")], maxOutputTokens: 16)
    private static let longestProbe: Duration = .seconds(90)
    fileprivate static let probeTier = "probe"

    /// Finds out in the background whether a model is back. The call is booked for the caller that would have asked.
    func probe(_ model: any LanguageModel, _ state: ProviderState, for caller: CallContext) {
        let id = model.description.id
        guard case .success(true) = state.begin(id, at: clock.uptime()) else { return }
        Task {
            guard await claimProbe(of: model.description, state) else {
                return state.postponeProbe(of: id, by: Self.probePause, at: clock.uptime())
            }
            let attempt = Attempt(
                tier: Self.probeTier, caller: CallContext(book: caller.book), isFallback: false,
                deadline: clock.uptime() + Self.longestProbe,
                candidates: 1, next: nil, isRepeated: true)
            _ = await call(model, Self.probeRequest, attempt, state, isProbe: true, nil)
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
    private func tell(_ changes: [ProviderState.Change], about model: ModelDescription) async {
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

// MARK: Budgets

extension ModelRouter {
    /// Waits for a permit of the model's budget; `nil` without a budget store.
    private func acquireBudget(
        _ request: ModelRequest, _ model: ModelDescription, _ isInteractive: Bool
    ) async throws(ModelError) -> BudgetLimiter.Permit? {
        guard let limiter else { return nil }
        let output = Int64(min(request.maxOutputTokens, model.maxOutputTokens))
        let need = BudgetAmount(requests: 1, tokens: TokenEstimate.prompt(of: request) + output)
        do throws(ModelError) {
            return try await limiter.acquire(need, from: model.budget, isInteractive: isInteractive)
        } catch {
            var error = error
            if error.kind == .rateLimited { (error.provider, error.model) = (model.provider, model.id) }
            throw error
        }
    }

    /// Returns the permit of a call that was not made.
    private func returnUnused(_ permit: BudgetLimiter.Permit?) async {
        if let permit { await limiter?.settle(permit, used: BudgetAmount()) }
    }

    /// Reports the use of a call, and a 429 to all processes.
    private func settle(_ permit: BudgetLimiter.Permit?, _ outcome: Result<ModelResponse, ModelError>) async {
        guard let limiter, let permit else { return }
        let usage: TokenUsage?
        switch outcome {
        case .success(let response): usage = response.usage
        case .failure(let error) where error.kind.isUnbooked: return await returnUnused(permit)
        case .failure(let error):
            usage = error.usage
            if error.kind.policy.throttling == .shrink { await limiter.block(permit.budget, for: error.retryAfter) }
        }
        let used = usage.map { BudgetAmount(requests: 1, tokens: $0.prompt - $0.cacheRead + $0.output) }
        await limiter.settle(permit, used: used)
    }
}
