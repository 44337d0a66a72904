/// Whether writing a prefix to a provider's cache pays.
enum CacheEconomics {
    /// Whether a mark pays: later calls save more by reading than this one spends on writing.
    ///
    /// - Parameters:
    ///   - prefix: The tokens up to the mark.
    ///   - prices: The prices of the model, whose cache prices count as the input price where they are missing.
    ///   - lifetime: The time for which the provider keeps the prefix.
    ///   - minimum: The shortest prefix that the model keeps. A shorter one is sent without a mark.
    ///   - expectedReads: The calls within the lifetime that are expected to begin with the same prefix.
    /// - Returns: Whether to send the mark.
    static func worthMarking(
        prefix: Int64, prices: PriceList.Row, lifetime: CacheMark.Lifetime = .fiveMinutes, minimum: Int64,
        expectedReads: Double
    ) -> Bool {
        guard prefix >= minimum, expectedReads > 0 else { return false }
        let input = prices.input.picodollars
        let read = prices.cacheRead?.picodollars ?? input
        let write = prices.cacheWrite(lifetime)?.picodollars ?? input
        return expectedReads * Double(input - read) > Double(write - input)
    }
}

extension PriceList.Row {
    func cacheWrite(_ lifetime: CacheMark.Lifetime) -> TokenPrice? {
        switch lifetime {
        case .fiveMinutes: cacheWrite5m
        case .oneHour: cacheWrite1h
        }
    }
}
