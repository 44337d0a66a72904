internal import JobQueue

/// The marks that one call sends, and the tokens that it is expected to read and write.
struct CachePlan: Hashable, Sendable {
    /// The most marks of one request, by the provider's rule.
    static let mostMarks = 4

    /// The prefixes whose marks are sent, the shortest first.
    private(set) var sent: [PrefixKey] = []
    /// Of these, the longest that the provider is expected to have.
    private(set) var read: PrefixKey?
    private(set) var lifetime: CacheMark.Lifetime

    /// A call without marks.
    static let none = CachePlan(lifetime: .fiveMinutes)

    private init(lifetime: CacheMark.Lifetime) { self.lifetime = lifetime }

    /// Decides which marks pay.
    ///
    /// A mark before one that is sent costs nothing more. A prefix that the provider has is always marked, since only a
    /// marked prefix is read.
    ///
    /// - Parameters:
    ///   - keys: The prefixes of the request, the shortest first.
    ///   - model: The model.
    ///   - prices: Its prices for a prompt of this size.
    ///   - lifetime: The time for which the provider keeps what is written.
    ///   - expectedReads: By the name of a mark, the later calls that are expected to read up to it.
    ///   - isWarm: Whether the provider has a prefix.
    init(
        _ keys: [PrefixKey], for model: ModelDescription, prices: PriceList.Row?,
        lifetime: CacheMark.Lifetime = .fiveMinutes, expectedReads: [String: Double], isWarm: (PrefixKey) -> Bool
    ) {
        self.init(lifetime: lifetime)
        guard model.cachesByMarks, let prices else { return }
        let long = keys.filter { $0.tokens >= model.cacheMinimum }
        let warm = long.lastIndex(where: isWarm)
        let paying = long.lastIndex { key in
            CacheEconomics.worthMarking(
                prefix: key.tokens, prices: prices, lifetime: lifetime, minimum: model.cacheMinimum,
                expectedReads: expectedReads[key.name] ?? 0)
        }
        guard let last = [warm, paying].compactMap(\.self).max() else { return }
        read = warm.map { long[$0] }
        // The longest two matter most: what is written up to, and what is read up to.
        var chosen = [last] + (warm.map { [$0] } ?? []).filter { $0 != last }
        chosen += (0..<last).reversed().filter { !chosen.contains($0) }.prefix(Self.mostMarks - chosen.count)
        sent = chosen.sorted().map { long[$0] }
    }

    /// The prefixes that the call writes.
    var written: [PrefixKey] { sent.filter { $0.tokens > (read?.tokens ?? -1) } }

    /// The tokens that the call is expected to read.
    var readTokens: Int64 { read?.tokens ?? 0 }

    /// The tokens that the call is expected to write.
    var writtenTokens: Int64 { max(0, (sent.last?.tokens ?? 0) - readTokens) }

    /// The request with the marks that are sent.
    func applied(to request: ModelRequest, keys: [PrefixKey]) -> ModelRequest {
        var request = request
        var place = 0
        let hashes = Set(sent.map(\.hash))
        for message in request.messages.indices {
            for part in request.messages[message].parts.indices {
                guard case .cacheMark(var mark) = request.messages[message].parts[part] else { continue }
                mark.lifetime = keys.indices.contains(place) && hashes.contains(keys[place].hash) ? lifetime : nil
                request.messages[message].parts[part] = .cacheMark(mark)
                place += 1
            }
        }
        return request
    }

    /// The prefixes that were sent, with those that the provider had by the use that it told; `nil` for none.
    func marks(after usage: TokenUsage) -> [CallMark]? {
        let hasRead = read.map { usage.cacheRead * 2 >= $0.tokens } ?? false
        guard hasRead || usage.cacheWrite5m + usage.cacheWrite1h > 0 else { return nil }
        return sent.map { key in
            CallMark(hash: key.hash, tokens: key.tokens, wasRead: hasRead && key.tokens <= readTokens)
        }
    }

    /// The expected use of a call, by price, for a prompt of this many tokens.
    func usage(prompt: Int64) -> TokenUsage {
        let read = min(readTokens, prompt)
        let written = min(writtenTokens, prompt - read)
        var usage = TokenUsage(input: prompt - read - written, cacheRead: read)
        switch lifetime {
        case .fiveMinutes: usage.cacheWrite5m = written
        case .oneHour: usage.cacheWrite1h = written
        }
        return usage
    }
}
