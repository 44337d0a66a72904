/// How long one kind of document may be used.
package struct CachePolicy: Sendable, Hashable {
    /// Stands at the head of the documents' keys and in metrics: lower case letters and `_`.
    package let kind: String
    /// How long a document is given out as it is.
    package let lifetime: Duration
    /// How long after that it is still given out, while it is fetched again behind the answer.
    package let grace: Duration

    package init(_ kind: String, lifetime: Duration, grace: Duration) {
        self.kind = kind
        self.lifetime = lifetime
        self.grace = grace
    }
}

/// The lifetimes are those of the design of the app for value investors; how long something stale may stand in is ours:
/// as long as it misleads nobody.
extension CachePolicy {
    /// Prices: a minute.
    package static let quote = CachePolicy("quote", lifetime: .seconds(60), grace: .seconds(240))
    /// Who a company is: a day.
    package static let profile = CachePolicy("profile", lifetime: .seconds(day), grace: .seconds(7 * day))
    /// What a company reported: a day.
    package static let fundamentals = CachePolicy("fundamentals", lifetime: .seconds(day), grace: .seconds(7 * day))
    /// Ratios that hold a price: an hour, as the price is not what they are read for.
    package static let ratios = CachePolicy("ratios", lifetime: .seconds(hour), grace: .seconds(day))
    /// Lists of news: five minutes.
    package static let news = CachePolicy("news", lifetime: .seconds(300), grace: .seconds(1800))
    /// The text of one article: an hour.
    package static let article = CachePolicy("article", lifetime: .seconds(hour), grace: .seconds(day))

    private static let hour = 3600
    private static let day = 86_400
}
