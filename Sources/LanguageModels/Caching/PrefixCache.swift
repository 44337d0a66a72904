internal import Basics
internal import JobQueue
internal import Synchronization

/// The prefixes that providers keep for the calls of the fleet: one call writes each of them, others wait for its first
/// content and read. Calls of this process are told at once, those of others by `FleetPrefixes`.
final class PrefixCache: Sendable {
    /// One call and its marks.
    struct Ticket: Sendable {
        fileprivate let call: UInt64
        let plan: CachePlan
        /// The request with the marks that are sent.
        let request: ModelRequest
    }

    private struct State {
        var calls: UInt64 = 0
        var prefixes: [String: PrefixState] = [:]
        /// By prefix and call.
        var waiters: [String: [UInt64: CheckedContinuation<Void, Never>]] = [:]
        /// The number of prefixes at which those that say nothing any more are dropped.
        var limit = 1024

        subscript(key: PrefixKey) -> PrefixState {
            get { prefixes[key.hash] ?? PrefixState() }
            set { prefixes[key.hash] = newValue }
        }

        mutating func takeWaiters(of keys: [PrefixKey]) -> [CheckedContinuation<Void, Never>] {
            keys.flatMap { waiters.removeValue(forKey: $0.hash)?.values.map(\.self) ?? [] }
        }

        mutating func dropStale(at now: Duration) {
            guard prefixes.count > limit else { return }
            prefixes = prefixes.filter { !$0.value.isStale(at: now) }
            limit = max(1024, 2 * prefixes.count)
        }
    }

    private let clock: TimeSource
    private let fleet: FleetPrefixes?
    private let onMiss: @Sendable (CacheMiss) -> Void
    private let state = Mutex(State())

    init(
        clock: TimeSource, documents: (any DocumentRepository)? = nil,
        onMiss: @escaping @Sendable (CacheMiss) -> Void = { _ in }
    ) {
        self.clock = clock
        fleet = documents.map { FleetPrefixes($0, clock: clock) }
        self.onMiss = onMiss
    }

    /// The tokens of a request that its provider is expected to read from its cache.
    func warmTokens(_ keys: [PrefixKey]) -> Int64 {
        let now = clock.uptime()
        return state.withLock { state in keys.last { state[$0].isWarm(at: now) }?.tokens ?? 0 }
    }

    /// Decides on the marks of a call. While another call writes a prefix of the request, it waits for that one's first
    /// content, for `PrefixState.longestWait` at most.
    func begin(
        _ request: ModelRequest, _ keys: [PrefixKey], minimum: Int64 = 0,
        plan makePlan: @Sendable ((PrefixKey) -> Bool) -> CachePlan
    ) async -> Ticket {
        guard !keys.isEmpty else { return Ticket(call: 0, plan: .none, request: request) }
        let deadline = clock.uptime() + PrefixState.longestWait
        let call = state.withLock { state in
            state.calls += 1
            return state.calls
        }
        var isFleetAsked = fleet == nil
        while true {
            let now = clock.uptime()
            let isInTime = now < deadline && !Task.isCancelled
            let step: Step = state.withLock { state in
                let written = keys.last { state[$0].isWritten(byOtherThan: call, at: now) }
                if let written, isInTime { return .wait(written) }
                let cold = keys.filter { $0.tokens >= minimum && !state[$0].isWarm(at: now) }
                if !isFleetAsked, isInTime, !cold.isEmpty { return .ask(cold) }
                let plan = makePlan { state[$0].isWarm(at: now) }
                for key in plan.written { state[key].begin(call, at: now) }
                state.dropStale(at: now)
                return .go(plan)
            }
            switch step {
            case .go(let plan):
                if let shortest = plan.written.first { await fleet?.begin(shortest) }
                return Ticket(call: call, plan: plan, request: plan.applied(to: request, keys: keys))
            case .wait(let written): await wait(for: written, call, atMost: deadline - now)
            case .ask(let cold):
                isFleetAsked = await !isWrittenElsewhere(cold)
                if !isFleetAsked { try? await clock.sleep(FleetPrefixes.pause) }
            }
        }
    }

    private enum Step {
        case go(CachePlan)
        /// Another call of this process writes a prefix.
        case wait(PrefixKey)
        /// Other processes may know these.
        case ask([PrefixKey])
    }

    /// Takes over what other processes know of prefixes. Returns whether one of them writes one right now.
    private func isWrittenElsewhere(_ keys: [PrefixKey]) async -> Bool {
        let words = await fleet?.words(about: keys) ?? [:]
        let now = clock.uptime()
        return state.withLock { state in
            var isWritten = false
            for key in keys {
                switch words[key.hash] {
                case .warm(let rest): state[key].adopt(warmUntil: now + rest)
                case .written: isWritten = true
                case nil: break
                }
            }
            return isWritten
        }
    }

    private func wait(for key: PrefixKey, _ call: UInt64, atMost longest: Duration) async {
        let timer = Task { [clock] in
            try? await clock.sleep(longest)
            wake(call, key)
        }
        defer { timer.cancel() }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let now = clock.uptime()
                let isOver = state.withLock { state in
                    guard !Task.isCancelled, state[key].isWritten(byOtherThan: call, at: now) else { return true }
                    state.waiters[key.hash, default: [:]][call] = continuation
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            wake(call, key)
        }
    }

    private func wake(_ call: UInt64, _ key: PrefixKey) {
        state.withLock { $0.waiters[key.hash]?.removeValue(forKey: call) }?.resume()
    }

    /// The first content of an answer has come: from now on the provider has all of the call's marked prefixes.
    func receivedContent(_ ticket: Ticket, startedAt start: Duration, at now: Duration) {
        let (waiters, news) = state.withLock { state in
            var news: [(key: PrefixKey, rest: Duration)] = []
            for key in ticket.plan.sent {
                state[key].receivedContent(life: ticket.plan.lifetime.duration, startedAt: start, at: now)
                if let rest = state[key].takeNews(at: now) { news.append((key, rest)) }
            }
            return (state.takeWaiters(of: ticket.plan.sent), news)
        }
        for waiter in waiters { waiter.resume() }
        guard let fleet, !news.isEmpty else { return }
        Task { for (key, rest) in news { await fleet.keep(key, for: rest) } }
    }

    /// A call has ended, or was not made. May be called again.
    ///
    /// - Parameters:
    ///   - ticket: The call.
    ///   - usage: The use as the provider told it; `nil` when it told none.
    ///   - model: The model's id in the catalogue, for the report of a miss.
    func end(_ ticket: Ticket, _ usage: TokenUsage? = nil, model: String = "") {
        let sent = ticket.plan.sent
        guard !sent.isEmpty else { return }
        let now = clock.uptime()
        let (waiters, missed) = state.withLock { state in
            for key in ticket.plan.written { state[key].gaveUp(ticket.call) }
            var missed: PrefixKey?
            if let usage, !usage.isEstimated {
                if let read = ticket.plan.read, state[read].wasRead(usage.cacheRead * 2 >= read.tokens) {
                    missed = read
                }
                if usage.cacheRead + usage.cacheWrite5m + usage.cacheWrite1h == 0 {
                    for key in ticket.plan.written { state[key].wasNotKept(until: now + ticket.plan.lifetime.duration) }
                }
            }
            return (state.takeWaiters(of: sent), missed)
        }
        for waiter in waiters { waiter.resume() }
        if let missed { onMiss(CacheMiss(model: model, mark: missed.name, hash: missed.hash, tokens: missed.tokens)) }
    }
}

/// A prefix that a provider was expected to have, and has not read in two calls in a row.
package struct CacheMiss: Hashable, Sendable {
    /// The id in the catalogue.
    package var model: String
    /// The name of the mark.
    package var mark: String
    /// SHA-256 of the bytes of the prefix and of what else the provider compares.
    package var hash: String
    package var tokens: Int64
}
