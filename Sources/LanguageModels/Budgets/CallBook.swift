package import JobQueue

/// Books the calls of one caller: each before its request leaves, and again when it has ended.
package protocol CallBook: Sendable {
    /// Books a call at its estimate.
    ///
    /// - Returns: The id of the booking.
    /// - Throws: `spendCapReached`; `notBooked` when the books cannot be written, since a call that nobody counts is not
    ///   made; `cancelled` when the caller has lost its job.
    func begin(_ call: PlannedCall) async throws(ModelError) -> String

    /// Books the end of a call.
    func end(_ id: String, _ call: CallRecord) async
}

/// A call before its request leaves, with the use that is expected.
package struct PlannedCall: Sendable, Hashable {
    package var provider: ModelProvider
    /// The id in the catalogue.
    package var model: String
    package var usage: TokenUsage
    package var cost: MicroDollars
    /// Whether it only finds out whether the model is back, beside the caller's own calls.
    package var isProbe = false
}

extension ModelCall {
    /// A call that begins.
    package init(_ id: String, _ call: PlannedCall) {
        self.init(
            id, call.provider, call.model, state: .running, certainty: .estimated, usage: call.usage, cost: call.cost)
    }

    /// A call that has ended.
    package init(_ id: String, _ call: CallRecord) {
        self.init(
            id, call.provider, call.model, state: call.state, certainty: call.certainty,
            usage: call.usage ?? TokenUsage(), cost: call.cost ?? .zero)
    }

    private init(
        _ id: String, _ provider: ModelProvider, _ model: String, state: State, certainty: Certainty,
        usage: TokenUsage, cost: MicroDollars
    ) {
        self.init(
            id: id, provider: provider.rawValue, model: model, state: state, certainty: certainty,
            inputTokens: usage.input, outputTokens: usage.output, cacheReadTokens: usage.cacheRead,
            cacheWriteTokens: usage.cacheWrite5m + usage.cacheWrite1h, costMicroDollars: cost.rawValue)
    }
}

extension ModelError.Kind {
    /// Whether the books refused the call, so that no request was made.
    var isUnbooked: Bool {
        switch self {
        case .spendCapReached, .notBooked: true
        default: false
        }
    }
}
