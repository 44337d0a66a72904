internal import Basics
internal import JobQueue
internal import Synchronization

/// Gives the calls of this process permits from the budgets that it shares with other processes.
///
/// One call at a time asks the store for a grant from a budget, and asks for the calls that wait in its queue, too; the
/// other calls take their permits from that grant. A call waits for at most five seconds.
final class BudgetLimiter: Sendable {
    typealias Permit = LocalBudget.Permit

    /// The calls of one budget. Interactive calls and the others wait in separate queues.
    private final class Entry: Sendable {
        let local: Mutex<LocalBudget>
        let background = AsyncSemaphore(permits: 1)
        let interactive = AsyncSemaphore(permits: 1)

        init(_ budget: ModelBudget) { local = Mutex(LocalBudget(budget)) }
    }

    private static let timeout: Duration = .seconds(5)
    /// Many processes wait for the same time; a random part of the pause spreads their requests.
    private static let shortestPause: Duration = .milliseconds(50)
    private static let jitter: Duration = .milliseconds(150)
    /// The longest pause that the length of the queue gives as a hint, since unused grants return to the budget.
    private static let longestHint: Duration = .seconds(30)
    /// The pause after a 429 without a hint.
    private static let defaultBlock: Duration = .seconds(1)

    private let store: any BudgetStore
    private let clock: TimeSource
    private let entries = Mutex<[String: Entry]>([:])
    private let onOpenings = Mutex<(@Sendable (ModelBudget, [SharedOpening], _ askedAt: Duration) -> Void)?>(nil)

    init(_ store: any BudgetStore, clock: TimeSource) {
        self.store = store
        self.clock = clock
    }

    /// Passes the openings of circuit breakers that come with each reply to a receiver.
    func passOpenings(to receiver: @escaping @Sendable (ModelBudget, [SharedOpening], _ askedAt: Duration) -> Void) {
        onOpenings.withLock { $0 = receiver }
    }

    /// Waits for a permit to make a call. Each permit must be settled.
    ///
    /// - Throws: `rateLimited` with the time to wait when that exceeds the timeout or the provider is blocked,
    ///   `unavailable` when the store does not answer, `cancelled`.
    func acquire(_ need: BudgetAmount, from budget: ModelBudget, isInteractive: Bool) async throws(ModelError) -> Permit
    {
        let entry = entry(for: budget)
        let start = clock.uptime()
        if let permit = entry.local.withLock({ $0.takeUnlimited(at: start) }) { return permit }
        entry.local.withLock { $0.enqueue(need) }
        let queue = isInteractive ? entry.interactive : entry.background
        let hasTurn = await queue.acquire()
        entry.local.withLock { $0.dequeue(need) }
        guard hasTurn else { throw ModelError(.cancelled) }
        defer { queue.release() }
        return try await acquire(need, isInteractive: isInteractive, from: entry, since: start)
    }

    private func acquire(
        _ need: BudgetAmount, isInteractive: Bool, from entry: Entry, since start: Duration
    ) async throws(ModelError) -> Permit {
        var hint: Duration = .seconds(1)
        while true {
            let now = clock.uptime()
            switch entry.local.withLock({ $0.take(need, at: now) }) {
            case .permit(let permit): return permit
            case .blocked(let pause): throw ModelError(.rateLimited, retryAfter: pause)
            case .ask: break
            }
            let left = Self.timeout - (now - start)
            guard left > .zero else { throw Self.timedOut(hint, entry) }
            let request = entry.local.withLock { $0.request(for: need, isInteractive: isInteractive, at: now) }
            let reply = try await exchange(request, entry)
            if let pause = reply.blockedFor { throw ModelError(.rateLimited, retryAfter: pause) }
            guard request.need != nil, reply.granted == nil else { continue }
            hint = reply.wait
            guard reply.wait <= left else { throw Self.timedOut(reply.wait, entry) }
            let pause = max(reply.wait, Self.shortestPause) + Self.jitter * Double.random(in: 0...1)
            guard (try? await clock.sleep(min(pause, max(left, Self.shortestPause)))) != nil else {
                throw ModelError(.cancelled)
            }
        }
    }

    /// Reports the use of a call.
    ///
    /// - Parameters:
    ///   - permit: The permit of the call.
    ///   - used: Calls and tokens that the provider counted; `nil` when they are unknown, then the whole permit counts.
    func settle(_ permit: Permit, used: BudgetAmount?) async {
        let entry = entry(for: permit.budget)
        let now = clock.uptime()
        let request = entry.local.withLock { local -> BudgetRequest? in
            if let used { local.correct(used - permit.amount, grantedAt: permit.grantedAt) }
            return local.settlement(at: now)
        }
        if let request { _ = try? await exchange(request, entry) }
    }

    /// Stops the calls of all processes after the provider answered 429.
    func block(_ budget: ModelBudget, for pause: Duration?) async {
        let entry = entry(for: budget)
        let now = clock.uptime()
        var request = entry.local.withLock { $0.settlement(at: now) } ?? BudgetRequest(budget)
        request.blockedFor = pause ?? Self.defaultBlock
        _ = try? await exchange(request, entry)
    }

    // MARK: Circuit breakers

    /// Tells all processes of a change of a circuit breaker.
    ///
    /// - Returns: Whether this process may make the probe that it wants; `false` without an answer.
    @discardableResult
    func report(_ change: BreakerReport, to budget: ModelBudget) async -> Bool {
        var request = BudgetRequest(budget)
        request.breakers = [change]
        return (try? await exchange(request, entry(for: budget)))?.probes.contains(change.scope) ?? false
    }

    /// Learns the openings of a budget's models from the store, unless the last reply is still current.
    func refreshOpenings(of budget: ModelBudget) async {
        let entry = entry(for: budget)
        let now = clock.uptime()
        guard entry.local.withLock({ $0.isStale(at: now) }) else { return }
        _ = try? await exchange(BudgetRequest(budget), entry)
    }

    /// The retry hint covers the queue, so that calls that time out together do not return together.
    private static func timedOut(_ wait: Duration, _ entry: Entry) -> ModelError {
        let backlog = entry.local.withLock(\.backlog)
        return ModelError(.rateLimited, retryAfter: max(wait, min(backlog, longestHint)))
    }

    private func exchange(_ request: BudgetRequest, _ entry: Entry) async throws(ModelError) -> BudgetReply {
        let start = clock.uptime()
        if let reply = try? await store.exchange([request]).first {
            let now = clock.uptime()
            let budget = entry.local.withLock { local in
                local.receive(reply, askedAt: start, at: now)
                return local.budget
            }
            onOpenings.withLock(\.self)?(budget, reply.openings, start)
            return reply
        }
        entry.local.withLock { $0.restore(request) }
        throw ModelError(Task.isCancelled ? .cancelled : .unavailable, retryAfter: .seconds(1))
    }

    private func entry(for budget: ModelBudget) -> Entry {
        entries.withLock { entries in
            if let entry = entries[budget.name] { return entry }
            let entry = Entry(budget)
            entries[budget.name] = entry
            return entry
        }
    }
}

extension BudgetRequest {
    /// A request that neither asks for nor reports anything.
    init(_ budget: ModelBudget) { self.init(budget: budget.name, limits: budget.limits) }
}
