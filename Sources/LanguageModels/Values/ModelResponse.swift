package import JSON

/// A usable answer of a language model.
@dynamicMemberLookup package struct ModelResponse: Hashable, Sendable {
    /// How long a call took, measured here.
    package struct Timings: Hashable, Sendable {
        /// From the start to the first text; `nil` when the answer was not streamed.
        package var firstText: Duration?
        package var total: Duration

        package init(firstText: Duration? = nil, total: Duration) {
            self.firstText = firstText
            self.total = total
        }

        /// The whole call in milliseconds, rounded towards zero.
        package var totalMilliseconds: Int { Int(clamping: total.milliseconds) }
    }

    @Boxed private var details: Details

    /// What it consists of.
    package struct Details: Hashable, Sendable {
        package var provider: ModelProvider
        /// The model that was asked, by its id in the catalogue.
        package var requestedModel: String
        /// The model that the provider says has answered.
        package var model: String
        /// The provider's id of the answer.
        package var id: String?
        /// The provider's id of the HTTP request, for its support.
        package var requestID: String?
        /// What was written for the reader, without thinking.
        package var text: String
        /// The parsed answer when JSON was asked for and no tool was called; it fits the schema.
        package var json: JSON?
        package var toolCalls: [ToolCall]
        package var stopReason: StopReason
        package var usage: TokenUsage
        package var cost: MicroDollars
        package var timings: Timings
        /// The assistant's turn in the provider's own format.
        package var original: ProviderContent
    }

    package init(
        provider: ModelProvider, requestedModel: String, model: String, id: String? = nil, requestID: String? = nil,
        text: String, json: JSON? = nil, toolCalls: [ToolCall] = [], stopReason: StopReason, usage: TokenUsage,
        cost: MicroDollars, timings: Timings, original: ProviderContent
    ) {
        details = Details(
            provider: provider, requestedModel: requestedModel, model: model, id: id, requestID: requestID,
            text: text, json: json, toolCalls: toolCalls, stopReason: stopReason, usage: usage, cost: cost,
            timings: timings, original: original)
    }

    package subscript<Value>(dynamicMember detail: WritableKeyPath<Details, Value>) -> Value {
        get { details[keyPath: detail] }
        set { details[keyPath: detail] = newValue }
    }

    /// The turn to append before the tool results, or before a request to repair the answer.
    package var message: ModelMessage {
        let written: [ModelMessage.Part] = details.text.isEmpty ? [] : [.text(details.text)]
        return ModelMessage(
            role: .assistant, parts: written + details.toolCalls.map(ModelMessage.Part.toolCall),
            original: details.original)
    }
}
