internal import Glibc

/// The threads of an executor that wait for work.
///
/// The thread that ran last is woken first, since its connection's server process has warm caches: an idle fleet keeps
/// one connection busy instead of all of them a little. Guarded by the mutex of the executor.
final class IdleThreads {
    /// One parked thread.
    private final class Waiter {
        let condition: UnsafeMutablePointer<pthread_cond_t>
        /// When the thread wakes by itself.
        var alarm: ContinuousClock.Instant?

        init() {
            condition = .allocate(capacity: 1)
            var attributes = pthread_condattr_t()
            pthread_condattr_init(&attributes)
            pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
            pthread_cond_init(condition, &attributes)
            pthread_condattr_destroy(&attributes)
        }

        deinit {
            pthread_cond_destroy(condition)
            condition.deallocate()
        }
    }

    /// Parked threads, most recently idle last.
    private var parked: [Waiter] = []
    /// Waiters to be used again.
    private var unused: [Waiter] = []

    /// The number of parked threads.
    var count: Int { parked.count }

    /// The time at which the first of them wakes by itself; `nil` when all wait to be woken.
    var nextAlarm: ContinuousClock.Instant? { parked.lazy.compactMap(\.alarm).min() }

    /// Releases the mutex until the thread is woken or the time has come, or for no reason.
    func park(_ mutex: UnsafeMutablePointer<pthread_mutex_t>, until alarm: ContinuousClock.Instant?) {
        let waiter = unused.popLast() ?? Waiter()
        waiter.alarm = alarm
        parked.append(waiter)
        if let alarm {
            var time = Self.monotonicTime(in: alarm - .now)
            pthread_cond_timedwait(waiter.condition, mutex, &time)
        } else {
            pthread_cond_wait(waiter.condition, mutex)
        }
        // `wakeOne` has removed it already.
        parked.removeAll { $0 === waiter }
        unused.append(waiter)
    }

    func wakeOne() {
        guard let waiter = parked.popLast() else { return }
        pthread_cond_signal(waiter.condition)
    }

    func wakeAll() {
        while !parked.isEmpty { wakeOne() }
    }

    private static func monotonicTime(in duration: Duration) -> timespec {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        let (seconds, attoseconds) = max(duration, .zero).components
        time.tv_sec += Int(seconds)
        time.tv_nsec += Int(attoseconds / 1_000_000_000)
        if time.tv_nsec >= 1_000_000_000 {
            time.tv_sec += 1
            time.tv_nsec -= 1_000_000_000
        }
        return time
    }
}
