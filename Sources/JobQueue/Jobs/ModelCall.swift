/// One call of a model: its tokens, its cost, and how both are known.
///
/// A call is booked with its estimate before its request leaves, in the state `running`, and corrected when it ends. All
/// of it is one row, which the id names, so that a repetition of any write changes nothing.
package struct ModelCall: Sendable, Hashable {
    package enum State: String, Sendable, CaseIterable {
        case running
        /// The answer came in full and was usable.
        case ok
        /// The provider answered with an error, or with an answer that could not be used.
        case failed
        /// The caller gave up: a cancel, a deadline, a drain, a lost lease.
        case cancelled
        /// The provider was silent for too long.
        case stalled
        /// The connection broke off, or the process of the caller died.
        case cut
    }

    /// How the tokens are known. A call's row takes a better knowledge and keeps it.
    package enum Certainty: Int, Sendable, Comparable {
        /// From the length of the prompt and the usual length of answers.
        case estimated
        /// In part from the provider, in part counted while the answer came.
        case counted
        /// From the provider.
        case told

        package static func < (left: Certainty, right: Certainty) -> Bool { left.rawValue < right.rawValue }
    }

    /// The natural key of the call.
    package var id: String
    package var provider: String
    package var model: String
    package var state: State
    package var certainty: Certainty
    package var inputTokens: Int64
    package var outputTokens: Int64
    package var cacheReadTokens: Int64
    package var cacheWriteTokens: Int64
    package var costMicroDollars: Int64

    package init(
        id: String, provider: String, model: String, state: State = .ok, certainty: Certainty = .told,
        inputTokens: Int64, outputTokens: Int64, cacheReadTokens: Int64, cacheWriteTokens: Int64,
        costMicroDollars: Int64
    ) {
        self.id = id
        self.provider = provider
        self.model = model
        self.state = state
        self.certainty = certainty
        self.inputTokens = inputTokens
        self.outputTokens = outputTokens
        self.cacheReadTokens = cacheReadTokens
        self.cacheWriteTokens = cacheWriteTokens
        self.costMicroDollars = costMicroDollars
    }
}

extension [Effect] {
    package var modelCalls: [ModelCall] {
        compactMap { effect in
            if case .recordModelCall(let call) = effect { call } else { nil }
        }
    }
}
