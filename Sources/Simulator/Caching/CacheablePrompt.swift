internal import Basics
internal import JSON

/// A prompt as a provider's cache sees it: prefixes by their content.
enum CacheablePrompt: Sendable, Equatable {
    /// Nothing of it is cached.
    case none
    /// Claude: prefixes that end at blocks, some of which are marked.
    case marked(MarkedPrompt)
    /// Gemini and OpenAI: prefixes of every length, in steps.
    case implicit(ImplicitPrompt)
}

/// The blocks of a prompt to Claude in the order tools, system, messages.
struct MarkedPrompt: Sendable, Equatable {
    struct Mark: Sendable, Equatable {
        var block: Int
        var lastsAnHour: Bool
    }

    /// The key of the prefix that ends with each block.
    private(set) var keys: [String] = []
    /// The tokens of the prefix that ends with each block.
    private(set) var tokens: [Int] = []
    private(set) var marks: [Mark] = []
    /// Shorter prefixes are not cached.
    let shortest: Int
    private var digest: String

    init(model: String, shortest: Int) {
        self.shortest = shortest
        digest = SHA256.hex(model)
    }

    /// What changes the meaning of all later blocks without being a block.
    mutating func add(setting: JSON) { digest = SHA256.hex(digest + setting.canonical) }

    mutating func add(block: JSON, role: String) {
        var content = block
        content["cache_control"] = nil
        let bytes = content.canonical
        digest = SHA256.hex(digest + role + bytes)
        keys.append(digest)
        tokens.append((tokens.last ?? 0) + TokenCount.of(bytes))
        if let control = block["cache_control"], !control.isNull { mark(control) }
    }

    /// Marks the last block.
    mutating func mark(_ control: JSON) {
        guard !keys.isEmpty else { return }
        marks.append(Mark(block: keys.count - 1, lastsAnHour: control["ttl"] == "1h"))
    }
}

/// A prompt in steps of 128 tokens.
struct ImplicitPrompt: Sendable, Equatable {
    static let step = 128
    static let shortest = 1_024

    /// The key of each prefix whose length is a multiple of the step.
    private(set) var keys: [UInt64] = []

    /// - Parameter texts: The model and the parts of the prompt in their order.
    init(_ texts: [[UInt8]]) {
        // FNV-1a: quick, and nobody attacks a simulator's cache.
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        var length = 0
        for text in texts {
            for byte in text {
                hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
                length += 1
                if length % (Self.step * 4) == 0 { keys.append(hash) }
            }
        }
    }
}
