internal import JobQueue

/// One model: an entry of `models.yaml`.
package struct ModelDescription: Hashable, Sendable {
    /// The setting for a model's thinking.
    enum Thinking: String, Hashable, Sendable, CaseIterable {
        /// No setting is sent: the model does not think, always thinks, or has a suitable default.
        case unset
        /// Claude: `{"type":"adaptive"}`, the model decides.
        case adaptive
        /// Gemini 3: `thinkingLevel`, one of the model's efforts.
        case level
    }

    /// The key in the catalogue, which prompts, tiers and records use.
    package var id: String
    package var provider: ModelProvider
    /// The provider's name of the model.
    var wireName: String
    var contextTokens: Int
    var maxOutputTokens: Int
    var thinking: Thinking
    /// The levels of effort that the model accepts; empty if it has no such setting.
    var efforts: [Effort]
    /// Whether the model can be forced to call a tool; other models are only asked to.
    var allowsForcedToolChoice: Bool
    /// `nil` when unknown: such a model cannot be used in a tier.
    var prices: PriceList?
    package var hasPrices: Bool { prices != nil }
    /// The budget for calls per minute, shared with the other models of the same budget.
    var budget: ModelBudget
    /// The shortest prefix, in tokens, that the provider keeps; a shorter one is sent without a mark.
    var cacheMinimum: Int64 = Self.unknownCacheMinimum
    /// The limits of the clocks while fewer than 20 calls are known; see `CallTimeouts`.
    var timeouts = CallTimeouts.standard

    /// Whether the provider serves it by batch.
    var hasBatches: Bool
    /// Whether a simulator serves it in this process.
    var isSimulated = false

    /// The longest of all known shortest prefixes.
    static let unknownCacheMinimum: Int64 = 4096

    /// Whether the provider keeps a prefix only where a mark asks for it; others keep what they like, or nothing.
    var cachesByMarks: Bool { provider == .claude }

    init(
        id: String, provider: ModelProvider, wireName: String? = nil, contextTokens: Int, maxOutputTokens: Int,
        thinking: Thinking = .unset, efforts: [Effort] = [], allowsForcedToolChoice: Bool = true, prices: PriceList?,
        budget: ModelBudget? = nil
    ) {
        self.id = id
        self.provider = provider
        self.wireName = wireName ?? id
        self.contextTokens = contextTokens
        self.maxOutputTokens = maxOutputTokens
        self.thinking = thinking
        self.efforts = efforts
        self.allowsForcedToolChoice = allowsForcedToolChoice
        self.prices = prices
        // Most servers with OpenAI's API have no batches.
        hasBatches = provider != .openai
        self.budget = budget ?? ModelBudget(name: "\(provider.rawValue)/\(id)")
    }
}

/// The budget of some models: the use of a provider that all processes together may make.
struct ModelBudget: Hashable, Sendable {
    /// Provider and name, `claude/sonnet`: the same in every process.
    var name: String
    /// Ceilings below what the provider allows, which its answers tell.
    var limits = BudgetLimits()
}

/// The provider of a model, which decides the wire format.
package enum ModelProvider: String, Sendable, Hashable, CaseIterable {
    /// Anthropic's Messages API.
    case claude
    /// Google's Gemini API.
    case gemini
    /// Any endpoint with OpenAI's chat completions: Ollama, vLLM, llama.cpp, hosted services.
    case openai

    /// The environment variables that configure this provider, for messages to operators.
    package var variables: [String] {
        switch self {
        case .claude: ["ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL"]
        case .gemini: ["GEMINI_API_KEY", "GEMINI_BASE_URL"]
        case .openai: ["OPENAI_BASE_URL"]
        }
    }

    /// The name in messages.
    var displayName: String {
        switch self {
        case .claude: "Claude"
        case .gemini: "Gemini"
        case .openai: "the OpenAI-compatible server"
        }
    }
}
