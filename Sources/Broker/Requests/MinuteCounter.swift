internal import JobQueue
internal import Synchronization

/// Counts events by key in whole minutes, and refuses those beyond the limits.
final class MinuteCounter<Key: Hashable & Sendable>: Sendable {
    /// A limit that is reached.
    struct Refusal: Sendable {
        var key: Key
        var limit: Int
        /// The time until the next minute.
        var pause: Duration
    }

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
    /// - Returns: The limit that the event is beyond.
    func count(_ limits: [(key: Key, limit: Int?)]) -> Refusal? {
        let milliseconds = now().milliseconds
        let minute = milliseconds / 60_000
        let pause: Duration = .milliseconds((minute + 1) * 60_000 - milliseconds)
        return state.withLock { state in
            if state.minute != minute || state.counts.count >= capacity { state = State(minute: minute) }
            for case (let key, let limit?) in limits where state.counts[key, default: 0] >= limit {
                return Refusal(key: key, limit: limit, pause: pause)
            }
            for (key, _) in limits { state.counts[key, default: 0] += 1 }
            return nil
        }
    }
}
