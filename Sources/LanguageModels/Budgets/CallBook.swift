package import JobQueue

/// Books the calls of one caller: each before its request leaves, and again when it has ended.
package protocol CallBook: Sendable {
    /// Books a call at its estimate.
    ///
    /// - Returns: The id of the booking.
    /// - Throws: `spendCapReached`; `hedgeRefused`; `notBooked` when the books cannot be written, since a call that
    ///   nobody counts is not made; `cancelled` when the caller has lost its job.
    func begin(_ call: PlannedCall) async throws(ModelError) -> String

    /// Follows a call that has begun, so that its use can be booked while its answer arrives.
    ///
    /// - Parameters:
    ///   - id: The id of the booking.
    ///   - use: The use and its cost as far as they are known; `nil` before the first word of the provider.
    func follow(_ id: String, _ use: @escaping @Sendable () -> (usage: TokenUsage, cost: MicroDollars)?)

    /// Books the end of a call.
    func end(_ id: String, _ call: CallRecord) async
}

/// A call before its request leaves, with the use that is expected.
package struct PlannedCall: Sendable, Hashable {
    package var provider: ModelProvider
    /// The id in the catalogue.
    package var model: String
    /// The name of the prompt; `nil` for calls without one.
    package var prompt: String?
    package var usage: TokenUsage
    package var cost: MicroDollars
    /// What counts when the process dies before anything is known of the answer.
    package var least: ModelCall.LeastUse?
    /// Whether it only finds out whether the model is back, beside the caller's own calls.
    package var isProbe = false
    /// The booking of the call beside which this one is made for the same answer.
    package var hedgeOf: String?
    /// Whether a simulator answers.
    package var isSimulated = false
}

extension ModelCall {
    /// A call that begins.
    package init(_ id: String, _ call: PlannedCall) {
        self.init(
            id, call.provider, call.model, state: .running, certainty: .estimated, usage: call.usage, cost: call.cost)
        (least, hedgeOf) = (call.least, call.hedgeOf)
        (details.prompt, details.isSimulated) = (call.prompt, call.isSimulated)
    }

    /// A call of which a part of the answer has arrived.
    package init(_ id: String, _ call: PlannedCall, usage: TokenUsage, cost: MicroDollars) {
        self.init(id, call.provider, call.model, state: .running, certainty: .counted, usage: usage, cost: cost)
    }

    /// A call that has ended.
    package init(_ id: String, _ call: CallRecord) {
        self.init(
            id, call.provider, call.model, state: call.state, certainty: call.certainty,
            usage: call.usage ?? TokenUsage(), cost: call.cost ?? .zero)
        (details, hedgeOf) = (call.details, call.hedgeOf)
    }

    private init(
        _ id: String, _ provider: ModelProvider, _ model: String, state: State, certainty: Certainty,
        usage: TokenUsage, cost: MicroDollars
    ) {
        self.init(
            id: id, provider: provider.rawValue, model: model, state: state, certainty: certainty,
            inputTokens: usage.input, outputTokens: usage.output, cacheReadTokens: usage.cacheRead,
            cacheWriteTokens: usage.cacheWrite5m + usage.cacheWrite1h, costMicroDollars: cost.rawValue)
        cacheWrite1hTokens = usage.cacheWrite1h
    }
}

extension ModelError.Kind {
    /// Whether the books refused the call, so that no request was made.
    var isUnbooked: Bool {
        switch self {
        case .spendCapReached, .notBooked, .hedgeRefused: true
        default: false
        }
    }
}
