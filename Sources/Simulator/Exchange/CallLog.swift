package import JSON
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

    /// The number of calls since the last clearing, kept or not.
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

/// A request that the simulator received, and its outcome.
package struct RecordedCall: Sendable, Hashable {
    package enum Outcome: Sendable, Hashable {
        /// Not answered yet, or still being answered.
        case underWay
        /// Answered whole.
        case answered(status: Int)
        /// The client left, or the simulator broke the connection off, before the answer was whole.
        case brokenOff(status: Int)
    }

    /// Counts from 1, in the order of arrival.
    package var sequence: Int
    package var service: SimulatedService
    /// The model that the request names; `nil` where there is none.
    package var model: String?
    package var method: String
    /// As requested, with the service's prefix.
    package var path: String
    /// Without keys, which are shown as `***`.
    package var headers: [(name: String, value: String)] { headerFields.map { ($0.name, $0.value) } }
    var headerFields: [HeaderField]
    /// `nil` when there is none or it is no JSON.
    package var body: JSON?
    /// SHA-256 of the body's canonical form, so that equal requests can be counted; `nil` where there is no body.
    package var bodyHash: String?
    /// The name of the fault that it met.
    package var fault: String?
    package var outcome: Outcome
    /// The tokens that the provider bills so far; `nil` for a request that costs nothing.
    package var billed: Billed?
    /// Milliseconds since 1970.
    package var startedAt: Int64
    package var finishedAt: Int64?

    /// The whole prompt, and the output that was generated before the client left.
    package struct Billed: Sendable, Hashable {
        package var tokens: BilledTokens
        /// The whole prompt, cached or not.
        package var input: Int { tokens.allInput }
        package var output: Int { tokens.output }
    }

    struct HeaderField: Sendable, Hashable {
        var name: String
        var value: String
    }

    /// As `GET /simulator/requests` lists it.
    package var json: JSON {
        var headers = JSONObject()
        for field in headerFields { headers[field.name.lowercased()] = JSON(field.value) }
        let (state, status): (String, Int?) =
            switch outcome {
            case .underWay: ("under_way", nil)
            case .answered(let status): ("answered", status)
            case .brokenOff(let status): ("broken_off", status)
            }
        return [
            "sequence": JSON(sequence), "service": JSON(service.rawValue), "model": JSON(model),
            "method": JSON(method), "path": JSON(path), "headers": .object(headers), "body": body ?? .null,
            "body_hash": JSON(bodyHash), "fault": JSON(fault), "outcome": JSON(state), "status": JSON(status),
            "billed": billed.map {
                ["input": JSON($0.input), "output": JSON($0.output), "cache_read": JSON($0.tokens.cacheRead)]
            } ?? .null,
            "started_at": JSON(startedAt), "finished_at": JSON(finishedAt),
        ]
    }
}
