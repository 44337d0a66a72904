/// How `costs` groups what was spent on models.
package enum CostGrouping: String, Sendable, CaseIterable {
    case day, kind, model, user
}

/// What was spent on models in one group.
package struct CostLine: Hashable, Sendable {
    /// The day as `2026-11-21` (UTC), the job kind, `provider/model`, or the user's number.
    package var group: String
    package var calls: Int64
    package var inputTokens: Int64
    package var outputTokens: Int64
    package var microDollars: Int64

    package init(group: String, calls: Int64, inputTokens: Int64, outputTokens: Int64, microDollars: Int64) {
        self.group = group
        self.calls = calls
        self.inputTokens = inputTokens
        self.outputTokens = outputTokens
        self.microDollars = microDollars
    }
}
