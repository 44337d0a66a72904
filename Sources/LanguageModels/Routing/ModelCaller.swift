/// Who asks, as far as the router has to know.
package struct CallContext: Sendable {
    /// Whose spend the call counts towards; `nil` for the system's own.
    package var user: Int64?
    /// Somebody waits in front of a screen.
    package var isInteractive: Bool
    /// Gets a record of every call that was made, also of those that failed and were followed by another: each may have
    /// been billed.
    package var onCall: (@Sendable (CallRecord) -> Void)?

    package init(user: Int64? = nil, isInteractive: Bool = false, onCall: (@Sendable (CallRecord) -> Void)? = nil) {
        self.user = user
        self.isInteractive = isInteractive
        self.onCall = onCall
    }
}

/// What whoever watches an answer come is told.
package enum StreamEvent: Hashable, Sendable {
    case text(String)
    /// The provider failed midway and another begins anew: drop the text so far.
    case restarted(provider: ModelProvider, model: String)
}
