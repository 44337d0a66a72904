package import Basics
package import JobQueue
internal import Synchronization

/// Spaces the requests of all processes to the SEC, which allows ten a second to one user in all.
///
/// The pace is a budget in the database: a request takes one store write, and leaves when the budget lets it in. A
/// refusal by the SEC stops the requests of every process.
package final class FleetPace: Sendable {
    /// Nine a second, one at a time, so that what is on its way never makes more than ten.
    private static let limits = BudgetLimits(requestsPerMinute: 540, requestsAtOnce: 1)
    /// The name of the budget in the store.
    package static let budget = "sec/requests"
    private static let shortestPause = Duration.milliseconds(10)
    /// A longer pause of the SEC's is an error, which the job waits for.
    private static let longestBlock = Duration.seconds(5)
    /// The pause until a store that is away is asked again.
    private static let storePause = Duration.seconds(1)

    private let budgets: any BudgetStore
    private let time: TimeSource
    /// One request of a process asks the store at a time.
    private let turnstile = Turnstile()

    package init(_ budgets: any BudgetStore, time: TimeSource = .system) { (self.budgets, self.time) = (budgets, time) }

    /// Returns when a request may leave.
    ///
    /// - Throws: `rateLimited` while the SEC refuses requests, `unavailable` when the store is damaged.
    func waitForTurn() async throws(DataSourceError) {
        await turnstile.enter()
        defer { turnstile.leave() }
        while true {
            if Task.isCancelled { throw .cancelled }
            let call = CallNeed(input: 0, output: 0, isInteractive: true)
            let reply = try await exchange(BudgetRequest(budget: Self.budget, limits: Self.limits, calls: [call]))
            if reply.granted > 0 { return }
            if let block = reply.blockedFor, block > Self.longestBlock {
                throw .rateLimited(.edgar, retryAfter: block)
            }
            do { try await time.sleep(max(reply.wait, Self.shortestPause)) } catch { throw .cancelled }
        }
    }

    /// Stops all requests, since the SEC refused one.
    func refused(for pause: Duration) async {
        _ = try? await exchange(
            BudgetRequest(budget: Self.budget, limits: Self.limits, reports: [.refused(after: pause, LimitReading())]))
    }

    /// Waits for a store that is away: that is no fault of the source's, for which a job would lose an attempt.
    private func exchange(_ request: BudgetRequest) async throws(DataSourceError) -> BudgetReply {
        while true {
            do throws(StoreError) {
                if let reply = try await budgets.exchange([request]).first { return reply }
                throw .unexpected(reason: "no reply about a budget")
            } catch {
                switch error {
                case .unavailable, .full: break
                default: throw .unavailable(.edgar, status: nil)
                }
            }
            do { try await time.sleep(Self.storePause) } catch { throw .cancelled }
        }
    }
}

/// Lets one task through at a time, in the order of their arrival.
final class Turnstile: Sendable {
    private struct State {
        var isTaken = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    func enter() async {
        await withCheckedContinuation { continuation in
            let goes = state.withLock { state in
                if state.isTaken { state.waiters.append(continuation) }
                defer { state.isTaken = true }
                return !state.isTaken
            }
            if goes { continuation.resume() }
        }
    }

    func leave() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            if state.waiters.isEmpty { state.isTaken = false }
            return state.waiters.isEmpty ? nil : state.waiters.removeFirst()
        }
        next?.resume()
    }
}
