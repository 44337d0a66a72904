/// How fast a simulated model writes.
package struct Pacing: Sendable, Hashable {
    /// Before the first byte of an answer.
    package var firstByte: Duration
    /// Output tokens per second of one answer; `nil` for as fast as possible.
    package var tokensPerSecond: Double?
    /// Characters of text in one delta of a stream.
    package var deltaLength: Int

    package init(firstByte: Duration = .zero, tokensPerSecond: Double? = nil, deltaLength: Int = 24) {
        self.firstByte = firstByte
        self.tokensPerSecond = tokensPerSecond
        self.deltaLength = deltaLength
    }

    /// How long so many tokens take.
    func duration(ofTokens tokens: Int) -> Duration {
        guard let tokensPerSecond, tokensPerSecond > 0, tokens > 0 else { return .zero }
        return .seconds(Double(tokens) / tokensPerSecond)
    }

    /// A text in deltas.
    func deltas(of text: String) -> [String] {
        var deltas: [String] = []
        var rest = Substring(text)
        while !rest.isEmpty {
            let delta = rest.prefix(max(1, deltaLength))
            deltas.append(String(delta))
            rest = rest[delta.endIndex...]
        }
        return deltas
    }
}
