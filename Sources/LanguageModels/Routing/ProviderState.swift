internal import JobQueue
internal import Synchronization

/// The health of one provider and its models, the permits for calls to it, and the latencies of its models.
final class ProviderState: Sendable {
    private struct Health {
        var limit: AdaptiveLimit
        /// For all models of the provider: whether a connection can be made.
        var connection: CircuitBreaker
        var models: [String: CircuitBreaker] = [:]
        var retries = RetryBudget()
        var histories: [HistoryKey: LatencyHistory] = [:]
    }

    private struct HistoryKey: Hashable {
        var model: String
        var effort: Effort?
    }

    let calls: AsyncSemaphore
    private let settings: CircuitBreaker.Settings
    /// A 429 is the business of the budget, which all processes share.
    private let hasBudgets: Bool
    private let health: Mutex<Health>
    /// The calls that wait for their answers.
    let running = RunningCalls()

    init(highestLimit: Int, reserved: Int, breaker: CircuitBreaker.Settings, hasBudgets: Bool = false) {
        self.hasBudgets = hasBudgets
        calls = AsyncSemaphore(permits: highestLimit, reserved: reserved)
        settings = breaker
        health = Mutex(Health(limit: AdaptiveLimit(highest: highestLimit), connection: CircuitBreaker(breaker)))
    }

    // MARK: Admission

    /// The reason not to ask a model now, with the time until it may be asked.
    enum Obstacle: Hashable {
        /// After a 429 or another response with a pause.
        case blocked(Duration)
        /// A circuit breaker is open.
        case resting(Duration)
    }

    /// Whether waiting for a permit makes sense; starts no probe.
    func obstacle(to model: String, at now: Duration) -> Obstacle? {
        health.withLock { health in
            if let pause = health.limit.blocked(at: now) { return .blocked(pause) }
            if case .rest(let pause) = admission(to: model, health, at: now) { return .resting(pause) }
            return nil
        }
    }

    /// The status of the answer with which the provider asked for its last pause.
    var refusal: Int? { health.withLock { $0.limit.status } }

    /// How often calls of a model failed in a row.
    func failuresInARow(of model: String) -> Int {
        health.withLock { max($0.connection.inARow, breaker(of: model, $0).inARow) }
    }

    /// Whether the next call of the model would find out whether it is back.
    func isProbeDue(of model: String, at now: Duration) -> Bool {
        health.withLock { admission(to: model, $0, at: now) == .probe }
    }

    /// Begins a call, whose end must be reported with `finished`. Returns whether the call is a probe.
    func begin(_ model: String, at now: Duration) -> Result<Bool, Refusal> {
        health.withLock { health in
            if let pause = health.limit.blocked(at: now) { return .failure(Refusal(obstacle: .blocked(pause))) }
            switch admission(to: model, health, at: now) {
            case .call: return .success(false)
            case .rest(let pause): return .failure(Refusal(obstacle: .resting(pause)))
            case .probe:
                if health.connection.admission(at: now) == .probe { health.connection.beginProbe(at: now) }
                var breaker = breaker(of: model, health)
                if breaker.admission(at: now) == .probe { breaker.beginProbe(at: now) }
                health.models[model] = breaker
                return .success(true)
            }
        }
    }

    /// The breakers that a probe of the model would close.
    func probeScopes(of model: String) -> [BreakerScope] {
        health.withLock { health in
            var scopes: [BreakerScope] = []
            if health.connection.state != .closed { scopes.append(.provider) }
            if breaker(of: model, health).state != .closed { scopes.append(.model(model)) }
            return scopes
        }
    }

    /// Gives a probe up that was begun, since another process is probing.
    func postponeProbe(of model: String, at now: Duration) {
        health.withLock { health in
            health.connection.postponeProbe(at: now)
            health.models[model]?.postponeProbe(at: now)
        }
    }

    /// Whether a probe is due for so long that the opening before it says nothing about the model any more.
    func isOpeningStale(of model: String, at now: Duration) -> Bool {
        health.withLock { $0.connection.isStale(at: now) && breaker(of: model, $0).isStale(at: now) }
    }

    /// Whether calls of a model are waited for in vain: two or more are silent for half of their limit or come too
    /// slowly, and no other call shows that the model works. A stall without an answer after it counts as one.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - start: Only calls that began before this uptime count; `nil` for all.
    ///   - now: The uptime.
    /// - Returns: Whether other candidates should be asked first.
    func isSuspect(_ model: String, beforeCallFrom start: Duration? = nil, at now: Duration) -> Bool {
        let doubts = running.doubts(about: model, at: now).filter { doubt in start.map { doubt.start < $0 } ?? true }
        guard !doubts.isEmpty else { return false }
        return health.withLock { health in
            let breaker = breaker(of: model, health)
            let valid = doubts.count { !breaker.isIsolated($0.clock, $0.start, $0.since) }
            return valid > 0 && valid + breaker.stalls >= Self.fewestDoubts
        }
    }

    private static let fewestDoubts = 2

    /// Takes in that a call is silent for longer than its limit, which goes on since no other candidate can be asked.
    func overdue(_ stall: Stall, of model: String, _ call: CallActivity.Snapshot, isProbe: Bool, at now: Duration)
        -> [Change]
    {
        guard !isProbe else { return [] }
        return health.withLock { health in
            changing(model, &health) { _, breaker in
                breaker.report(
                    .stalled(stall.clock), ofCallFrom: call.startedAt, silentSince: now - stall.silence, at: now)
            }
        }
    }

    struct Refusal: Error {
        let obstacle: Obstacle
    }

    private func breaker(of model: String, _ health: Health) -> CircuitBreaker {
        health.models[model] ?? CircuitBreaker(settings)
    }

    /// The stricter word of the two breakers.
    private func admission(to model: String, _ health: Health, at now: Duration) -> CircuitBreaker.Admission {
        switch (health.connection.admission(at: now), breaker(of: model, health).admission(at: now)) {
        case (.rest(let one), .rest(let other)): .rest(max(one, other))
        case (.rest(let pause), _), (_, .rest(let pause)): .rest(pause)
        case (.probe, _), (_, .probe): .probe
        case (.call, .call): .call
        }
    }

    // MARK: Results

    /// A change of a breaker, for the other processes.
    enum Change: Hashable {
        case opened(BreakerScope)
        case closed(BreakerScope)
    }

    /// Takes in the first content of a call.
    func receivedContent(of model: String, isProbe: Bool, at now: Duration) -> [Change] {
        health.withLock { health in
            changing(model, &health) { connection, breaker in
                connection.receivedContent(isProbe: isProbe, at: now)
                breaker.receivedContent(isProbe: isProbe, at: now)
            }
        }
    }

    /// The end of a call.
    struct Ending {
        var model: String
        var effort: Effort?
        /// The name of the prompt; `nil` for calls without one.
        var prompt: String?
        /// `nil` for an answer. The policy of each error is in `ErrorPolicy`.
        var error: ModelError?
        var isProbe = false
        /// A small probe, whose answer says nothing about the length of others.
        var isSmall = false
        /// No other candidate could have been asked.
        var isLast = false
        /// The call made way since its model was suspect: it shows nothing by itself.
        var isInnocent = false
        /// The call made way for want of its caller's time, although its answer came as it should.
        var madeWay = false
        /// The stall of the call has been reported before its end.
        var isOverdue = false
        var activity: CallActivity.Snapshot
        var at: Duration

        /// An answer that has come for so long shows that it does not end; a shorter one shows little.
        private static let longAnswer: Duration = .seconds(8)

        /// Whether its answer came until the caller's time was over, and had no end.
        var hasNoEnd: Bool {
            guard let first = activity.firstContentAt, at - first >= Self.longAnswer else { return false }
            if madeWay { return true }
            if case .outOfTime(_, isStalled: false) = error?.kind { return true }
            return false
        }
    }

    /// Applies the outcome of a call.
    func finished(_ call: Ending) -> [Change] {
        let (start, now) = (call.activity.startedAt, call.at)
        let policy = call.error?.kind.policy
        var finding = policy?.health ?? .alive
        if call.isOverdue || call.isInnocent, case .stalled = finding { finding = .nothing }
        if call.hasNoEnd { finding = .endless }
        let silentSince = call.error?.stall.map { now - $0.silence } ?? call.activity.clock.since
        let (changes, limit) = health.withLock { health in
            let changes = changing(call.model, &health) { connection, breaker in
                connection.report(
                    Self.findingForConnection(finding, call, connection.state), ofCallFrom: start,
                    isProbe: call.isProbe, at: now)
                let concernsModel = finding != .unreachable || breaker.state != .closed
                breaker.report(
                    concernsModel ? finding : .nothing, ofCallFrom: start, silentSince: silentSince,
                    isProbe: call.isProbe, wasOverdue: call.isOverdue && call.error == nil, at: now)
            }
            let key = HistoryKey(model: call.model, effort: call.effort)
            if call.error == nil {
                if !call.isSmall {
                    health.histories[key, default: LatencyHistory()].add(
                        call.activity, to: call.prompt, endedAt: now)
                }
                health.retries.succeeded()
            } else if call.isLast, let stall = call.error?.stall {
                health.histories[key, default: LatencyHistory()].add(stall, at: now)
            } else if call.error?.kind == .hedgeLost, call.activity.headAt == nil {
                health.histories[key]?.addLate(now - start, at: now)
            }
            switch policy?.throttling {
            case nil: health.limit.succeeded()
            case .shrink where hasBudgets: break
            case .shrink:
                health.limit.wasRateLimited(
                    callFrom: start, at: now, retryAfter: call.error?.retryAfter,
                    status: call.error?.status)
            case .pause:
                if let pause = call.error?.retryAfter {
                    health.limit.block(for: pause, at: now, status: call.error?.status)
                }
            case .unchanged: break
            }
            return (changes, health.limit.current)
        }
        calls.setPermits(limit)
        return changes
    }

    /// Only a response shows that a connection can be made, and only a failure to connect that none can.
    private static func findingForConnection(
        _ finding: CircuitBreaker.Finding, _ call: Ending, _ state: CircuitBreaker.State
    ) -> CircuitBreaker.Finding {
        if finding == .unreachable { return finding }
        if finding == .alive || call.activity.headAt != nil { return .alive }
        return state == .closed ? .nothing : finding
    }

    private func changing(
        _ model: String, _ health: inout Health,
        _ body: (_ connection: inout CircuitBreaker, _ breaker: inout CircuitBreaker) -> Void
    ) -> [Change] {
        var breaker = breaker(of: model, health)
        let before = (health.connection.state, breaker.state)
        body(&health.connection, &breaker)
        health.models[model] = breaker
        return [
            Self.change(from: before.0, to: health.connection.state, .provider),
            Self.change(from: before.1, to: breaker.state, .model(model)),
        ].compactMap(\.self)
    }

    private static func change(
        from before: CircuitBreaker.State, to after: CircuitBreaker.State, _ scope: BreakerScope
    ) -> Change? {
        switch (before, after) {
        case (.closed, .open), (.probing, .open): .opened(scope)
        case (.open, .closed), (.probing, .closed): .closed(scope)
        default: nil
        }
    }

    // MARK: Limits

    /// The limits of a call's clocks.
    func timeouts(
        for model: ModelDescription, effort: Effort?, isInteractive: Bool, at now: Duration
    ) -> CallTimeouts {
        let history = history(of: model.id, effort)
        return CallTimeouts(history, start: model.timeouts, isInteractive: isInteractive, at: now)
    }

    /// The answers that a model usually gives, and whether enough calls are known for its own limits.
    func usualAnswer(of model: ModelDescription, effort: Effort?, at now: Duration) -> (UsualAnswer, isKnown: Bool) {
        let history = history(of: model.id, effort)
        let isKnown = history.quantile(0.95, of: .clock(.firstContent), at: now) != nil
        return (UsualAnswer(history, start: model.timeouts, at: now), isKnown)
    }

    private func history(of model: String, _ effort: Effort?) -> LatencyHistory {
        health.withLock { $0.histories[HistoryKey(model: model, effort: effort)] } ?? LatencyHistory()
    }

    /// The 0.95 quantile of a model's whole calls; `nil` while too few are known.
    func wholeCall(of model: String, effort: Effort?, at now: Duration) -> Duration? {
        history(of: model, effort).quantile(0.95, of: .wholeCall, at: now)
    }

    /// The median time of a model's whole answers to a prompt; `nil` while too few are known.
    func usualAnswerTime(of model: String, effort: Effort?, to prompt: String, at now: Duration) -> Duration? {
        history(of: model, effort).usualAnswerTime(to: prompt, at: now)
    }

    /// The second calls that the retry budget holds.
    var retryLevel: Double { health.withLock { $0.retries.level } }

    /// The time after which a first byte is late, so that a hedge may be made.
    func usualFirstByte(of model: ModelDescription, effort: Effort?, at now: Duration) -> Duration {
        let usual = history(of: model.id, effort).quantile(0.95, of: .clock(.firstByte), at: now)
        return max(usual ?? model.timeouts.firstByte / Self.unknownFirstByte, Self.shortestFirstByte)
    }

    /// The part of the first byte's start value that counts while few calls are known, and the shortest time.
    private static let (unknownFirstByte, shortestFirstByte): (Int, Duration) = (6, .seconds(1))

    /// Whether the retry budget holds a second call.
    func canRetry(afterStall: Bool) -> Bool { health.withLock { $0.retries.covers(afterStall: afterStall) } }

    /// Takes a second call from the retry budget.
    func takeRetry(afterStall: Bool) -> Bool { health.withLock { $0.retries.take(afterStall: afterStall) } }

    // MARK: The fleet

    /// Takes over openings that the processes of the fleet share.
    ///
    /// - Parameters:
    ///   - openings: The openings that concern these models.
    ///   - models: The models whose openings were asked for.
    ///   - askedAt: The uptime of the request.
    ///   - now: The uptime.
    func adopt(_ openings: [SharedOpening], of models: [String], askedAt: Duration, at now: Duration) {
        health.withLock { health in
            func shared(_ scope: BreakerScope) -> (rest: Duration, opening: Duration)? {
                openings.first { $0.scope == scope }.map { ($0.rest, $0.length) }
            }
            health.connection.adopt(shared(.provider), askedAt: askedAt, at: now)
            for model in models where health.models[model] != nil || shared(.model(model)) != nil {
                var breaker = breaker(of: model, health)
                breaker.adopt(shared(.model(model)), askedAt: askedAt, at: now)
                health.models[model] = breaker
            }
        }
    }
}

/// The number of concurrent calls to one provider: halves on a 429, and grows by one for each limit's worth of
/// successes. Failures of the provider itself do not depend on the rate and change nothing.
struct AdaptiveLimit {
    private let highest: Double
    private var limit: Double
    private var lastShrink: Duration?
    private var blockedUntil: Duration?
    /// The status of the answer that asked for the last pause.
    private(set) var status: Int?
    /// The pause after a 429 without a hint.
    private static let defaultPause: Duration = .seconds(1)

    init(highest: Int) {
        self.highest = Double(max(1, highest))
        limit = self.highest
    }

    var current: Int { max(1, Int(limit)) }

    /// The rest of the pause that the provider asked for; `nil` when it may be called.
    func blocked(at now: Duration) -> Duration? {
        guard let blockedUntil, blockedUntil > now else { return nil }
        return blockedUntil - now
    }

    mutating func succeeded() { limit = min(highest, limit + 1 / limit) }

    /// Applies a 429. Calls that ran when the limit shrank get a 429 as well; only a call that began (`start`) after
    /// that shrinks it again.
    mutating func wasRateLimited(
        callFrom start: Duration, at now: Duration, retryAfter: Duration?, status: Int? = nil
    ) {
        block(for: retryAfter ?? Self.defaultPause, at: now, status: status)
        if let lastShrink, start <= lastShrink { return }
        limit = max(1, limit / 2)
        lastShrink = now
    }

    /// Blocks calls for the pause that the provider asked for, in an answer with a status.
    mutating func block(for pause: Duration, at now: Duration, status: Int? = nil) {
        self.status = status
        blockedUntil = max(blockedUntil ?? now, now + pause)
    }
}
