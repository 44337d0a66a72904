package import Basics
package import HTTP
package import JobQueue

/// Sends calls to the first model of a tier that can serve them.
///
/// The router does not repeat calls: the job queue retries. Within one call each candidate is called at most once, in
/// the order of the prompt's route or else of the catalogue, and the next one only when the one before could not serve,
/// never because of its answer.
/// There are three exceptions. A candidate without another is called once more after a stall. A candidate whose first
/// byte is late may get another one beside it (`HedgeRace`); the loser may be called again when the winner fails. When
/// all candidates refuse a person's call for a moment, all are asked again. The retry budget bounds all calls after the
/// first, and a budget of their own the hedges.
package final class ModelRouter: Sendable {
    let catalogue: ModelCatalogue
    let models: [String: any LanguageModel]
    let states: [ModelProvider: ProviderState]
    let calls: AsyncSemaphore
    let clock: TimeSource
    let estimates = CallEstimates()
    let prefixes: PrefixCache
    let limiter: BudgetLimiter?
    let onCall: @Sendable (CallRecord) -> Void
    let onBreaker: @Sendable (BreakerChange) -> Void
    /// The time of a caller that names none.
    private let longestCall: Duration

    /// A router over the providers that the configuration makes usable.
    ///
    /// - Parameters:
    ///   - catalogue: The models and tiers.
    ///   - configuration: Keys, addresses and limits.
    ///   - transport: Carries the calls.
    ///   - clock: Measures calls and pauses.
    ///   - budgets: Holds the budgets that all processes share.
    ///   - documents: Hold what all processes know of the prefixes that providers keep.
    ///   - onBreaker: Is told of each circuit breaker that opens or closes in this process.
    ///   - onCacheMiss: Is told of each prefix that a provider should have had in its cache and had not.
    ///   - onCall: Receives a record of every call, for metrics.
    package convenience init(
        _ catalogue: ModelCatalogue, configuration: ModelsConfiguration, transport: any HTTPTransport,
        clock: TimeSource = .system, budgets: (any BudgetStore)? = nil, documents: (any DocumentRepository)? = nil,
        onBreaker: @escaping @Sendable (BreakerChange) -> Void = { _ in },
        onCacheMiss: @escaping @Sendable (CacheMiss) -> Void = { _ in },
        onCall: @escaping @Sendable (CallRecord) -> Void = { _ in }
    ) {
        var models: [String: any LanguageModel] = [:]
        for (id, var model) in catalogue.models {
            guard let endpoint = configuration.endpoint(of: model.provider) else { continue }
            model.isSimulated = endpoint.isSimulated
            models[id] =
                switch model.provider {
                case .claude: ClaudeModel(model, at: endpoint, over: transport, clock: clock)
                case .gemini: GeminiModel(model, at: endpoint, over: transport, clock: clock)
                case .openai: OpenAICompatibleModel(model, at: endpoint, over: transport, clock: clock)
                }
        }
        self.init(
            catalogue, models: models, concurrentCalls: configuration.concurrentCalls,
            interactiveReserve: configuration.interactiveReserve, clock: clock,
            limiter: budgets.map { BudgetLimiter($0, clock: clock) }, documents: documents,
            longestCall: configuration.timeout,
            onBreaker: onBreaker, onCacheMiss: onCacheMiss, onCall: onCall)
    }

    init(
        _ catalogue: ModelCatalogue, models: [String: any LanguageModel], concurrentCalls: Int = 256,
        interactiveReserve: Int = 32, breaker: CircuitBreaker.Settings = CircuitBreaker.Settings(),
        clock: TimeSource, limiter: BudgetLimiter? = nil, documents: (any DocumentRepository)? = nil,
        longestCall: Duration = .seconds(600), onBreaker: @escaping @Sendable (BreakerChange) -> Void = { _ in },
        onCacheMiss: @escaping @Sendable (CacheMiss) -> Void = { _ in },
        onCall: @escaping @Sendable (CallRecord) -> Void = { _ in }
    ) {
        self.catalogue = catalogue
        self.models = models
        self.clock = clock
        self.limiter = limiter
        self.longestCall = longestCall
        self.onBreaker = onBreaker
        self.onCall = onCall
        prefixes = PrefixCache(clock: clock, documents: documents, onMiss: onCacheMiss)
        calls = AsyncSemaphore(permits: concurrentCalls, reserved: interactiveReserve)
        states = Dictionary(
            uniqueKeysWithValues: ModelProvider.allCases.map { provider in
                let state = ProviderState(
                    highestLimit: concurrentCalls, reserved: interactiveReserve, breaker: breaker,
                    hasBudgets: limiter != nil)
                return (provider, state)
            })
        limiter?.passRetries { [states] budget in
            Self.models(of: budget, among: models).keys.first.flatMap { states[$0] }.map { Int64($0.retryLevel) }
        }
        limiter?.passOpenings { [states, clock] budget, openings, askedAt in
            for (provider, models) in Self.models(of: budget, among: models) {
                states[provider]?.adopt(openings, of: models, askedAt: askedAt, at: clock.uptime())
            }
        }
    }

    private static func models(
        of budget: ModelBudget, among models: [String: any LanguageModel]
    ) -> [ModelProvider: [String]] {
        Dictionary(grouping: models.values.map(\.description).filter { $0.budget.name == budget.name }, by: \.provider)
            .mapValues { $0.map(\.id) }
    }

    /// The number of running calls.
    package var callsInFlight: Int { calls.acquired }

    /// Whether at least one candidate of a tier has a key or an address.
    package func canServe(_ tier: String) -> Bool {
        catalogue.candidates(for: tier)?.contains { models[$0.id] != nil } ?? false
    }

    /// The models of a tier that can be reached.
    func candidates(of tier: String) -> [ModelDescription] {
        (catalogue.candidates(for: tier) ?? []).filter { models[$0.id] != nil }
    }

    /// Asks the models of the caller's route, or else the candidates of a tier, in turn until one can serve.
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
        let deadline = clock.uptime() + min(caller.timeLeft ?? longestCall, longestCall)
        var waits = 0
        while true {
            do throws(ModelError) {
                return try await askInTurn(request, tier, caller, until: deadline, relay)
            } catch {
                guard waits < Self.mostWaits, let pause = shortPause(after: error, for: caller, until: deadline) else {
                    throw error
                }
                waits += 1
                guard (try? await clock.sleep(pause)) != nil else { throw ModelError(.cancelled) }
            }
        }
    }

    /// A person waits on an open connection: a short pause of all providers is waited for here, instead of as a job
    /// that a worker takes up again later.
    private func shortPause(after error: ModelError, for caller: CallContext, until deadline: Duration) -> Duration? {
        guard caller.isInteractive, error.kind == .rateLimited, let pause = error.retryAfter,
            pause <= Self.longestWait, deadline - clock.uptime() - pause > TimeShare.reserve
        else { return nil }
        return max(pause, .milliseconds(50))
    }

    private static let longestWait: Duration = .seconds(2)
    private static let mostWaits = 2

    /// Asks each model once.
    private func askInTurn(
        _ request: ModelRequest, _ tier: String, _ caller: CallContext, until deadline: Duration, _ relay: StreamRelay?
    ) async throws(ModelError) -> ModelResponse {
        var turns = suspectsLast(try usableModels(of: tier, route: caller.route))
        var failures: [ModelError] = []
        // The error of the last request that went out.
        var asked: ModelError?
        var isRepeated = false
        var place = 0
        while place < turns.count {
            let model = turns[place]
            place += 1
            do throws(ModelError) {
                try await prepare(model, others: turns[place...], for: caller)
                guard deadline - clock.uptime() > TimeShare.reserve else { throw Self.outOfTime(after: asked) }
                try requireTime(for: model.description, request, caller, until: deadline)
                if let asked { try takeRetry(of: model, after: asked) }
                let others = turns[place...].filter { isReady($0) }
                let mayRepeat = asked == nil && others.isEmpty && mayRepeat(model)
                let attempt = Attempt(
                    tier: tier, caller: caller, isFallback: !failures.isEmpty, deadline: deadline,
                    candidates: mayRepeat ? 1 : others.count, next: mayRepeat ? model : others.first,
                    isRepeated: isRepeated)
                let finishes = await ask(model, others: Array(turns[place...]), request, attempt, relay)
                for finish in finishes { if case .success(let response) = finish.result { return response } }
                for finish in finishes {
                    guard case .failure(let error) = finish.result else { continue }
                    let isHedge = finish.model.description.id != model.description.id
                    if error.kind == .hedgeLost {
                        if !isHedge { turns.append(model) }
                        continue
                    }
                    if isHedge { turns.removeAll { $0.description.id == finish.model.description.id } }
                    if finish.wasSent { asked = error }
                    if mayRepeat, case .stalled = error.kind {
                        turns.insert(model, at: place)
                        isRepeated = true
                    }
                    guard error.allowsFallback else { throw error }
                    failures.append(error)
                }
            } catch {
                guard error.allowsFallback else { throw error }
                failures.append(error)
            }
        }
        throw Self.mostUseful(failures)
    }

    // MARK: Candidates

    private func state(of model: any LanguageModel) throws(ModelError) -> ProviderState {
        guard let state = states[model.description.provider] else { throw ModelError(.unavailable) }
        return state
    }

    /// Whether a model may be asked now, and not only to find out whether it is back.
    func isReady(_ model: any LanguageModel) -> Bool {
        guard let state = states[model.description.provider] else { return false }
        let (id, now) = (model.description.id, clock.uptime())
        return state.obstacle(to: id, at: now) == nil && !state.isProbeDue(of: id, at: now)
    }

    /// The candidates, those behind that seem to be silent, if any other can be asked.
    private func suspectsLast(_ models: [any LanguageModel]) -> [any LanguageModel] {
        guard models.count > 1 else { return models }
        let now = clock.uptime()
        let suspects = Set(
            models.map(\.description).filter { states[$0.provider]?.isSuspect($0.id, at: now) == true }.map(\.id))
        guard !suspects.isEmpty else { return models }
        return models.filter { !suspects.contains($0.description.id) }
            + models.filter { suspects.contains($0.description.id) }
    }

    private func mayRepeat(_ model: any LanguageModel) -> Bool {
        states[model.description.provider]?.canRetry(afterStall: true) ?? false
    }

    /// Throws unless a model may be asked now.
    ///
    /// When the time of its opening is over, a small call finds out whether it is back, while this one goes to another
    /// candidate or is postponed. Where nobody has asked for long, a call without another candidate finds it out itself.
    private func prepare(
        _ model: any LanguageModel, others: ArraySlice<any LanguageModel>, for caller: CallContext
    ) async throws(ModelError) {
        let state = try state(of: model)
        let (id, now) = (model.description.id, clock.uptime())
        if let obstacle = state.obstacle(to: id, at: now) {
            if let limiter { Task { await limiter.refreshOpenings(of: model.description.budget) } }
            throw Self.error(obstacle, model.description, state)
        }
        guard state.isProbeDue(of: id, at: now) else { return }
        let hasOther = others.contains(where: isReady)
        if hasOther || !state.isOpeningStale(of: id, at: now) {
            // A job that goes on holds its lease, under which the probe is booked; another one waits for the booking.
            let probing = Task { await probe(model, state, for: caller) }
            if !hasOther { await probing.value }
            throw Self.error(.resting(Self.probePause), model.description, state)
        }
        guard await claimProbe(of: model.description, state) || isReady(model) else {
            state.postponeProbe(of: id, at: clock.uptime())
            throw Self.error(.resting(Self.probePause), model.description, state)
        }
    }

    /// The pause of other calls while one finds out whether a model is back.
    static let probePause: Duration = .seconds(3)

    /// Takes a second call from the retry budget of its provider.
    private func takeRetry(of model: any LanguageModel, after failure: ModelError) throws(ModelError) {
        guard try !state(of: model).takeRetry(afterStall: failure.stall != nil) else { return }
        var error = ModelError(.unavailable, retryAfter: Self.pauseOfEmptyBudget)
        error.postponement = .retryBudget
        error.wait = WaitCause(.providerBudget, provider: model.description.provider.rawValue, budget: "retries")
        throw error
    }

    private static let pauseOfEmptyBudget: Duration = .seconds(10)

    /// The error of a caller whose time is over before the next call.
    private static func outOfTime(after failure: ModelError?) -> ModelError {
        guard var failure else {
            return ModelError(.outOfTime(Stall(.firstByte, silence: .zero), isStalled: false))
        }
        let stall = failure.stall ?? Stall(.firstByte, silence: .zero)
        failure.kind = .outOfTime(stall, isStalled: failure.stall != nil)
        return failure
    }

    /// The models of a route that this process can reach and whose price is known; without one, those of the tier.
    /// A route that was stored with a job may name models that the catalogue no longer has.
    private func usableModels(of tier: String, route: PromptRoute?) throws(ModelError) -> [any LanguageModel] {
        let routed = (route?.models ?? []).filter { catalogue.models[$0]?.prices != nil }.compactMap { models[$0] }
        guard routed.isEmpty else { return routed }
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

    static func error(
        _ obstacle: ProviderState.Obstacle, _ model: ModelDescription, _ state: ProviderState
    ) -> ModelError {
        let provider = model.provider.rawValue
        switch obstacle {
        case .blocked(let pause):
            var error = ModelError(.rateLimited, provider: model.provider, model: model.id, retryAfter: pause)
            error.wait = WaitCause(.providerBlocked, provider: provider, status: state.refusal)
            return error
        case .resting(let pause):
            var error = ModelError(.unavailable, retryAfter: pause)
            error.postponement = .breakerOpen
            error.wait = WaitCause(.breakerOpen, provider: provider, failures: state.failuresInARow(of: model.id))
            return error
        }
    }

    private static func mostUseful(_ failures: [ModelError]) -> ModelError {
        if let postponed = failures.first(where: { $0.postponement == .retryBudget }) { return postponed }
        let transient = failures.filter(\.isTransient)
        // Without a hint the job queue's shorter pause applies.
        let first = transient.min { ($0.retryAfter ?? .zero) < ($1.retryAfter ?? .zero) }
        return first ?? failures.first ?? ModelError(.unavailable)
    }
}
