/// What one call of a provider was, for metrics and for the account. Never holds text of a prompt or an answer.
package struct CallRecord: Hashable, Sendable {
    package var provider: ModelProvider
    /// The id in the catalogue.
    package var model: String
    package var tier: String
    /// Seconds since 1970.
    package var startedAt: Int64
    package var duration: Duration
    /// Until the first text of a streamed answer.
    package var firstText: Duration?
    /// `answered`, or the name of the error's kind.
    package var outcome: String
    package var requestID: String?
    /// `nil` when nothing was billed or nobody knows.
    package var usage: TokenUsage?
    package var cost: MicroDollars?
    /// Another candidate was asked before, in vain.
    package var isFallback: Bool
}
