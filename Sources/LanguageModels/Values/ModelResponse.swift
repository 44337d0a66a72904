package import JSON

/// A usable answer of a language model.
@dynamicMemberLookup package struct ModelResponse: Hashable, Sendable {
    /// The duration of a call, measured by Dossier.
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

    /// The fields of a response.
    package struct Details: Hashable, Sendable {
        package var provider: ModelProvider
        /// The requested model's id in the catalogue.
        package var requestedModel: String
        /// The model that answered, by the provider's report.
        package var model: String
        /// The provider's id of the answer.
        package var id: String?
        /// The provider's id of the HTTP request, for support.
        package var requestID: String?
        /// The text of the answer, without thinking.
        package var text: String
        /// The parsed answer when JSON was requested and no tool was called; it fits the schema.
        package var json: JSON?
        package var toolCalls: [ToolCall]
        package var stopReason: StopReason
        package var usage: TokenUsage
        package var cost: MicroDollars
        package var timings: Timings
        /// The assistant's turn in the provider's format.
        package var original: ProviderContent
        /// The booking of the call beside which the one that gave this answer was made, since its first byte was late.
        package var hedgeOf: String?
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

/// The reason why a model ended its answer. Refusals and truncations are errors (`ModelError`).
package enum StopReason: Hashable, Sendable {
    case endOfTurn
    case stopSequence
    /// The model waits for the results of `ModelResponse.toolCalls`.
    case toolCalls
    /// A reason that this version does not know.
    case other(String)

    package init(name: String) {
        self =
            switch name {
            case "end_of_turn": .endOfTurn
            case "stop_sequence": .stopSequence
            case "tool_calls": .toolCalls
            default: .other(name)
            }
    }

    package var name: String {
        switch self {
        case .endOfTurn: "end_of_turn"
        case .stopSequence: "stop_sequence"
        case .toolCalls: "tool_calls"
        case .other(let name): name
        }
    }
}

extension ModelResponse {
    /// The response as JSON, for the journal.
    package var encoded: JSON {
        var value: JSON = [
            "provider": JSON(self.provider.rawValue), "requested_model": JSON(self.requestedModel),
            "model": JSON(self.model), "text": JSON(self.text), "stop_reason": JSON(self.stopReason.name),
            "usage": self.usage.encoded,
            "cost_micro_dollars": JSON(self.cost.rawValue), "total_ms": JSON(self.timings.total.milliseconds),
            "original": self.original.encoded,
        ]
        value["id"] = self.id.map { JSON($0) }
        value["request_id"] = self.requestID.map { JSON($0) }
        value["json"] = self.json
        value["hedge_of"] = self.hedgeOf.map { JSON($0) }
        value["first_text_ms"] = self.timings.firstText.map { JSON($0.milliseconds) }
        if !self.toolCalls.isEmpty { value["tool_calls"] = .array(self.toolCalls.map(\.encoded)) }
        return value
    }

    package init(decoding field: JSONField) throws(JSONFieldError) {
        var calls: [ToolCall] = []
        for call in try field["tool_calls"].optional?.array() ?? [] { calls.append(try ToolCall(decoding: call)) }
        let firstText = try field["first_text_ms"].optional?.integer()
        self.init(
            provider: try ModelProvider(decoding: field["provider"]),
            requestedModel: try field["requested_model"].string(), model: try field["model"].string(),
            id: try field["id"].optional?.string(), requestID: try field["request_id"].optional?.string(),
            text: try field["text"].string(), json: field["json"].value, toolCalls: calls,
            stopReason: StopReason(name: try field["stop_reason"].string()),
            usage: try TokenUsage(decoding: field["usage"]),
            cost: MicroDollars(rawValue: try field["cost_micro_dollars"].integer()),
            timings: Timings(
                firstText: firstText.map { .milliseconds($0) }, total: .milliseconds(try field["total_ms"].integer())),
            original: try ProviderContent(decoding: field["original"]))
        self.hedgeOf = try field["hedge_of"].optional?.string()
    }
}

extension Duration {
    /// Whole milliseconds, rounded towards zero.
    var milliseconds: Int64 { components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000 }
}
