public import JSON

extension ModelResponse {
    /// The response as JSON, for the journal.
    public var encoded: JSON {
        var value: JSON = [
            "provider": JSON(provider.rawValue), "requested_model": JSON(requestedModel), "model": JSON(model),
            "text": JSON(text), "stop_reason": JSON(stopReason.name), "usage": usage.encoded,
            "cost_micro_dollars": JSON(cost.rawValue), "total_ms": JSON(timings.total.milliseconds),
            "original": original.encoded,
        ]
        value["id"] = id.map { JSON($0) }
        value["request_id"] = requestID.map { JSON($0) }
        value["json"] = json
        value["first_text_ms"] = timings.firstText.map { JSON($0.milliseconds) }
        if !toolCalls.isEmpty { value["tool_calls"] = .array(toolCalls.map(\.encoded)) }
        return value
    }

    public init(decoding field: JSONField) throws(JSONFieldError) {
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
    }
}

extension Duration {
    /// Whole milliseconds, rounded towards zero.
    var milliseconds: Int64 { components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000 }
}
