/// What Dossier knows about a model: one entry of `models.yaml`.
package struct ModelDescription: Hashable, Sendable {
    /// How a model's thinking is asked for.
    package enum Thinking: String, Hashable, Sendable, CaseIterable {
        /// Nothing is said: the model does not think, or always does, or has a default that suits.
        case unset
        /// Claude: `{"type":"adaptive"}`, the model decides.
        case adaptive
        /// Gemini 3: `thinkingLevel`, one of the model's efforts.
        case level
    }

    /// The key in the catalogue, which prompts, tiers and records use.
    package var id: String
    package var provider: ModelProvider
    /// What the provider calls it.
    package var wireName: String
    package var contextTokens: Int
    package var maxOutputTokens: Int
    package var thinking: Thinking
    /// The levels of effort that the model accepts; empty where it has no such setting.
    package var efforts: [Effort]
    /// Whether the model can be told to call a tool; elsewhere it is only asked to.
    package var allowsForcedToolChoice: Bool
    /// `nil` when nobody knows: such a model cannot be used in a tier.
    package var prices: PriceList?
    /// What its provider allows in a minute, shared with the other models of the same budget.
    package var budget: ModelBudget

    package init(
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
        self.budget = budget ?? ModelBudget(name: "\(provider.rawValue)/\(id)")
    }
}
