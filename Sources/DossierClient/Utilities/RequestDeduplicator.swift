internal import Foundation

/// Runs an operation once for all who ask for the same key at the same time.
///
/// The operation is cancelled when the last waiter is; a waiter that is cancelled throws `CancellationError` at once
/// and leaves the others alone. Nothing is remembered: the next call after the end begins anew, after a failure too.
///
/// ```swift
/// let images = RequestDeduplicator<URL, Data>()
/// func image(at url: URL) async throws -> Data {
///     try await images.value(for: url) { try await download(url) }
/// }
/// ```
public actor RequestDeduplicator<Key: Hashable & Sendable, Value: Sendable> {
    private struct Flight {
        let id: UUID
        let task: Task<Void, Never>
        var waiters: [UUID: CheckedContinuation<Value, any Error>] = [:]
    }

    private var flights: [Key: Flight] = [:]

    /// Makes one with nothing in flight.
    public init() {}

    /// The value of the operation that is under way for the key, or of this one when there is none.
    ///
    /// - Throws: the operation's error, or `CancellationError`.
    public func value(
        for key: Key, operation: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try Task.checkCancellation()
        let waiter = UUID()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                if Task.isCancelled { return continuation.resume(throwing: CancellationError()) }
                var flight = flights[key] ?? begin(key, operation)
                flight.waiters[waiter] = continuation
                flights[key] = flight
            }
        } onCancel: {
            Task { await self.leave(key, waiter) }
        }
    }

    /// Cancels the operation; all who wait for it throw `CancellationError`.
    public func cancel(_ key: Key) {
        guard let flight = flights.removeValue(forKey: key) else { return }
        flight.task.cancel()
        for waiter in flight.waiters.values { waiter.resume(throwing: CancellationError()) }
    }

    /// Cancels all operations.
    public func cancelAll() {
        for key in Array(flights.keys) { cancel(key) }
    }

    /// The number of operations that are under way.
    public var inFlightCount: Int { flights.count }

    private func begin(_ key: Key, _ operation: @escaping @Sendable () async throws -> Value) -> Flight {
        let id = UUID()
        let task = Task {
            let result: Result<Value, any Error>
            do { result = .success(try await operation()) } catch { result = .failure(error) }
            land(key, id, result)
        }
        return Flight(id: id, task: task)
    }

    private func land(_ key: Key, _ id: UUID, _ result: Result<Value, any Error>) {
        guard let flight = flights[key], flight.id == id else { return }
        flights[key] = nil
        for waiter in flight.waiters.values { waiter.resume(with: result) }
    }

    private func leave(_ key: Key, _ waiter: UUID) {
        guard let continuation = flights[key]?.waiters.removeValue(forKey: waiter) else { return }
        continuation.resume(throwing: CancellationError())
        if flights[key]?.waiters.isEmpty == true { flights.removeValue(forKey: key)?.task.cancel() }
    }
}
