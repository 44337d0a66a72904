internal import Basics
internal import Synchronization

/// The health of an embedding model: the limit of a call from its recent latencies, and a circuit breaker.
///
/// Vectors are an aid, so nobody waits for a model that is silent: the caller goes on without them.
final class EmbeddingHealth: Sendable {
    enum Admission: Hashable {
        /// The call may be made, and may take so long.
        case call(limit: Duration)
        /// The model is stopped; a small call shall find out whether it is back.
        case probe(limit: Duration)
        /// The model is stopped.
        case rest(Duration)
    }

    private struct State {
        var breaker = CircuitBreaker()
        var history = LatencyHistory()
    }

    private let state = Mutex(State())
    private let longest: Duration
    private let onChange: @Sendable (_ isOpen: Bool) -> Void

    /// The part of the longest time for a call while fewer than 20 are known, and the shortest limit.
    private static let unknownPart = 0.5
    private static let shortestLimit: Duration = .seconds(2)
    private static let (factor, quantile) = (4.0, 0.95)

    /// - Parameters:
    ///   - longest: The longest time for a call.
    ///   - onChange: Is told when the model is stopped or answers again.
    init(longest: Duration, onChange: @escaping @Sendable (_ isOpen: Bool) -> Void) {
        self.longest = longest
        self.onChange = onChange
    }

    func admission(at now: Duration) -> Admission {
        state.withLock { state in
            let usual = state.history.quantile(Self.quantile, of: .wholeCall, at: now)
            let limit = min(
                usual.map { max($0 * Self.factor, Self.shortestLimit) } ?? longest * Self.unknownPart, longest)
            switch state.breaker.admission(at: now) {
            case .call: return .call(limit: limit)
            case .rest(let pause): return .rest(pause)
            case .probe:
                state.breaker.beginProbe(at: now)
                return .probe(limit: limit)
            }
        }
    }

    /// Takes in the end of a call; `nil` for an answer.
    func ended(_ error: ModelError?, from start: Duration, isProbe: Bool, at now: Duration) {
        let (before, after) = state.withLock { state in
            let before = state.breaker.state
            state.breaker.report(Self.finding(error), ofCallFrom: start, isProbe: isProbe, at: now)
            if error == nil, !isProbe { state.history.add(now - start, to: .wholeCall, at: now) }
            return (before, state.breaker.state)
        }
        switch (before, after) {
        case (.closed, .open), (.probing, .open): onChange(true)
        case (.probing, .closed), (.open, .closed): onChange(false)
        default: break
        }
    }

    private static func finding(_ error: ModelError?) -> CircuitBreaker.Finding {
        guard let error else { return .alive }
        return error.kind == .timeout ? .stalled(.firstByte) : error.kind.policy.health
    }
}
