package import JSON

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
    }
}

extension Duration {
    /// Whole milliseconds, rounded towards zero.
    var milliseconds: Int64 { components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000 }
}
