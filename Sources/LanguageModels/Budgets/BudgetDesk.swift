internal import Synchronization

/// Gets permits for the calls of this process out of the budgets that it shares with others.
///
/// One call at a time asks the bank for a budget, and borrows for those behind it, too; what was borrowed for a second
/// of calls is handed out without a question. A call waits for at most five seconds.
final class BudgetLimiter: Sendable {
    typealias Permit = LocalBudget.Permit

    /// The calls of one budget: those that somebody waits for have a line of their own.
    private final class Counter: Sendable {
        let share: Mutex<LocalBudget>
        let background = AsyncSemaphore(limit: 1, reserve: 0)
        let interactive = AsyncSemaphore(limit: 1, reserve: 0)

        init(_ budget: ModelBudget) { share = Mutex(LocalBudget(budget)) }
    }

    private static let timeout: Duration = .seconds(5)
    /// Many processes wait for the same moment; they shall not all knock at it.
    private static let shortestPause: Duration = .milliseconds(50)
    private static let spread: Duration = .milliseconds(150)
    /// The longest pause that a long line is given as a hint, since others may give back what they do not use.
    private static let longestHint: Duration = .seconds(30)
    /// The pause after "too many" without a hint.
    private static let defaultBlock: Duration = .seconds(1)

    private let bank: any BudgetBank
    private let clock: ModelClock
    private let sleep: @Sendable (Duration) async throws -> Void
    private let counters = Mutex<[String: Counter]>([:])

    init(
        _ bank: any BudgetBank, clock: ModelClock,
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        self.bank = bank
        self.clock = clock
        self.sleep = sleep
    }

    /// Waits for the right to make a call; who gets it must `settle`.
    ///
    /// - Throws: `rateLimited` with the time to wait when that is over the patience or the provider is left alone,
    ///   `unavailable` when the bank cannot be asked, `cancelled`.
    func admit(_ need: BudgetUse, to budget: ModelBudget, isInteractive: Bool) async throws(ModelError) -> Permit {
        let counter = counter(budget)
        let start = clock.uptime()
        if let permit = counter.share.withLock({ $0.passWithoutLine(at: start) }) { return permit }
        let line = isInteractive ? counter.interactive : counter.background
        counter.share.withLock { $0.enqueue(need) }
        let isFirst = await line.enter(isInteractive: isInteractive)
        counter.share.withLock { $0.dequeue(need) }
        guard isFirst else { throw ModelError(.cancelled) }
        defer { line.leave() }
        var hint: Duration = .seconds(1)
        while true {
            let now = clock.uptime()
            switch counter.share.withLock({ $0.take(need, at: now) }) {
            case .go(let permit): return permit
            case .blocked(let pause): throw ModelError(.rateLimited, retryAfter: pause)
            case .ask: break
            }
            let left = Self.timeout - (now - start)
            guard left > .zero else { throw Self.outOfPatience(hint, counter) }
            let request = counter.share.withLock { $0.request(for: need, isInteractive: isInteractive, at: now) }
            let answer = try await exchange(request, counter)
            if let pause = answer.blockedFor { throw ModelError(.rateLimited, retryAfter: pause) }
            guard request.need != nil, answer.granted == nil else { continue }
            hint = answer.wait
            guard answer.wait <= left else { throw Self.outOfPatience(answer.wait, counter) }
            let pause = max(answer.wait, Self.shortestPause) + Self.spread * Double.random(in: 0...1)
            guard (try? await sleep(min(pause, max(left, Self.shortestPause)))) != nil else {
                throw ModelError(.cancelled)
            }
        }
    }

    /// Says what a call used; `nil` when nobody knows, then it counts as all that was lent.
    func settle(_ permit: Permit, used: BudgetUse?) async {
        let counter = counter(permit.budget)
        let now = clock.uptime()
        let request = counter.share.withLock { share -> BudgetRequest? in
            if let used { share.correct(used - permit.use, of: permit.timestamp) }
            return share.settlement(at: now)
        }
        if let request { _ = try? await exchange(request, counter) }
    }

    /// Tells all processes that the provider said "too many".
    func block(_ budget: ModelBudget, for pause: Duration?) async {
        let counter = counter(budget)
        let now = clock.uptime()
        var request = counter.share.withLock { $0.settlement(at: now) } ?? BudgetRequest(budget)
        request.blockedFor = pause ?? Self.defaultBlock
        _ = try? await exchange(request, counter)
    }

    /// Those who give up in a line come back when it will be their turn, not all at once.
    private static func outOfPatience(_ wait: Duration, _ counter: Counter) -> ModelError {
        let backlog = counter.share.withLock(\.backlog)
        return ModelError(.rateLimited, retryAfter: max(wait, min(backlog, longestHint)))
    }

    private func exchange(_ request: BudgetRequest, _ counter: Counter) async throws(ModelError) -> BudgetAnswer {
        let start = clock.uptime()
        do {
            let answer = try await bank.exchange(request)
            let now = clock.uptime()
            counter.share.withLock { $0.learn(answer, askedAt: start, at: now) }
            return answer
        } catch {
            counter.share.withLock { $0.restore(request) }
            throw ModelError(Task.isCancelled ? .cancelled : .unavailable, retryAfter: .seconds(1))
        }
    }

    private func counter(_ budget: ModelBudget) -> Counter {
        counters.withLock { counters in
            if let counter = counters[budget.name] { return counter }
            let counter = Counter(budget)
            counters[budget.name] = counter
            return counter
        }
    }
}
