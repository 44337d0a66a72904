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

    @Boxed private var details: Details

    private struct Details: Hashable, Sendable {
        var provider: ModelProvider
        var requestedModel: String
        var model: String
        var id: String?
        var requestID: String?
        var text: String
        var json: JSON?
        var toolCalls: [ToolCall]
        var stopReason: StopReason
        var usage: TokenUsage
        var cost: MicroDollars
        var timings: Timings
        var original: ProviderContent
    }

    public init(
        provider: ModelProvider, requestedModel: String, model: String, id: String? = nil, requestID: String? = nil,
        text: String, json: JSON? = nil, toolCalls: [ToolCall] = [], stopReason: StopReason, usage: TokenUsage,
        cost: MicroDollars, timings: Timings, original: ProviderContent
    ) {
        details = Details(
            provider: provider, requestedModel: requestedModel, model: model, id: id, requestID: requestID,
            text: text, json: json, toolCalls: toolCalls, stopReason: stopReason, usage: usage, cost: cost,
            timings: timings, original: original)
    }

    public var provider: ModelProvider {
        get { details.provider }
        set { details.provider = newValue }
    }

    /// The model that was asked, by its id in the catalogue.
    public var requestedModel: String {
        get { details.requestedModel }
        set { details.requestedModel = newValue }
    }

    /// The model that the provider says has answered.
    public var model: String {
        get { details.model }
        set { details.model = newValue }
    }

    /// The provider's id of the answer.
    public var id: String? {
        get { details.id }
        set { details.id = newValue }
    }

    /// The provider's id of the HTTP request, for its support.
    public var requestID: String? {
        get { details.requestID }
        set { details.requestID = newValue }
    }

    /// What was written for the reader, without thinking.
    public var text: String {
        get { details.text }
        set { details.text = newValue }
    }

    /// The parsed answer when JSON was asked for and no tool was called; it fits the schema.
    public var json: JSON? {
        get { details.json }
        set { details.json = newValue }
    }

    public var toolCalls: [ToolCall] {
        get { details.toolCalls }
        set { details.toolCalls = newValue }
    }

    public var stopReason: StopReason {
        get { details.stopReason }
        set { details.stopReason = newValue }
    }

    public var usage: TokenUsage {
        get { details.usage }
        set { details.usage = newValue }
    }

    public var cost: MicroDollars {
        get { details.cost }
        set { details.cost = newValue }
    }

    public var timings: Timings {
        get { details.timings }
        set { details.timings = newValue }
    }

    /// The assistant's turn in the provider's own format.
    public var original: ProviderContent {
        get { details.original }
        set { details.original = newValue }
    }

    /// The turn to append before the tool results, or before a request to repair the answer.
    public var message: ModelMessage {
        let written: [ModelMessage.Part] = text.isEmpty ? [] : [.text(text)]
        return ModelMessage(
            role: .assistant, parts: written + toolCalls.map(ModelMessage.Part.toolCall), original: original)
    }
}
