import Basics
import Synchronization

/// A cache in memory; concurrent look-ups of one key share one fetch.
///
/// A failure goes to every waiter and is not cached. A cancelled waiter returns at once; the fetch
/// itself is cancelled with its last waiter, unless `endsWhenAbandoned` is false.
final class MemoryCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Entry {
        let value: Value
        let expires: Duration
        var lastUse: Duration
    }

    private let lifetime: Duration
    private let capacity: Int
    private let time: TimeSource
    private let flights: SingleFlight<Key, Value, DataSourceError>
    private let entries = Mutex<[Key: Entry]>([:])

    /// - Parameters:
    ///   - lifetime: the time for which a value is returned without another fetch.
    ///   - capacity: the greatest number of values; the least recently used one makes room.
    ///   - time: measures the age of values.
    ///   - endsWhenAbandoned: whether a fetch is cancelled with its last waiter.
    init(lifetime: Duration, capacity: Int, time: TimeSource, endsWhenAbandoned: Bool = true) {
        self.lifetime = lifetime
        self.capacity = capacity
        self.time = time
        flights = SingleFlight(endsWhenAbandoned: endsWhenAbandoned)
    }

    func value(
        for key: Key, fetch: @escaping @Sendable () async throws(DataSourceError) -> Value
    ) async throws(DataSourceError) -> Value {
        if let value = known(key) { return value }
        return try await flights.value(for: key) { _ async throws(DataSourceError) in
            // A fetch that has just ended may have stored it.
            if let value = self.known(key) { return value }
            let value = try await fetch()
            self.keep(key, value)
            return value
        }
    }

    private func known(_ key: Key) -> Value? {
        let now = time.uptime()
        return entries.withLock { entries in
            guard let entry = entries[key], entry.expires > now else { return nil }
            entries[key]?.lastUse = now
            return entry.value
        }
    }

    private func keep(_ key: Key, _ value: Value) {
        // A cancelled fetch may have returned a partial value.
        if Task.isCancelled { return }
        let now = time.uptime()
        entries.withLock { entries in
            entries[key] = Entry(value: value, expires: now + lifetime, lastUse: now)
            if entries.count > capacity, let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse }) {
                entries[oldest.key] = nil
            }
        }
    }
}
