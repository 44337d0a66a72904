internal import Basics

/// The threads of an executor that wait for work.
///
/// The thread that ran last is woken first, since its connection's server process has warm caches: an idle fleet keeps
/// one connection busy instead of all of them a little. Guarded by the monitor of the executor.
final class IdleThreads {
    /// One parked thread.
    private final class Waiter {
        let condition = Monitor.Condition()
        /// The time at which the thread wakes without a signal.
        var alarm: ContinuousClock.Instant?
    }

    /// Parked threads, most recently idle last.
    private var parked: [Waiter] = []
    /// Waiters to be used again.
    private var unused: [Waiter] = []

    /// The number of parked threads.
    var count: Int { parked.count }

    /// The time at which the first of them wakes by itself; `nil` when all wait to be woken.
    var nextAlarm: ContinuousClock.Instant? { parked.lazy.compactMap(\.alarm).min() }

    /// Releases the lock until the thread is woken or the time has come, or for no reason.
    func park(in monitor: Monitor, until alarm: ContinuousClock.Instant?) {
        let waiter = unused.popLast() ?? Waiter()
        waiter.alarm = alarm
        parked.append(waiter)
        waiter.condition.wait(in: monitor, until: alarm)
        // `wakeOne` has removed it already.
        parked.removeAll { $0 === waiter }
        unused.append(waiter)
    }

    func wakeOne() {
        guard let waiter = parked.popLast() else { return }
        waiter.condition.signal()
    }

    func wakeAll() {
        while !parked.isEmpty { wakeOne() }
    }
}
