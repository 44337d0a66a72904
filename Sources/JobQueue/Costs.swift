/// How `costs` groups what was spent on models.
public enum CostGrouping: String, Sendable, CaseIterable {
    case day, kind, model, user
}

/// What was spent on models in one group.
public struct CostLine: Hashable, Sendable {
    /// The day as `2026-11-21` (UTC), the job kind, `provider/model`, or the user's number.
    public var group: String
    public var calls: Int64
    public var inputTokens: Int64
    public var outputTokens: Int64
    public var microDollars: Int64

    public init(group: String, calls: Int64, inputTokens: Int64, outputTokens: Int64, microDollars: Int64) {
        self.group = group
        self.calls = calls
        self.inputTokens = inputTokens
        self.outputTokens = outputTokens
        self.microDollars = microDollars
    }
}
