internal import JSON

/// What the simulated model says, before any provider's format.
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
        /// Input without what the cache read or wrote.
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
