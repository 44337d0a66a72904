internal import Basics
internal import JobQueue
internal import Synchronization

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
        /// The time for which it waited for the provider's budget; `nil` without one.
        var waited: Duration?
        /// Is called once when the call is booked or refused.
        var onBooked: (@Sendable () -> Void)?
        /// The race that the call is in, with another call for the same answer or without one yet.
        var race: HedgeRace?
        /// The booking of the first call of the race, for a hedge.
        var hedgeOf: String?
        /// Is called once with the call's booking when its first byte is late.
        var onLate: (@Sendable (_ booking: String) -> Void)?

        /// Whether no other model than this one can be asked any more.
        func isLast(_ model: ModelDescription) -> Bool { candidates == 0 || next?.description.id == model.id }
    }

    /// Asks one model, if its provider may be asked now. `wasSent` becomes true when the call is made.
    ///
    /// A call takes the permits of its provider first: a call that waits for one provider must not hold a permit that
    /// calls of another provider need.
    func attempt(
        _ model: any LanguageModel, _ request: ModelRequest, _ attempt: Attempt, _ relay: StreamRelay?,
        wasSent: inout Bool
    ) async throws(ModelError) -> ModelResponse {
        var attempt = attempt
        let description = model.description
        guard let state = states[description.provider] else { throw ModelError(.unavailable) }
        let isInteractive = attempt.caller.isInteractive
        let priority: AsyncSemaphore.Priority = isInteractive ? .high : .normal
        let prefix = await beginPrefix(request, description, attempt.caller)
        defer { prefixes.end(prefix) }
        guard await state.calls.acquire(priority) else { throw ModelError(.cancelled) }
        defer { state.calls.release() }
        let asked = clock.uptime()
        var permit = try await acquireBudget(prefix, description, attempt)
        if permit != nil { attempt.waited = clock.uptime() - asked }
        guard await calls.acquire(priority) else {
            returnUnused(permit)
            throw ModelError(.cancelled)
        }
        defer { calls.release() }
        if let late = permit, clock.uptime() >= late.usableUntil {
            returnUnused(late)
            permit = try await acquireBudget(prefix, description, attempt)
        }
        guard !Task.isCancelled else {
            returnUnused(permit)
            throw ModelError(.cancelled)
        }
        do throws(ModelError) {
            // The wait for the budget has taken some of the time.
            try requireTime(for: description, request, attempt.caller, until: attempt.deadline)
        } catch {
            returnUnused(permit)
            throw error
        }
        let isProbe: Bool
        switch state.begin(description.id, at: clock.uptime()) {
        case .success(let probe): isProbe = probe
        case .failure(let refusal):
            returnUnused(permit)
            throw Self.error(refusal.obstacle, description, state)
        }
        wasSent = true
        if attempt.hedgeOf == nil { relay?.begin(description) }
        let outcome = await call(model, prefix, attempt, state, isProbe: isProbe, permit, relay?.onText)
        prefixes.end(prefix, try? outcome.get().usage, model: description.id)
        settle(permit, outcome)
        return try outcome.get()
    }

    /// Makes a call within its time limits, applies its outcome to the health of the model and records it.
    func call(
        _ model: any LanguageModel, _ prefix: PrefixCache.Ticket, _ attempt: Attempt, _ state: ProviderState,
        isProbe: Bool, _ permit: CallPermit?, _ onText: (@Sendable (String) -> Void)?
    ) async -> Result<ModelResponse, ModelError> {
        let description = model.description
        let request = prefix.request
        let planned = estimates.usage(of: request, by: description, plan: prefix.plan)
        let booking: String?
        do throws(ModelError) {
            booking = try await attempt.caller.book?.begin(
                PlannedCall(
                    provider: description.provider, model: description.id,
                    prompt: attempt.caller.route?.prompt, usage: planned,
                    cost: cost(of: planned, description), least: leastUse(planned, description),
                    isProbe: attempt.tier == Self.probeTier, hedgeOf: attempt.hedgeOf,
                    isSimulated: description.isSimulated))
            attempt.onBooked?()
        } catch {
            attempt.onBooked?()
            let now = clock.uptime()
            _ = state.finished(
                .init(model: description.id, error: error, isProbe: isProbe, activity: .init(startedAt: now), at: now))
            return .failure(error)
        }
        let sentAt = clock.uptime()
        let activity = CallActivity(clock, needsNewConnection: attempt.isRepeated, permit: permit) { [self] now in
            _ = attempt.claim()
            prefixes.receivedContent(prefix, startedAt: sentAt, at: now)
            let closes = isProbe && attempt.tier != Self.probeTier
            let changes = state.receivedContent(of: description.id, isProbe: closes, at: now)
            if !changes.isEmpty { Task { await tell(changes, about: description) } }
        } onCounted: { [estimates] prompt in
            estimates.learnPrompt(prompt, of: request, by: description)
        }
        if let booking { follow(booking, activity, planned, description, attempt.caller.book) }
        let start = activity.snapshot.startedAt
        let learned: @Sendable (Duration) -> StallWatch = { [self, attempt] now in
            self.watch(of: description, request, attempt, state, from: start, at: now)
        }
        let watch = learned(start)
        let number = state.running.add(description.id, activity, watch)
        let notes = Mutex((isOverdue: false, isInnocent: false, madeWay: false))
        let lateAt = start + state.usualFirstByte(of: description, effort: request.effort, at: start)
        let doubts = Doubts(lateAt: attempt.onLate == nil ? nil : lateAt) {
            if let booking { attempt.onLate?(booking) }
        } isSuspect: { now in
            let isSuspect = state.isSuspect(description.id, beforeCallFrom: start, at: now)
            if isSuspect { notes.withLock { $0.isInnocent = true } }
            return isSuspect
        } onMakingWay: {
            notes.withLock { ($0.isInnocent, $0.madeWay) = (true, true) }
        } onOverdue: { [self] stall, now in
            notes.withLock { $0.isOverdue = true }
            await tell(
                state.overdue(stall, of: description.id, activity.snapshot, isProbe: isProbe, at: now),
                about: description)
        } learned: {
            learned($0)
        }
        let text = onText.map { pass in { @Sendable text in if attempt.claim() { pass(text) } } }
        let outcome = attempt.outcomeAfterRace(
            await watched(watch, activity, description, doubts) { () async throws(ModelError) in
                try await model.respond(to: request, activity: activity, onText: text)
            })
        state.running.remove(number)
        let now = clock.uptime()
        var failure: ModelError?
        if case .failure(let error) = outcome { failure = error }
        var record = Self.record(outcome, description, attempt, duration: now - start)
        settle(&record, outcome, request, expected(planned, of: prefix, activity.snapshot), activity, description)
        record.details = details(of: record, prefix.plan, attempt, activity.snapshot, description)
        onCall(record)
        if let booking { await attempt.caller.book?.end(booking, record) }
        let changes = state.finished(
            .init(
                model: description.id, effort: request.effort, prompt: attempt.caller.route?.prompt, error: failure,
                isProbe: isProbe, isSmall: attempt.tier == Self.probeTier, isLast: attempt.isLast(description),
                isInnocent: notes.withLock(\.isInnocent), madeWay: notes.withLock(\.madeWay),
                isOverdue: notes.withLock(\.isOverdue), activity: activity.snapshot, at: now))
        await tell(changes, about: description)
        return outcome
    }
}

// MARK: Prompt caching

extension ModelRouter {
    /// The tokens of a request that the provider of a model is expected to read from its cache: they are free of its
    /// limit of input.
    func warm(_ request: ModelRequest, _ model: ModelDescription) -> Int64 {
        prefixes.warmTokens(prefixKeys(of: request, model))
    }

    private func prefixKeys(of request: ModelRequest, _ model: ModelDescription) -> [PrefixKey] {
        guard model.cachesByMarks else { return [] }
        return PrefixKey.all(of: request, for: model, tokensPerEstimate: estimates.tokensPerEstimate(of: model))
    }

    /// Decides on the marks of a call, after a wait for another call that writes a part of the same prompt.
    func beginPrefix(
        _ request: ModelRequest, _ model: ModelDescription, _ caller: CallContext
    ) async -> PrefixCache.Ticket {
        let keys = prefixKeys(of: request, model)
        let prices = model.prices?.row(prompt: estimates.usage(of: request, by: model).prompt, on: clock.today)
        return await prefixes.begin(request, keys, minimum: model.cacheMinimum) { isWarm in
            CachePlan(
                keys, for: model, prices: prices, lifetime: caller.cacheLifetime, expectedReads: caller.expectedReads,
                isWarm: isWarm)
        }
    }
}
