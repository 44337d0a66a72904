internal import Synchronization

/// Lets everybody who asks for a key at the same time share one piece of work, a flight.
///
/// A waiter that is cancelled leaves at once, with `Failure.cancelled`. Whatever a flight ends with is told to all who
/// wait for it then, and is not kept.
package final class SingleFlight<Key: Hashable & Sendable, Value: Sendable, Failure: FetchFailure>: Sendable {
    /// The work of a flight. It may hand out a value early to those who wait at that moment, and go on for those who
    /// come later.
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

    /// - Parameter endsWhenAbandoned: Whether a flight is cancelled when the last who waited for it has left.
    package init(endsWhenAbandoned: Bool) { self.endsWhenAbandoned = endsWhenAbandoned }

    /// Waits for the flight of a key; starts it when there is none.
    package func value(for key: Key, _ work: @escaping Work) async throws(Failure) -> Value {
        let waiter = state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        let result: Result<Value, Failure> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // Under the lock that `leave` takes too: a cancellation comes before this or finds the waiter.
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

    /// Starts a flight that nobody waits for, unless there is one.
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
                // A flight that everybody left is cancelled, and another one may have taken its place.
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

/// Why something could not be fetched, for those who wait for it.
package protocol FetchFailure: Error {
    /// Whoever waited does not wait any more.
    static var cancelled: Self { get }
}
