import SQLSupport
internal import Glibc

/// The threads of a desk that wait for work. The one that ran last is woken first, since its connection's server process
/// still has everything at hand: an idle fleet keeps one connection busy instead of all of them a little.
///
/// Guarded by the mutex of its desk.
final class IdleThreads {
    private final class Bed {
        let condition: UnsafeMutablePointer<pthread_cond_t>
        /// When who sleeps here wakes by itself.
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

    /// Those who sleep, the last to lie down at the end.
    private var occupied: [Bed] = []
    private var free: [Bed] = []

    /// How many sleep.
    var count: Int { occupied.count }

    /// When the first of them wakes by itself; `nil` when all wait to be woken.
    var nextAlarm: ContinuousClock.Instant? { occupied.lazy.compactMap(\.alarm).min() }

    /// Releases the mutex, and returns with it when the thread was woken, when the moment has come, or for no reason.
    func sleep(_ mutex: UnsafeMutablePointer<pthread_mutex_t>, until timestamp: ContinuousClock.Instant?) {
        let bed = free.popLast() ?? Bed()
        bed.alarm = timestamp
        occupied.append(bed)
        if let timestamp {
            var time = Self.monotonic(in: timestamp - .now)
            pthread_cond_timedwait(bed.condition, mutex, &time)
        } else {
            pthread_cond_wait(bed.condition, mutex)
        }
        // Whoever was woken is not here any more.
        occupied.removeAll { $0 === bed }
        free.append(bed)
    }

    func wakeOne() {
        guard let bed = occupied.popLast() else { return }
        pthread_cond_signal(bed.condition)
    }

    func wakeAll() {
        while !occupied.isEmpty { wakeOne() }
    }

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
