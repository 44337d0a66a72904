internal import Synchronization

/// The requests that came in: exactly counted, the latest kept in full.
final class CallLog: Sendable {
    private struct State {
        var calls: [RecordedCall] = []
        var next = 1
        var counts: [SimulatedService: Int] = [:]
    }

    private let state = Mutex(State())
    private let capacity: Int
    private let now: @Sendable () -> Int64

    /// - Parameters:
    ///   - capacity: How many calls are kept in full.
    ///   - now: Milliseconds since 1970.
    init(capacity: Int, now: @escaping @Sendable () -> Int64) {
        self.capacity = max(1, capacity)
        self.now = now
    }

    /// Returns the sequence number, by which the call is finished.
    func start(_ call: RecordedCall) -> Int {
        let time = now()
        return state.withLock { state in
            var call = call
            call.sequence = state.next
            call.startedAt = time
            state.next += 1
            state.counts[call.service, default: 0] += 1
            state.calls.append(call)
            // In batches, so that a full log does not move all its calls for each new one.
            if state.calls.count > capacity + capacity / 4 {
                let excess = state.calls.count - capacity
                state.calls.removeFirst(excess)
            }
            return call.sequence
        }
    }

    func update(_ sequence: Int, _ change: (inout RecordedCall) -> Void) {
        state.withLock { state in
            guard let first = state.calls.first?.sequence else { return }
            let place = sequence - first
            if state.calls.indices.contains(place) { change(&state.calls[place]) }
        }
    }

    func finish(_ sequence: Int, _ outcome: RecordedCall.Outcome) {
        let time = now()
        update(sequence) { call in
            call.outcome = outcome
            call.finishedAt = time
        }
    }

    /// The calls that are kept, in order of arrival.
    var calls: [RecordedCall] { state.withLock { Array($0.calls.suffix(capacity)) } }

    /// How many calls came in since the last clearing, kept or not.
    func count(of service: SimulatedService?) -> Int {
        state.withLock { state in
            guard let service else { return state.counts.values.reduce(0, +) }
            return state.counts[service] ?? 0
        }
    }

    /// Sequence numbers go on, so that a call under way does not finish a later one.
    func clear() {
        state.withLock { state in
            state.calls = []
            state.counts = [:]
        }
    }
}
