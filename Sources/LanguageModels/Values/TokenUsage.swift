package import JSON

/// The tokens of a call. The groups do not overlap, except that `output` includes `thinking`.
package struct TokenUsage: Hashable, Sendable {
    /// Prompt tokens at the full price: neither read from nor written to a cache.
    package var input: Int64 = 0
    /// The model's output, thinking included.
    package var output: Int64 = 0
    package var cacheRead: Int64 = 0
    package var cacheWrite5m: Int64 = 0
    package var cacheWrite1h: Int64 = 0
    /// The part of `output` that was thinking; 0 if the provider does not report it.
    package var thinking: Int64 = 0
    /// The provider reported nothing: the numbers are an estimate from the length of the texts.
    package var isEstimated = false

    /// The whole prompt, which decides tiered prices.
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
    /// The same prompt with so many tokens read from the cache, as far as they were to be written.
    func reading(_ tokens: Int64) -> TokenUsage {
        var usage = self
        let short = min(max(0, tokens - cacheRead), cacheWrite5m)
        usage.cacheWrite5m -= short
        let long = min(max(0, tokens - cacheRead - short), cacheWrite1h)
        usage.cacheWrite1h -= long
        usage.cacheRead += short + long
        return usage
    }

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
    /// A token count from a provider; 0 for absent, null or negative values, and bounded.
    var tokenCount: Int64 { min(max(integer ?? 0, 0), 1_000_000_000) }
}

/// An estimate of the tokens of a request, before a provider has counted them.
enum TokenEstimate {
    /// A high estimate: a token for every three bytes, 2,000 for each image or document given by URL.
    static func prompt(of request: ModelRequest) -> Int64 {
        var bytes = request.system.stable.utf8.count + request.system.varying.utf8.count
        var tokens = 0
        for message in request.messages {
            for part in message.parts {
                switch part {
                case .text(let text): bytes += text.utf8.count
                case .media(let media): tokens += mediaTokens(media)
                case .toolCall(let call): bytes += call.input.utf8.count
                case .toolResult(let result): bytes += result.text.utf8.count
                case .cacheMark: break
                }
            }
        }
        for tool in request.tools { bytes += tool.description.utf8.count + tool.parameters.utf8.count }
        if case .json(_, let schema) = request.output { bytes += schema.utf8.count }
        return Int64(bytes / 3 + tokens + 1)
    }

    /// The tokens of documents grow with their size, those of images hardly.
    private static func mediaTokens(_ media: Media) -> Int {
        guard case .base64(let data) = media.source, !media.mimeType.hasPrefix("image/") else { return 2000 }
        return max(2000, data.utf8.count / 16)
    }
}

/// An exact amount of money in millionths of a US dollar.
package struct MicroDollars: RawRepresentable, Hashable, Comparable, Sendable {
    package let rawValue: Int64

    package init(rawValue: Int64) { self.rawValue = rawValue }

    package static let zero = MicroDollars(rawValue: 0)

    /// An amount from millionths of a micro-dollar, rounded half up. This is the only place where money is rounded, so
    /// it is called once for each total and never for its parts.
    init(roundingPicodollars amount: Int128) {
        self.init(rawValue: Int64(clamping: (amount + 500_000) / 1_000_000))
    }

    package static func + (left: MicroDollars, right: MicroDollars) -> MicroDollars {
        let (sum, overflow) = left.rawValue.addingReportingOverflow(right.rawValue)
        return MicroDollars(rawValue: overflow ? .max : sum)
    }

    package static func < (left: MicroDollars, right: MicroDollars) -> Bool { left.rawValue < right.rawValue }
}

extension MicroDollars: CustomStringConvertible {
    /// `$0.003150`
    package var description: String {
        let amount = rawValue.magnitude
        let fraction = String(amount % 1_000_000)
        let padding = String(repeating: "0", count: 6 - fraction.count)
        return "\(rawValue < 0 ? "-" : "")$\(amount / 1_000_000).\(padding)\(fraction)"
    }
}
