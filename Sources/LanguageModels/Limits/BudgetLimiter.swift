internal import Basics
internal import JobQueue
internal import Synchronization

/// Gives the calls of this process permits from the budgets that it shares with other processes; see `CallLine`.
final class BudgetLimiter: Sendable {
    private let store: any BudgetStore
    private let clock: TimeSource
    /// Names this process among those that share the budgets.
    private let holder = String(UInt64.random(in: .min ... .max), radix: 36)
    private let lines = Mutex<[String: CallLine]>([:])
    private let retries = Mutex<(@Sendable (ModelBudget) -> Int64?)?>(nil)
    private let onOpenings = Mutex<(@Sendable (ModelBudget, [SharedOpening], _ askedAt: Duration) -> Void)?>(nil)

    init(_ store: any BudgetStore, clock: TimeSource) {
        self.store = store
        self.clock = clock
    }

    /// Passes the openings of circuit breakers that come with each reply to a receiver.
    func passOpenings(to receiver: @escaping @Sendable (ModelBudget, [SharedOpening], _ askedAt: Duration) -> Void) {
        onOpenings.withLock { $0 = receiver }
    }

    /// Passes the level of the retry budget of a budget's provider to all processes.
    func passRetries(from source: @escaping @Sendable (ModelBudget) -> Int64?) {
        retries.withLock { $0 = source }
    }

    func line(of budget: ModelBudget) -> CallLine {
        lines.withLock { lines in
            if let line = lines[budget.name] { return line }
            let line = CallLine(
                budget, holder: holder, store, clock: clock,
                retries: { [weak self] in self?.retries.withLock(\.self)?(budget) }
            ) { [weak self] reply, askedAt in
                self?.onOpenings.withLock(\.self)?(budget, reply.openings, askedAt)
            }
            lines[budget.name] = line
            return line
        }
    }

    func acquire(
        _ need: CallNeed, reading expected: ExpectedRead? = nil, from budget: ModelBudget, _ caller: CallContext,
        waitingAtMost longest: Duration = CallLine.timeout
    ) async throws(ModelError) -> CallPermit {
        try await line(of: budget).acquire(need, reading: expected, caller, waitingAtMost: longest)
    }

    // MARK: Circuit breakers

    /// Tells all processes of a change of a circuit breaker.
    ///
    /// - Returns: Whether this process may make the probe that it wants; `false` without an answer.
    @discardableResult
    func report(_ change: BreakerReport, to budget: ModelBudget) async -> Bool {
        await line(of: budget).report(change)
    }

    /// Learns the openings of a budget's models from the store, unless the last reply is still current.
    func refreshOpenings(of budget: ModelBudget) async { await line(of: budget).refresh() }
}
