public import JSON

/// A usable answer of a language model.
public struct ModelResponse: Hashable, Sendable {
    /// How long a call took, measured here.
    public struct Timings: Hashable, Sendable {
        /// From the start to the first text; `nil` when the answer was not streamed.
        public var firstText: Duration?
        public var total: Duration

        public init(firstText: Duration? = nil, total: Duration) {
            self.firstText = firstText
            self.total = total
        }

        /// The whole call in milliseconds, rounded towards zero.
        public var totalMilliseconds: Int { Int(clamping: total.milliseconds) }
    }

    public var provider: ModelProvider
    /// The model that was asked, by its id in the catalogue.
    public var requestedModel: String
    /// The model that the provider says has answered.
    public var model: String
    /// The provider's id of the answer.
    public var id: String?
    /// The provider's id of the HTTP request, for its support.
    public var requestID: String?
    /// What was written for the reader, without thinking.
    public var text: String
    /// The parsed answer when JSON was asked for and no tool was called; it fits the schema.
    public var json: JSON?
    public var toolCalls: [ToolCall]
    public var stopReason: StopReason
    public var usage: TokenUsage
    public var cost: MicroDollars
    public var timings: Timings
    /// The assistant's turn in the provider's own format.
    public var original: ProviderContent

    public init(
        provider: ModelProvider, requestedModel: String, model: String, id: String? = nil, requestID: String? = nil,
        text: String, json: JSON? = nil, toolCalls: [ToolCall] = [], stopReason: StopReason, usage: TokenUsage,
        cost: MicroDollars, timings: Timings, original: ProviderContent
    ) {
        self.provider = provider
        self.requestedModel = requestedModel
        self.model = model
        self.id = id
        self.requestID = requestID
        self.text = text
        self.json = json
        self.toolCalls = toolCalls
        self.stopReason = stopReason
        self.usage = usage
        self.cost = cost
        self.timings = timings
        self.original = original
    }

    /// The turn to append before the tool results, or before a request to repair the answer.
    public var message: ModelMessage {
        let written: [ModelMessage.Part] = text.isEmpty ? [] : [.text(text)]
        return ModelMessage(
            role: .assistant, parts: written + toolCalls.map(ModelMessage.Part.toolCall), original: original)
    }
}
