internal import Synchronization

/// Runs one piece of work, a flight, for all concurrent callers of a key.
///
/// A cancelled waiter returns at once, with `Failure.cancelled`. The outcome of a flight goes to all of its waiters
/// and is not kept.
package final class SingleFlight<Key: Hashable & Sendable, Value: Sendable, Failure: FetchFailure>: Sendable {
    /// The work of a flight. It may return a value early to the waiters of that time, and go on for later
    /// ones.
    package typealias Work = @Sendable (_ handOut: @Sendable (Value) -> Void) async throws(Failure) -> Value

    private typealias Waiter = CheckedContinuation<Result<Value, Failure>, Never>

    private struct Flight {
        var task: Task<Void, Never>?
        var waiters: [Int: Waiter] = [:]
    }

    private struct State {
        var flights: [Key: Flight] = [:]
        var nextWaiter = 0
    }

    private let endsWhenAbandoned: Bool
    private let state = Mutex(State())

    /// - Parameter endsWhenAbandoned: Whether a flight is cancelled with its last waiter.
    package init(endsWhenAbandoned: Bool) { self.endsWhenAbandoned = endsWhenAbandoned }

    /// Waits for the flight of a key; starts it when there is none.
    package func value(for key: Key, _ work: @escaping Work) async throws(Failure) -> Value {
        let waiter = state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        let result: Result<Value, Failure> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // `leave` takes the same lock: a cancellation precedes this or finds the waiter.
                let isWaiting = state.withLock { state in
                    if Task.isCancelled { return false }
                    if state.flights[key] == nil { state.flights[key] = flight(key, work) }
                    state.flights[key]?.waiters[waiter] = continuation
                    return true
                }
                if !isWaiting { continuation.resume(returning: .failure(.cancelled)) }
            }
        } onCancel: {
            leave(key, waiter)
        }
        return try result.get()
    }

    /// Starts a flight without a waiter, unless there is one.
    package func start(_ key: Key, _ work: @escaping Work) {
        state.withLock { state in
            if state.flights[key] == nil { state.flights[key] = flight(key, work) }
        }
    }

    private func flight(_ key: Key, _ work: @escaping Work) -> Flight {
        Flight(
            task: Task {
                let result: Result<Value, Failure>
                do throws(Failure) {
                    result = .success(try await work { value in self.handOut(key, value) })
                } catch {
                    result = .failure(error)
                }
                // An abandoned flight is cancelled, and another one may have taken its place.
                if !Task.isCancelled { self.land(key, result) }
            })
    }

    private func handOut(_ key: Key, _ value: Value) {
        let waiters = state.withLock { state -> [Waiter] in
            defer { state.flights[key]?.waiters = [:] }
            return state.flights[key].map { Array($0.waiters.values) } ?? []
        }
        for waiter in waiters { waiter.resume(returning: .success(value)) }
    }

    private func land(_ key: Key, _ result: Result<Value, Failure>) {
        let waiters = state.withLock { state in state.flights.removeValue(forKey: key)?.waiters ?? [:] }
        for waiter in waiters.values { waiter.resume(returning: result) }
    }

    private func leave(_ key: Key, _ waiter: Int) {
        let (continuation, abandoned) = state.withLock { state -> (Waiter?, Task<Void, Never>?) in
            guard let continuation = state.flights[key]?.waiters.removeValue(forKey: waiter) else { return (nil, nil) }
            guard endsWhenAbandoned, state.flights[key]?.waiters.isEmpty == true else { return (continuation, nil) }
            return (continuation, state.flights.removeValue(forKey: key)?.task)
        }
        abandoned?.cancel()
        continuation?.resume(returning: .failure(.cancelled))
    }
}

/// The error of a fetch, for its waiters.
package protocol FetchFailure: Error {
    /// The waiter was cancelled.
    static var cancelled: Self { get }
    /// Whether another caller may succeed at the same moment, so that the failure is not repeated to later ones.
    var concernsOneCaller: Bool { get }
}

extension FetchFailure {
    package var concernsOneCaller: Bool { false }
}
