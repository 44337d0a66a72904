package import JobQueue
internal import Synchronization

/// The caller of a model, as far as the router has to know it.
package struct CallContext: Sendable {
    /// The user whose spend the call counts towards; `nil` for the system's own calls.
    package var user: UserID?
    /// A person waits for the answer.
    package var isInteractive: Bool
    /// Receives a record of every call that was made, failed ones followed by another included: each may have been
    /// billed.
    package var onCall: (@Sendable (CallRecord) -> Void)?

    package init(user: UserID? = nil, isInteractive: Bool = false, onCall: (@Sendable (CallRecord) -> Void)? = nil) {
        self.user = user
        self.isInteractive = isInteractive
        self.onCall = onCall
    }
}

/// One call of one provider, for metrics and billing. It never holds text of a prompt or an answer.
package struct CallRecord: Hashable, Sendable {
    package var provider: ModelProvider
    /// The id in the catalogue.
    package var model: String
    package var tier: String
    package var duration: Duration
    /// The time until the first text of a streamed answer.
    package var firstText: Duration?
    /// `answered`, or the name of the error's kind.
    package var outcome: String
    package var requestID: String?
    /// `nil` when nothing was billed or the use is unknown.
    package var usage: TokenUsage?
    package var cost: MicroDollars?
    /// Another candidate was asked before and failed.
    package var isFallback: Bool
}

/// A part of a streamed answer.
package enum StreamEvent: Hashable, Sendable {
    case text(String)
    /// The provider failed midway and another one starts again: drop the text received.
    case restarted(provider: ModelProvider, model: String)
}

/// Passes the text of a call on, and reports when another model starts again.
final class StreamRelay: Sendable {
    private let onEvent: @Sendable (StreamEvent) -> Void
    private let hasText = Mutex(false)

    init(_ onEvent: @escaping @Sendable (StreamEvent) -> Void) { self.onEvent = onEvent }

    /// The callback for a model's text.
    var onText: @Sendable (String) -> Void { { text in self.receive(text) } }

    private func receive(_ text: String) {
        hasText.withLock { $0 = true }
        onEvent(.text(text))
    }

    /// Another model takes over. The caller is informed only if it has received text of the model before.
    func begin(_ model: ModelDescription) {
        let isRestart = hasText.withLock { hasText in
            defer { hasText = false }
            return hasText
        }
        if isRestart { onEvent(.restarted(provider: model.provider, model: model.id)) }
    }
}
