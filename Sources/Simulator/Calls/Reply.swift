internal import JSON

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
        var cacheWrite5m = 0
        var cacheWrite1h = 0
        var cacheRead = 0
        /// Output, thinking included.
        var output: Int
        var thinking = 0

        var allInput: Int { input + cacheWrite5m + cacheWrite1h + cacheRead }

        var billed: BilledTokens {
            BilledTokens(
                input: input, cacheRead: cacheRead, cacheWrite5m: cacheWrite5m, cacheWrite1h: cacheWrite1h,
                output: output)
        }

        /// The input of a prompt of a number of tokens, of which the cache reads and writes parts.
        init(input tokens: Int, _ reading: PromptCache.Reading = PromptCache.Reading(), output: Int = 0) {
            self.output = output
            cacheRead = min(tokens, reading.read)
            cacheWrite5m = min(tokens - cacheRead, reading.writtenForFiveMinutes)
            cacheWrite1h = min(tokens - cacheRead - cacheWrite5m, reading.writtenForAnHour)
            input = tokens - cacheRead - cacheWrite5m - cacheWrite1h
        }
    }

    /// The same for the same request.
    var id: String
    var content: Content
    var stop: Stop
    var usage: Usage
    var thinks: Bool
    /// Whether it answers a line of a batch.
    var isBatch = false

    var text: String {
        if case .text(let text) = content { text } else { "" }
    }
}
