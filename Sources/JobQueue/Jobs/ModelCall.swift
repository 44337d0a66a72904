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
        /// Another call for the same answer had content first; see `hedgeOf`.
        case hedgeLost = "hedge_lost"
    }

    /// How the provider serves a call, which sets its price.
    package enum ServiceTier: String, Sendable, CaseIterable {
        case standard
        /// Half the price of every class of tokens.
        case batch
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
    /// The part of `cacheWriteTokens` that the provider keeps for an hour.
    package var cacheWrite1hTokens: Int64 = 0
    package var costMicroDollars: Int64
    /// What a call that begins counts for when its process dies before anything is known of its answer.
    package var least: LeastUse?
    package var details = Details()
    /// The id of the call beside which this one was made for the same answer, since its first byte was late.
    package var hedgeOf: String?

    /// The prompt, and the output that a provider may have written until the first word of it was booked.
    package struct LeastUse: Sendable, Hashable {
        package var outputTokens: Int64
        package var costMicroDollars: Int64

        package init(outputTokens: Int64, costMicroDollars: Int64) {
            self.outputTokens = outputTokens
            self.costMicroDollars = costMicroDollars
        }
    }

    package init(
        id: String, provider: String, model: String, state: State = .ok, certainty: Certainty = .told,
        inputTokens: Int64, outputTokens: Int64, cacheReadTokens: Int64, cacheWriteTokens: Int64,
        costMicroDollars: Int64, least: LeastUse? = nil, hedgeOf: String? = nil
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
        self.least = least
        self.hedgeOf = hedgeOf
    }
}

extension ModelCall {
    /// The end of a call that no provider has billed.
    package static func unmade(_ id: String, provider: String, model: String, state: State) -> ModelCall {
        ModelCall(
            id: id, provider: provider, model: model, state: state, inputTokens: 0, outputTokens: 0,
            cacheReadTokens: 0, cacheWriteTokens: 0, costMicroDollars: 0)
    }
}

extension [Effect] {
    /// The ids of the lines of batches whose answers are journalled.
    package var journalledBatchLines: [String] {
        compactMap { effect in
            if case .journalBatchLine(let id) = effect { id } else { nil }
        }
    }

    package var modelCalls: [ModelCall] {
        compactMap { effect in
            if case .recordModelCall(let call) = effect { call } else { nil }
        }
    }
}
