internal import Basics
internal import JSON

/// A request to a model, read from any provider's format and found valid.
struct SimulatedCall: Sendable {
    struct Turn: Sendable {
        enum Part: Sendable, Equatable {
            case text(String)
            case toolCall(name: String)
            case toolResult(String)
        }

        var isFromUser: Bool
        var parts: [Part]
    }

    struct Tool: Sendable, Equatable {
        var name: String
        var schema: JSON
    }

    enum ToolChoice: Sendable, Equatable {
        case auto, any, none
        case named([String])
    }

    var model: String
    var instructions = ""
    var turns: [Turn] = []
    /// The schema that the answer must follow.
    var schema: JSON?
    /// Whether the request requires JSON, with or without a schema.
    var wantsJSON = false
    var tools: [Tool] = []
    var toolChoice = ToolChoice.auto
    /// Output tokens, thinking included.
    var maxTokens: Int
    var stopSequences: [String] = []
    var streams = false
    /// OpenAI: the stream ends with a chunk of usage.
    var wantsUsageInStream = false
    /// Whether the model thinks before it answers.
    var thinks = false
    /// Tokens of input, prefixes that a cache may hold included.
    var inputTokens = 0
    /// The prefixes that a cache may hold.
    var cacheable = CacheablePrompt.none
    /// The user whom the request names.
    var user: String?
    /// The class of models with which the model shares limits.
    var group: String
    /// SHA-256 of the request without the members that concern its delivery: it seeds the reply, so that a call gets
    /// the same text streamed or whole.
    var digest = ""

    init(model: String, group: String? = nil, maxTokens: Int) {
        self.model = model
        self.group = group ?? model
        self.maxTokens = maxTokens
    }

    static func digest(of body: JSON) -> String {
        var essence = body
        for name in ["stream", "stream_options", "metadata"] { essence[name] = nil }
        return SHA256.hex(essence.canonical)
    }

    /// The texts of the user and of the tools, in order.
    var userTexts: [String] {
        var texts: [String] = []
        for turn in turns where turn.isFromUser {
            for part in turn.parts {
                switch part {
                case .text(let text), .toolResult(let text): texts.append(text)
                case .toolCall: break
                }
            }
        }
        return texts
    }

    var hasToolResult: Bool {
        turns.contains { turn in
            turn.parts.contains { if case .toolResult = $0 { true } else { false } }
        }
    }
}

/// An estimate of tokens: four bytes each. Real tokenizers differ; tests only need usage that grows with the text.
enum TokenCount {
    static func of(_ text: String) -> Int { (text.utf8.count + 3) / 4 }
    static func of(_ bytes: [UInt8]) -> Int { (bytes.count + 3) / 4 }
}
