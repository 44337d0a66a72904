internal import DataSources

extension GatheredFacts {
    /// A market's share count and the filings' may differ by so much (buybacks, the time between the two).
    private static let countTolerance = 1.5

    /// The price, when it is of the same share that the filings count; else why it is not used.
    ///
    /// A depositary receipt can stand for several shares or a part of one, and after a split the price is of new shares
    /// while the filings are still of old ones: in both cases every ratio with the price would be wrong.
    var usablePrice: (price: CompanyHistory.Price?, problem: String) {
        guard let market else { return (nil, marketProblem ?? "none was given") }
        guard let price = market.price?.asDouble, price > 0, let currency = market.currency else {
            return (nil, "the source gave none")
        }
        if let split = company.fundamentals.announcedSplits.last {
            return (nil, "a filing of \(split.filing.filed) states a split that the figures do not show yet")
        }
        if let cap = market.marketCap?.asDouble, let shares = company.fundamentals.annual(.dilutedShares).first?.double,
            cap > 0, shares > 0
        {
            let ratio = cap / price / shares
            guard ratio < Self.countTolerance, ratio > 1 / Self.countTolerance else {
                return (nil, "the market counts other shares than the filings do")
            }
        }
        return (CompanyHistory.Price(value: price, currency: currency), "")
    }
}
