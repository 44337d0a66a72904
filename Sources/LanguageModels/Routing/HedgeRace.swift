internal import Synchronization

/// A call, and the hedge that is made beside it when its first byte is late: another candidate gets the same request.
///
/// The first of both that has content wins. The other one is cancelled in the same moment, and nothing that it says
/// counts any more.
final class HedgeRace: Sendable {
    enum Side: Hashable, Sendable {
        case first, hedge
    }

    /// The end of one of the calls.
    struct Finish: Sendable {
        let model: any LanguageModel
        let result: Result<ModelResponse, ModelError>
        /// Whether a request was made.
        let wasSent: Bool
    }

    private struct State {
        var winner: Side?
        var isCancelled = false
        var calls: [Side: Task<Finish, Never>] = [:]
    }

    private let state = Mutex(State())

    /// Begins a call, unless the race is decided.
    func begin(_ side: Side, _ call: @escaping @Sendable () async -> Finish) {
        state.withLock { state in
            guard state.winner == nil, !state.isCancelled, state.calls[side] == nil else { return }
            state.calls[side] = Task { await call() }
        }
    }

    /// Decides the race for a call that has content, unless the other one had some before.
    ///
    /// - Returns: Whether the call has won.
    func claim(_ side: Side) -> Bool {
        let (hasWon, loser) = state.withLock { state in
            let isDecided = state.winner != nil
            state.winner = state.winner ?? side
            let other = state.calls[side == .first ? .hedge : .first]
            return (state.winner == side, isDecided ? nil : other)
        }
        loser?.cancel()
        return hasWon
    }

    func hasLost(_ side: Side) -> Bool { state.withLock { $0.winner.map { $0 != side } ?? false } }

    /// The ends of both calls, the first one's before the hedge's. A cancelled caller cancels both.
    func finishes() async -> [Finish] {
        await withTaskCancellationHandler {
            var finishes: [Finish] = []
            // No hedge begins after the end of the first call.
            for side in [Side.first, .hedge] {
                guard let call = state.withLock({ $0.calls[side] }) else { continue }
                finishes.append(await call.value)
            }
            return finishes
        } onCancel: {
            let calls = state.withLock { state in
                state.isCancelled = true
                return state.calls.values.map(\.self)
            }
            for call in calls { call.cancel() }
        }
    }
}

extension ModelRouter.Attempt {
    private var side: HedgeRace.Side { hedgeOf == nil ? .first : .hedge }

    /// Whether the content of the call counts: the first content of a race decides it.
    func claim() -> Bool { race?.claim(side) ?? true }

    /// The end of the call as the caller hears it. What the loser of a race says is dropped, whatever it is.
    func outcomeAfterRace(_ outcome: Result<ModelResponse, ModelError>) -> Result<ModelResponse, ModelError> {
        switch outcome {
        case .success(var response) where claim():
            response.hedgeOf = hedgeOf
            return .success(response)
        case .success(let response):
            var error = ModelError(.hedgeLost, provider: response.provider, model: response.requestedModel)
            (error.usage, error.cost, error.requestID) = (response.usage, response.cost, response.requestID)
            return .failure(error)
        case .failure(var error) where race?.hasLost(side) == true:
            error.kind = .hedgeLost
            return .failure(error)
        case .failure: return outcome
        }
    }
}
