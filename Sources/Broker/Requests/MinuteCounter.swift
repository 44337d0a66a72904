internal import JobQueue
internal import Synchronization

/// Counts events by key in whole minutes, and refuses those beyond the limits.
final class MinuteCounter<Key: Hashable & Sendable>: Sendable {
    private struct State {
        var minute: Int64 = 0
        var counts: [Key: Int] = [:]
    }

    private let capacity: Int
    private let now: @Sendable () -> Timestamp
    private let state = Mutex(State())

    /// - Parameters:
    ///   - capacity: The number of keys that are counted; at one more all begin anew.
    ///   - now: The clock of the minutes.
    init(capacity: Int = .max, now: @escaping @Sendable () -> Timestamp) {
        (self.capacity, self.now) = (capacity, now)
    }

    /// Counts an event under each of the keys; an event beyond the limit of one of them counts under none. A key without
    /// a limit is only counted.
    ///
    /// - Returns: The time until the next minute when the event is beyond a limit.
    func count(_ limits: [(key: Key, limit: Int?)]) -> Duration? {
        let milliseconds = now().milliseconds
        let minute = milliseconds / 60_000
        let isRefused = state.withLock { state in
            if state.minute != minute || state.counts.count >= capacity { state = State(minute: minute) }
            for case (let key, let limit?) in limits where state.counts[key, default: 0] >= limit { return true }
            for (key, _) in limits { state.counts[key, default: 0] += 1 }
            return false
        }
        return isRefused ? .milliseconds((minute + 1) * 60_000 - milliseconds) : nil
    }
}
