internal import Synchronization

/// Passes text on, and says when it begins anew.
final class StreamRelay: Sendable {
    private let onEvent: @Sendable (StreamEvent) -> Void
    private let hasText = Mutex(false)

    init(_ onEvent: @escaping @Sendable (StreamEvent) -> Void) { self.onEvent = onEvent }

    /// What a model gives its text to.
    var onText: @Sendable (String) -> Void { { text in self.text(text) } }

    private func text(_ text: String) {
        hasText.withLock { $0 = true }
        onEvent(.text(text))
    }

    /// Another model takes over; said only if the reader has seen something of the one before.
    func begin(_ model: ModelDescription) {
        let isRestart = hasText.withLock { hasText in
            defer { hasText = false }
            return hasText
        }
        if isRestart { onEvent(.restarted(provider: model.provider, model: model.id)) }
    }
}
