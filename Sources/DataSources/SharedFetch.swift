/// A cache of fetched values in which concurrent askers for one key share one fetch.
///
/// Failures are told to everyone who waits and are not kept. A waiter that is cancelled leaves at once; the fetch
/// itself is cancelled when nobody waits for it any more.
actor SharedFetch<Key: Hashable & Sendable, Value: Sendable> {
    private struct Entry {
        let value: Value
        let expires: Duration
        var lastUse: Duration
    }

    private struct Flight {
        let task: Task<Void, Never>
        var waiters: [Int: CheckedContinuation<Result<Value, DataSourceError>, Never>] = [:]
    }

    private let lifetime: Duration
    private let capacity: Int
    private let time: Timekeeper
    private var entries: [Key: Entry] = [:]
    private var flights: [Key: Flight] = [:]
    private var nextWaiter = 0

    /// - Parameters:
    ///   - lifetime: how long a value is given out without asking again.
    ///   - capacity: how many values are kept; the least recently used one makes room.
    ///   - time: by which values grow old.
    init(lifetime: Duration, capacity: Int, time: Timekeeper) {
        self.lifetime = lifetime
        self.capacity = capacity
        self.time = time
    }

    func value(
        for key: Key, fetch: @escaping @Sendable () async throws(DataSourceError) -> Value
    ) async throws(DataSourceError) -> Value {
        let now = time.now()
        if let entry = entries[key], entry.expires > now {
            entries[key]?.lastUse = now
            return entry.value
        }
        nextWaiter += 1
        let waiter = nextWaiter
        let result: Result<Value, DataSourceError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if Task.isCancelled {
                    continuation.resume(returning: .failure(.cancelled))
                } else {
                    join(key, waiter, continuation, fetch)
                }
            }
        } onCancel: {
            Task { await self.leave(key, waiter) }
        }
        return try result.get()
    }

    private func join(
        _ key: Key, _ waiter: Int, _ continuation: CheckedContinuation<Result<Value, DataSourceError>, Never>,
        _ fetch: @escaping @Sendable () async throws(DataSourceError) -> Value
    ) {
        if flights[key] == nil {
            let task = Task {
                let result: Result<Value, DataSourceError>
                do throws(DataSourceError) {
                    result = .success(try await fetch())
                } catch {
                    result = .failure(error)
                }
                // A flight that everybody left is cancelled and already replaced or gone.
                if !Task.isCancelled { land(key, result) }
            }
            flights[key] = Flight(task: task)
        }
        flights[key]?.waiters[waiter] = continuation
    }

    private func leave(_ key: Key, _ waiter: Int) {
        guard let continuation = flights[key]?.waiters.removeValue(forKey: waiter) else { return }
        continuation.resume(returning: .failure(.cancelled))
        if flights[key]?.waiters.isEmpty == true { flights.removeValue(forKey: key)?.task.cancel() }
    }

    private func land(_ key: Key, _ result: Result<Value, DataSourceError>) {
        guard let flight = flights.removeValue(forKey: key) else { return }
        if case .success(let value) = result {
            let now = time.now()
            entries[key] = Entry(value: value, expires: now + lifetime, lastUse: now)
            if entries.count > capacity, let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse }) {
                entries[oldest.key] = nil
            }
        }
        for continuation in flight.waiters.values { continuation.resume(returning: result) }
    }
}
