/// What one call of a provider was, for metrics and for the account. Never holds text of a prompt or an answer.
public struct CallRecord: Hashable, Sendable {
    public var provider: ModelProvider
    /// The id in the catalogue.
    public var model: String
    public var tier: String
    /// Seconds since 1970.
    public var startedAt: Int64
    public var duration: Duration
    /// Until the first text of a streamed answer.
    public var firstText: Duration?
    /// `answered`, or the name of the error's kind.
    public var outcome: String
    public var requestID: String?
    /// `nil` when nothing was billed or nobody knows.
    public var usage: TokenUsage?
    public var cost: MicroDollars?
    /// Another candidate was asked before, in vain.
    public var isFallback: Bool
}
