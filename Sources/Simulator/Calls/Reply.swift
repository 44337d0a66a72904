internal import JSON
internal import Synchronization

/// The simulated model's reply, before any provider's format.
struct Reply: Sendable {
    enum Content: Sendable, Equatable {
        case text(String)
        case toolCalls([ToolCall])
    }

    struct ToolCall: Sendable, Equatable {
        var id: String
        var name: String
        var arguments: JSON
    }

    enum Stop: Sendable, Equatable {
        case finished, toolUse, length, refusal
        case sequence(String)
        /// The prompt itself was blocked: no content at all.
        case blockedPrompt
    }

    struct Usage: Sendable, Equatable {
        /// Input without the tokens that the cache read or wrote.
        var input: Int
        var cacheWrite = 0
        var cacheWriteLastsAnHour = false
        var cacheRead = 0
        /// Output, thinking included.
        var output: Int
        var thinking = 0

        var allInput: Int { input + cacheWrite + cacheRead }
    }

    /// The same for the same request.
    var id: String
    var content: Content
    var stop: Stop
    var usage: Usage
    var thinks: Bool

    var text: String {
        if case .text(let text) = content { text } else { "" }
    }
}

/// Remembers which prefixes were sent before, so that usage shows a write the first time and a read from then on.
final class PromptCache: Sendable {
    private let seen = Mutex<(known: Set<String>, order: [String])>(([], []))
    private static let capacity = 10_000

    func account(for prefix: SimulatedCall.CacheablePrefix?, in usage: inout Reply.Usage) {
        guard let prefix, prefix.tokens > 0 else { return }
        let cached = min(prefix.tokens, usage.input)
        usage.input -= cached
        if remember(prefix.digest) {
            usage.cacheWrite = cached
            usage.cacheWriteLastsAnHour = prefix.lastsAnHour
        } else {
            usage.cacheRead = cached
        }
    }

    func clear() { seen.withLock { $0 = ([], []) } }

    /// Whether the prefix is new.
    private func remember(_ digest: String) -> Bool {
        seen.withLock { seen in
            guard seen.known.insert(digest).inserted else { return false }
            seen.order.append(digest)
            if seen.order.count > Self.capacity { seen.known.remove(seen.order.removeFirst()) }
            return true
        }
    }
}
