package import JSON

/// What a call used, in tokens. The groups do not overlap, except that `output` includes `thinking`.
package struct TokenUsage: Hashable, Sendable {
    /// Prompt tokens at the full price: neither read from nor written to a cache.
    package var input: Int64
    /// Everything the model wrote, its thinking included.
    package var output: Int64
    package var cacheRead: Int64
    package var cacheWrite5m: Int64
    package var cacheWrite1h: Int64
    /// The part of `output` that was thinking; 0 where the provider does not say.
    package var thinking: Int64
    /// The provider reported nothing: the figures are a guess from the length of the texts.
    package var isEstimated: Bool

    package init(
        input: Int64 = 0, output: Int64 = 0, cacheRead: Int64 = 0, cacheWrite5m: Int64 = 0, cacheWrite1h: Int64 = 0,
        thinking: Int64 = 0, isEstimated: Bool = false
    ) {
        self.input = input
        self.output = output
        self.cacheRead = cacheRead
        self.cacheWrite5m = cacheWrite5m
        self.cacheWrite1h = cacheWrite1h
        self.thinking = thinking
        self.isEstimated = isEstimated
    }

    /// The whole prompt. Tiered prices go by this.
    package var prompt: Int64 { input + cacheRead + cacheWrite5m + cacheWrite1h }

    package static func + (left: TokenUsage, right: TokenUsage) -> TokenUsage {
        TokenUsage(
            input: left.input + right.input, output: left.output + right.output,
            cacheRead: left.cacheRead + right.cacheRead, cacheWrite5m: left.cacheWrite5m + right.cacheWrite5m,
            cacheWrite1h: left.cacheWrite1h + right.cacheWrite1h, thinking: left.thinking + right.thinking,
            isEstimated: left.isEstimated || right.isEstimated)
    }
}

extension TokenUsage {
    package var encoded: JSON {
        var value: JSON = [
            "input": JSON(input), "output": JSON(output), "cache_read": JSON(cacheRead),
            "cache_write_5m": JSON(cacheWrite5m), "cache_write_1h": JSON(cacheWrite1h), "thinking": JSON(thinking),
        ]
        if isEstimated { value["estimated"] = true }
        return value
    }

    package init(decoding field: JSONField) throws(JSONFieldError) {
        self.init(
            input: try field["input"].integer(), output: try field["output"].integer(),
            cacheRead: try field["cache_read"].integer(), cacheWrite5m: try field["cache_write_5m"].integer(),
            cacheWrite1h: try field["cache_write_1h"].integer(), thinking: try field["thinking"].integer(),
            isEstimated: try field["estimated"].optional?.bool() ?? false)
    }
}

extension JSON {
    /// A token count from a provider: absent, null, negative or absurd values do no harm.
    var tokenCount: Int64 { min(max(integer ?? 0, 0), 1_000_000_000) }
}
