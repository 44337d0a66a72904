public import JSON

/// A usable answer of a language model.
@dynamicMemberLookup public struct ModelResponse: Hashable, Sendable {
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

    /// What it consists of.
    public struct Details: Hashable, Sendable {
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

    public subscript<Value>(dynamicMember detail: WritableKeyPath<Details, Value>) -> Value {
        get { details[keyPath: detail] }
        set { details[keyPath: detail] = newValue }
    }

    /// The turn to append before the tool results, or before a request to repair the answer.
    public var message: ModelMessage {
        let written: [ModelMessage.Part] = details.text.isEmpty ? [] : [.text(details.text)]
        return ModelMessage(
            role: .assistant, parts: written + details.toolCalls.map(ModelMessage.Part.toolCall),
            original: details.original)
    }
}
