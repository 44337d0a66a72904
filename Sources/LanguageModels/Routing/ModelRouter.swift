package import Basics
package import HTTP
package import JobQueue

/// Sends calls to the first provider of a tier that can serve them.
///
/// The router does not repeat calls: the job queue retries. Within one call each candidate is called at most once, in
/// the order of the catalogue, and the next one only when the one before could not serve, never because of its answer.
package final class ModelRouter: Sendable {
    private let catalogue: ModelCatalogue
    private let models: [String: any LanguageModel]
    private let states: [ModelProvider: ProviderState]
    private let calls: AsyncSemaphore
    private let clock: TimeSource
    private let spendCap: SpendCap?
    private let limiter: BudgetLimiter?
    private let onCall: @Sendable (CallRecord) -> Void

    /// A router over the providers that the configuration makes usable.
    ///
    /// - Parameters:
    ///   - catalogue: The models and tiers.
    ///   - configuration: Keys, addresses and limits.
    ///   - transport: Carries the calls.
    ///   - clock: Measures calls and pauses.
    ///   - spendCap: Is checked before every call for a user.
    ///   - budgets: Holds the budgets that all processes share.
    ///   - onCall: Receives a record of every call, for metrics.
    package convenience init(
        _ catalogue: ModelCatalogue, configuration: ModelsConfiguration, transport: any HTTPTransport,
        clock: TimeSource = .system, spendCap: SpendCap? = nil, budgets: (any BudgetStore)? = nil,
        onCall: @escaping @Sendable (CallRecord) -> Void = { _ in }
    ) {
        var models: [String: any LanguageModel] = [:]
        for (id, model) in catalogue.models {
            guard let endpoint = configuration.endpoint(of: model.provider) else { continue }
            models[id] =
                switch model.provider {
                case .claude: ClaudeModel(model, at: endpoint, over: transport, clock: clock)
                case .gemini: GeminiModel(model, at: endpoint, over: transport, clock: clock)
                case .openai: OpenAICompatibleModel(model, at: endpoint, over: transport, clock: clock)
                }
        }
        self.init(
            catalogue, models: models, concurrentCalls: configuration.concurrentCalls,
            interactiveReserve: configuration.interactiveReserve, clock: clock, spendCap: spendCap,
            limiter: budgets.map { BudgetLimiter($0, clock: clock) }, onCall: onCall)
    }

    init(
        _ catalogue: ModelCatalogue, models: [String: any LanguageModel], concurrentCalls: Int = 256,
        interactiveReserve: Int = 32, breaker: CircuitBreaker.Settings = CircuitBreaker.Settings(),
        clock: TimeSource, spendCap: SpendCap? = nil, limiter: BudgetLimiter? = nil,
        onCall: @escaping @Sendable (CallRecord) -> Void = { _ in }
    ) {
        self.catalogue = catalogue
        self.models = models
        self.clock = clock
        self.spendCap = spendCap
        self.limiter = limiter
        self.onCall = onCall
        calls = AsyncSemaphore(permits: concurrentCalls, reserved: interactiveReserve)
        states = Dictionary(
            uniqueKeysWithValues: ModelProvider.allCases.map { provider in
                let state = ProviderState(
                    highestLimit: concurrentCalls, reserved: interactiveReserve, breaker: breaker)
                return (provider, state)
            })
    }

    /// The number of running calls.
    package var callsInFlight: Int { calls.acquired }

    /// Whether at least one candidate of a tier has a key or an address.
    package func canServe(_ tier: String) -> Bool {
        catalogue.candidates(for: tier)?.contains { models[$0.id] != nil } ?? false
    }

    /// Asks the candidates of a tier in turn until one can serve.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - tier: A tier of the catalogue, or a model's id for that model alone.
    ///   - caller: The user and the priority.
    ///   - onEvent: Receives the text as it arrives; `nil` for no streaming.
    /// - Returns: A usable answer.
    /// - Throws: `ModelError`. When all candidates failed, a transient error with the shortest pause before a permanent
    ///   one.
    package func respond(
        to request: ModelRequest, tier: String, caller: CallContext = CallContext(),
        onEvent: (@Sendable (StreamEvent) -> Void)? = nil
    ) async throws(ModelError) -> ModelResponse {
        let relay = onEvent.map { StreamRelay($0) }
        var failures: [ModelError] = []
        for model in try usableModels(of: tier) {
            do throws(ModelError) {
                return try await attempt(
                    model, request, Attempt(tier: tier, caller: caller, isFallback: !failures.isEmpty), relay)
            } catch {
                guard error.allowsFallback else { throw error }
                failures.append(error)
            }
        }
        throw Self.mostUseful(failures)
    }

    private func usableModels(of tier: String) throws(ModelError) -> [any LanguageModel] {
        guard let candidates = catalogue.candidates(for: tier) else {
            throw ModelError(.notConfigured("there is neither a tier nor a priced model '\(ProviderText.token(tier))'"))
        }
        let usable = candidates.compactMap { models[$0.id] }
        guard usable.isEmpty else { return usable }
        var variables: [String] = []
        for variable in candidates.flatMap(\.provider.variables) where !variables.contains(variable) {
            variables.append(variable)
        }
        throw ModelError(
            .notConfigured("no model of '\(tier)' can be reached: set one of \(variables.joined(separator: ", "))"))
    }

    private struct Attempt {
        let tier: String
        let caller: CallContext
        let isFallback: Bool
    }

    /// Asks one model, if its provider may be asked now.
    ///
    /// A call takes the permits of its provider first: a call that waits for one provider must not hold a permit that
    /// calls of another provider need.
    private func attempt(
        _ model: any LanguageModel, _ request: ModelRequest, _ attempt: Attempt, _ relay: StreamRelay?
    ) async throws(ModelError) -> ModelResponse {
        let description = model.description
        guard let state = states[description.provider] else { throw ModelError(.unavailable) }
        if let obstacle = state.obstacle(at: clock.uptime()) { throw Self.error(obstacle, description) }
        let isInteractive = attempt.caller.isInteractive
        let priority: AsyncSemaphore.Priority = isInteractive ? .high : .normal
        guard await state.calls.acquire(priority) else { throw ModelError(.cancelled) }
        defer { state.calls.release() }
        let releaseSpend = try await reserveSpend(request, description, attempt.caller.user)
        defer { releaseSpend() }
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
        let start = clock.uptime()
        let isProbe: Bool
        switch state.begin(at: start) {
        case .success(let probe): isProbe = probe
        case .failure(let refusal):
            await returnUnused(permit)
            throw Self.error(refusal.obstacle, description)
        }
        let outcome = await call(model, request, attempt, relay)
        var failure: ModelError?
        if case .failure(let error) = outcome { failure = error }
        state.finished(failure, isProbe: isProbe, from: start, at: clock.uptime())
        await settle(permit, outcome)
        return try outcome.get()
    }

    /// Makes the call and records it.
    private func call(
        _ model: any LanguageModel, _ request: ModelRequest, _ attempt: Attempt, _ relay: StreamRelay?
    ) async -> Result<ModelResponse, ModelError> {
        relay?.begin(model.description)
        let start = clock.uptime()
        let outcome: Result<ModelResponse, ModelError>
        do throws(ModelError) {
            outcome = .success(try await model.respond(to: request, onText: relay?.onText))
        } catch {
            outcome = .failure(error)
        }
        let record = Self.record(outcome, model.description, attempt, duration: clock.uptime() - start)
        onCall(record)
        attempt.caller.onCall?(record)
        return outcome
    }

    /// Reserves the highest possible cost of the call; the result releases it.
    private func reserveSpend(
        _ request: ModelRequest, _ model: ModelDescription, _ user: UserID?
    ) async throws(ModelError) -> @Sendable () -> Void {
        guard let spendCap, let user, let prices = model.prices else { return {} }
        let amount = prices.highestCost(
            prompt: TokenEstimate.prompt(of: request),
            output: Int64(min(request.maxOutputTokens, model.maxOutputTokens)))
        try await spendCap.reserve(amount, for: user)
        return { spendCap.release(amount, for: user) }
    }

    private static func record(
        _ outcome: Result<ModelResponse, ModelError>, _ model: ModelDescription, _ attempt: Attempt, duration: Duration
    ) -> CallRecord {
        var record = CallRecord(
            provider: model.provider, model: model.id, tier: attempt.tier, duration: duration, outcome: "answered",
            isFallback: attempt.isFallback)
        switch outcome {
        case .success(let response):
            record.firstText = response.timings.firstText
            record.requestID = response.requestID
            record.usage = response.usage
            record.cost = response.cost
        case .failure(let error):
            record.outcome = error.kind.name
            record.requestID = error.requestID
            record.usage = error.usage
            record.cost = error.cost
        }
        return record
    }

    private static func error(_ obstacle: ProviderState.Obstacle, _ model: ModelDescription) -> ModelError {
        switch obstacle {
        case .blocked(let pause):
            ModelError(.rateLimited, provider: model.provider, model: model.id, retryAfter: pause)
        case .resting(let pause): ModelError(.unavailable, retryAfter: pause)
        }
    }

    private static func mostUseful(_ failures: [ModelError]) -> ModelError {
        let transient = failures.filter(\.isTransient)
        // Without a hint the job queue's shorter pause applies.
        let first = transient.min { ($0.retryAfter ?? .zero) < ($1.retryAfter ?? .zero) }
        return first ?? failures.first ?? ModelError(.unavailable)
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
        case .failure(let error):
            usage = error.usage
            if error.kind.policy.throttling == .shrink { await limiter.block(permit.budget, for: error.retryAfter) }
        }
        let used = usage.map { BudgetAmount(requests: 1, tokens: $0.prompt - $0.cacheRead + $0.output) }
        await limiter.settle(permit, used: used)
    }
}
