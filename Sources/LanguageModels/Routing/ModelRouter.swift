package import HTTP

/// Sends calls to the first provider of a tier that can serve them.
///
/// The router does not repeat calls: retries are the job queue's. Within one call each candidate is asked at most once,
/// in the order of the catalogue; the next one only when the one before could not serve, never because its answer was
/// not liked.
package final class ModelRouter: Sendable {
    private let catalogue: ModelCatalogue
    private let models: [String: any LanguageModel]
    private let states: [ModelProvider: ProviderState]
    private let gate: AsyncSemaphore
    private let clock: ModelClock
    private let spendCap: SpendCap?
    let desk: BudgetLimiter?
    private let onCall: @Sendable (CallRecord) -> Void

    /// A router over the providers that the configuration makes usable.
    ///
    /// The cap is checked before every call for a user; the bank keeps the budgets that other processes use, too;
    /// `onCall` gets a record of every call, for metrics.
    package convenience init(
        _ catalogue: ModelCatalogue, configuration: ModelsConfiguration, transport: any HTTPTransport,
        clock: ModelClock = .system, spendCap: SpendCap? = nil, bank: (any BudgetBank)? = nil,
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
            desk: bank.map { BudgetLimiter($0, clock: clock) }, onCall: onCall)
    }

    init(
        _ catalogue: ModelCatalogue, models: [String: any LanguageModel], concurrentCalls: Int = 256,
        interactiveReserve: Int = 32, breaker: CircuitBreaker.Settings = CircuitBreaker.Settings(),
        clock: ModelClock, spendCap: SpendCap? = nil, desk: BudgetLimiter? = nil,
        onCall: @escaping @Sendable (CallRecord) -> Void = { _ in }
    ) {
        self.catalogue = catalogue
        self.models = models
        self.clock = clock
        self.spendCap = spendCap
        self.desk = desk
        self.onCall = onCall
        gate = AsyncSemaphore(limit: concurrentCalls, reserve: interactiveReserve)
        states = Dictionary(
            uniqueKeysWithValues: ModelProvider.allCases.map { provider in
                let state = ProviderState(
                    highestLimit: concurrentCalls, reserve: interactiveReserve, breaker: breaker)
                return (provider, state)
            })
    }

    /// Calls that are under way.
    package var callsInFlight: Int { gate.inFlight }

    /// Whether at least one candidate of a tier has a key or an address.
    package func canServe(_ tier: String) -> Bool {
        catalogue.candidates(for: tier)?.contains { models[$0.id] != nil } ?? false
    }

    /// Asks the candidates of a tier in turn until one can serve.
    ///
    /// - Parameters:
    ///   - request: What to ask.
    ///   - tier: A tier of the catalogue, or a model's id for that model alone.
    ///   - caller: For whom, and how urgently.
    ///   - onEvent: Gets the text while it comes; `nil` where nobody watches.
    /// - Returns: A usable answer.
    /// - Throws: `ModelError`. When all candidates failed, the one worth waiting for: a transient error with the
    ///   shortest pause before one that lasts.
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
    private func attempt(
        _ model: any LanguageModel, _ request: ModelRequest, _ attempt: Attempt, _ relay: StreamRelay?
    ) async throws(ModelError) -> ModelResponse {
        let description = model.description
        guard let state = states[description.provider] else { throw ModelError(.unavailable) }
        if let obstacle = state.obstacle(at: clock.uptime()) { throw Self.error(obstacle, description) }
        let isInteractive = attempt.caller.isInteractive
        // The provider's place and budget first: who waits for one provider must not take the places of the others.
        guard await state.gate.enter(isInteractive: isInteractive) else { throw ModelError(.cancelled) }
        defer { state.gate.leave() }
        let reserved = try await reserve(request, description, attempt.caller.user)
        defer { reserved() }
        var permit = try await admit(request, description, isInteractive)
        guard await gate.enter(isInteractive: isInteractive) else {
            await giveBack(permit)
            throw ModelError(.cancelled)
        }
        defer { gate.leave() }
        if let loan = permit, clock.uptime() >= loan.usableUntil {
            await giveBack(loan)
            permit = try await admit(request, description, isInteractive)
        }
        let start = clock.uptime()
        let isProbe: Bool
        switch state.begin(at: start) {
        case .success(let probe): isProbe = probe
        case .failure(let refusal):
            await giveBack(permit)
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
        let (start, startedAt) = (clock.uptime(), clock.wallSeconds())
        let outcome: Result<ModelResponse, ModelError>
        do throws(ModelError) {
            outcome = .success(try await model.respond(to: request, onText: relay?.onText))
        } catch {
            outcome = .failure(error)
        }
        let record = Self.record(
            outcome, model.description, attempt, startedAt: startedAt, duration: clock.uptime() - start)
        onCall(record)
        attempt.caller.onCall?(record)
        return outcome
    }

    /// Sets aside what the call can cost at most; the result gives it back.
    private func reserve(_ request: ModelRequest, _ model: ModelDescription, _ user: Int64?)
        async throws(ModelError) -> @Sendable () -> Void
    {
        guard let spendCap, let user, let prices = model.prices else { return {} }
        let amount = prices.highestCost(
            prompt: TokenEstimate.prompt(of: request),
            output: Int64(min(request.maxOutputTokens, model.maxOutputTokens)))
        try await spendCap.reserve(amount, for: user)
        return { spendCap.release(amount, for: user) }
    }

    private static func record(
        _ outcome: Result<ModelResponse, ModelError>, _ model: ModelDescription, _ attempt: Attempt, startedAt: Int64,
        duration: Duration
    ) -> CallRecord {
        var record = CallRecord(
            provider: model.provider, model: model.id, tier: attempt.tier, startedAt: startedAt, duration: duration,
            outcome: "answered", isFallback: attempt.isFallback)
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
        // Without a hint the queue's own, shorter pause holds.
        let first = transient.min { ($0.retryAfter ?? .zero) < ($1.retryAfter ?? .zero) }
        return first ?? failures.first ?? ModelError(.unavailable)
    }
}
