internal import FoundationEssentials
internal import HTTP

/// The headers by which providers tell the state of their limits.
enum LimitHeaders {
    /// Claude: limits, remainders and the times at which buckets are full. Remainders of tokens are rounded to
    /// thousands, and times to whole seconds, as documented. `tokens` is input and output together.
    static func claude(_ levels: [LimitLevel], now: Int64, isExhausted: Bool) -> HTTPHeaders {
        var headers = HTTPHeaders()
        func add(_ name: String, limit: Double, remaining: Double, untilFull: Double, isTokens: Bool) {
            let left = isExhausted ? 0 : max(0, remaining)
            let rounded = isTokens ? (left / 1_000).rounded() * 1_000 : left.rounded(.down)
            let reset = (Double(now) / 1_000 + untilFull).rounded(.up)
            headers["anthropic-ratelimit-\(name)-limit"] = String(Int(limit))
            headers["anthropic-ratelimit-\(name)-remaining"] = String(Int(rounded))
            headers["anthropic-ratelimit-\(name)-reset"] = Date(timeIntervalSince1970: reset).formatted(.iso8601)
        }
        for level in levels where level.kind != .tokens {
            let name =
                switch level.kind {
                case .input: "input-tokens"
                case .output: "output-tokens"
                case .requests, .tokens: level.kind.rawValue
                }
            add(
                name, limit: level.perMinute, remaining: level.level, untilFull: level.untilFull,
                isTokens: level.kind != .requests)
        }
        let tokens = levels.filter { $0.kind != .requests }
        if !tokens.isEmpty {
            add(
                "tokens", limit: tokens.reduce(0) { $0 + $1.perMinute },
                remaining: tokens.reduce(0) { $0 + max(0, $1.level) },
                untilFull: tokens.map(\.untilFull).max() ?? 0, isTokens: true)
        }
        return headers
    }

    /// OpenAI: the same with durations, such as `6m0s`, `1.2s` and `17ms`.
    static func openAI(_ levels: [LimitLevel], isExhausted: Bool) -> HTTPHeaders {
        var headers = HTTPHeaders()
        for level in levels where level.kind == .requests || level.kind == .tokens {
            let name = level.kind.rawValue
            headers["x-ratelimit-limit-\(name)"] = String(Int(level.perMinute))
            headers["x-ratelimit-remaining-\(name)"] = String(isExhausted ? 0 : Int(max(0, level.level)))
            headers["x-ratelimit-reset-\(name)"] = duration(level.untilFull)
        }
        return headers
    }

    private static func duration(_ seconds: Double) -> String {
        let milliseconds = Int((seconds * 1_000).rounded(.up))
        if milliseconds < 1_000 { return "\(milliseconds)ms" }
        let rest = Duration.milliseconds(milliseconds % 60_000).secondsText + "s"
        return milliseconds < 60_000 ? rest : "\(milliseconds / 60_000)m\(rest)"
    }
}

extension Answer {
    /// Adds headers that it does not have yet.
    mutating func add(_ headers: HTTPHeaders) {
        for (name, value) in headers.fields where self.headers[name] == nil { self.headers[name] = value }
    }
}
