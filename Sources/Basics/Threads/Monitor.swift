internal import Glibc

/// A mutex with conditions, for dedicated threads that wait for work. Tasks hold the lock only briefly.
///
/// `@unchecked Sendable`: the mutex is at a fixed address, as it must be, and callers keep their state behind
/// `withLock`.
package final class Monitor: @unchecked Sendable {
    /// A condition of the monitor. Its methods are called under the monitor's lock.
    package final class Condition {
        private let condition: UnsafeMutablePointer<pthread_cond_t>

        package init() {
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

        /// Releases the lock, and returns with it after a signal, at the deadline, or spuriously.
        package func wait(in monitor: Monitor, until deadline: ContinuousClock.Instant? = nil) {
            guard let deadline else {
                pthread_cond_wait(condition, monitor.mutex)
                return
            }
            var time = Self.monotonic(in: deadline - .now)
            pthread_cond_timedwait(condition, monitor.mutex, &time)
        }

        package func signal() { pthread_cond_signal(condition) }

        package func broadcast() { pthread_cond_broadcast(condition) }

        private static func monotonic(in duration: Duration) -> timespec {
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

    private let mutex: UnsafeMutablePointer<pthread_mutex_t>

    package init() {
        mutex = .allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    package func withLock<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body()
    }
}
