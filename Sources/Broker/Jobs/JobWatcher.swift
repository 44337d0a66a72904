internal import JobQueue
internal import Synchronization

/// Notifies waiting requests that a job has changed, with one query to the store for all watched jobs, independent of
/// the number of clients that poll and stream.
final class JobWatcher: Sendable {
    private struct Subscription {
        var jobs: Set<JobID>
        var continuation: AsyncStream<Void>.Continuation
    }

    private struct State {
        var lastID = 0
        var subscriptions: [Int: Subscription] = [:]
        var revisions: [JobID: Int64] = [:]
    }

    /// The shortest time between two queries.
    private static let interval: Duration = .milliseconds(20)
    private static let pauseAfterFailure: Duration = .milliseconds(250)

    private let store: any JobStore
    private let state = Mutex(State())

    init(store: any JobStore) { self.store = store }

    /// Signals at every change of one of the jobs after this call, coalesced. Ends when the watcher stops.
    func changes(of jobs: [JobID]) -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let id = state.withLock { state in
            state.lastID += 1
            state.subscriptions[state.lastID] = Subscription(jobs: Set(jobs), continuation: continuation)
            return state.lastID
        }
        continuation.onTermination = { [weak self] _ in self?.unsubscribe(id) }
        return stream
    }

    /// Watches until the task is cancelled.
    func run() async {
        for await _ in store.changes(.visible) {
            let watched = state.withLock { state in
                state.subscriptions.values.reduce(into: Set<JobID>()) { $0.formUnion($1.jobs) }
            }
            // A query that fails is repeated: its change may be the last one.
            while !watched.isEmpty, !Task.isCancelled {
                if let revisions = try? await store.revisions(of: Array(watched)) {
                    signal(revisions)
                    break
                }
                try? await Task.sleep(for: Self.pauseAfterFailure)
            }
            guard (try? await Task.sleep(for: Self.interval)) != nil else { break }
        }
        let subscriptions = state.withLock { state in
            defer { state.subscriptions = [:] }
            return state.subscriptions.values
        }
        for subscription in subscriptions { subscription.continuation.finish() }
    }

    /// Whether a request waits.
    var isWatching: Bool { state.withLock { !$0.subscriptions.isEmpty } }

    /// Lets all waiting requests look at their jobs, of which something has changed that is not in their revisions.
    func signalAll() {
        let all = state.withLock { $0.subscriptions.values.map(\.continuation) }
        for continuation in all { continuation.yield() }
    }

    private func signal(_ revisions: [JobID: Int64]) {
        let affected = state.withLock { state -> [AsyncStream<Void>.Continuation] in
            let changed = Set(revisions.filter { state.revisions[$0.key] != $0.value }.keys)
            state.revisions = revisions
            return state.subscriptions.values.filter { !$0.jobs.isDisjoint(with: changed) }.map(\.continuation)
        }
        for continuation in affected { continuation.yield() }
    }

    private func unsubscribe(_ id: Int) { state.withLock { _ = $0.subscriptions.removeValue(forKey: id) } }
}

/// Waits for signals until a deadline.
enum Deadline {
    enum Wakeup: Sendable { case changed, timedOut }

    /// The signals, and a last wakeup at the deadline.
    static func merging(_ signals: AsyncStream<Void>, until deadline: ContinuousClock.Instant) -> AsyncStream<Wakeup> {
        AsyncStream { continuation in
            let forwarding = Task {
                for await _ in signals { continuation.yield(.changed) }
                continuation.finish()
            }
            let timing = Task {
                if (try? await Task.sleep(until: deadline, clock: .continuous)) != nil { continuation.yield(.timedOut) }
                continuation.finish()
            }
            continuation.onTermination = { _ in
                forwarding.cancel()
                timing.cancel()
            }
        }
    }
}
