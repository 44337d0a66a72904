internal import Basics
package import JSON

/// Names one document of the cache.
package struct CacheKey: Sendable, Hashable {
    /// Longer names are replaced by their digest: the store takes keys of at most 512 bytes.
    private static let longestName = 300

    package let policy: CachePolicy
    /// The key in the store: `quote:AAPL`.
    package let text: String

    /// - Parameters:
    ///   - policy: Of which kind the document is.
    ///   - name: Identifies the document among others of its kind; any text of any length.
    package init(_ policy: CachePolicy, _ name: String) {
        self.policy = policy
        let isPlain = name.utf8.count <= Self.longestName && !name.utf8.contains(0)
        text = policy.kind + ":" + (isPlain ? name : "sha256:" + SHA256.hex(name))
    }
}

/// The times for which one kind of document may be used.
package struct CachePolicy: Sendable, Hashable {
    /// The prefix of the documents' keys and their name in metrics: lower case letters and `_`.
    package let kind: String
    /// The time for which a document is returned as it is.
    package let lifetime: Duration
    /// The further time for which it is still returned while it is fetched again in the background.
    package let grace: Duration

    package init(_ kind: String, lifetime: Duration, grace: Duration) {
        self.kind = kind
        self.lifetime = lifetime
        self.grace = grace
    }
}

/// The lifetimes follow the design of the app for value investors. The grace, during
/// which a stale value is still returned, ends before a stale value could mislead.
extension CachePolicy {
    /// Prices: a minute.
    package static let quote = CachePolicy("quote", lifetime: .seconds(60), grace: .seconds(240))
    /// A company's profile: a day.
    package static let profile = CachePolicy("profile", lifetime: .seconds(day), grace: .seconds(7 * day))
    /// A company's reported figures: a day.
    package static let fundamentals = CachePolicy("fundamentals", lifetime: .seconds(day), grace: .seconds(7 * day))
    /// Ratios that contain a price: an hour, since readers do not take prices from them.
    package static let ratios = CachePolicy("ratios", lifetime: .seconds(hour), grace: .seconds(day))
    /// Bars up to a close, which their key names: until after the next one, over a long weekend.
    package static let prices = CachePolicy("prices", lifetime: .seconds(5 * day), grace: .zero)
    /// Lists of news: five minutes.
    package static let news = CachePolicy("news", lifetime: .seconds(300), grace: .seconds(1800))
    /// The text of one article: an hour.
    package static let article = CachePolicy("article", lifetime: .seconds(hour), grace: .seconds(day))

    private static let hour = 3600
    private static let day = 86_400
}

/// A document as the cache gives it out.
package struct CachedValue: Sendable, Hashable {
    /// The cache level, or the source, that returned the value.
    package enum Origin: Sendable, Hashable {
        /// The memory of this process.
        case memory
        /// The store that all processes share.
        case store
        /// It was fetched for this answer.
        case source
    }

    package let json: JSON
    /// The time of the request to its source, in milliseconds since 1970.
    package let storedAt: Int64
    package let origin: Origin
    /// Whether its lifetime is over; it is then being fetched again.
    package let isStale: Bool

    /// Whether no source had to be asked.
    package var isHit: Bool { origin != .source }
}

/// Counts of look-ups by outcome.
package struct CacheStatistics: Sendable, Hashable {
    /// The outcome of a look-up.
    package enum Outcome: String, Sendable, Hashable, CaseIterable {
        /// Answered by a document within its lifetime.
        case hit
        /// Answered by one beyond it, which is being fetched again.
        case stale
        /// The source was asked, by this look-up or by one in flight.
        case miss
        /// Nothing could be answered.
        case failure
    }

    package internal(set) var counts: [Outcome: Int] = [:]

    package subscript(outcome: Outcome) -> Int { counts[outcome] ?? 0 }

    mutating func count(_ outcome: Outcome) { counts[outcome, default: 0] += 1 }
}
