/// How old a cached value is, in four tiers.
public enum Freshness: String, Codable, Sendable, Comparable, CaseIterable {
    /// Used as it is.
    case fresh
    /// Used, and refreshed in the background.
    case warm
    /// Used with a warning, and refreshed in the background.
    case stale
    /// Too old: read anew before it is used; shown only when that fails.
    case critical

    private var rank: Int {
        switch self {
        case .fresh: 0
        case .warm: 1
        case .stale: 2
        case .critical: 3
        }
    }

    /// Fresher tiers come first.
    public static func < (first: Freshness, second: Freshness) -> Bool { first.rank < second.rank }
}

/// The ages at which the tiers begin.
///
/// ```swift
/// let policy = FreshnessPolicy(lifetime: .seconds(60))
/// let tier = policy.freshness(atAge: .seconds(90))  // warm
/// ```
public struct FreshnessPolicy: Codable, Hashable, Sendable {
    /// Ages below this are fresh.
    public let fresh: Duration
    /// Ages below this are warm.
    public let warm: Duration
    /// Ages below this are stale; from here on they are critical.
    public let stale: Duration

    /// Sets the three ages.
    public init(fresh: Duration, warm: Duration, stale: Duration) {
        self.fresh = fresh
        self.warm = warm
        self.stale = stale
    }

    /// Fresh for the lifetime, warm for six times, stale for 72 times as long: the proportions of ``standard``.
    public init(lifetime: Duration) { self.init(fresh: lifetime, warm: lifetime * 6, stale: lifetime * 72) }

    /// 5 minutes, 30 minutes, 6 hours.
    public static let standard = FreshnessPolicy(fresh: .seconds(300), warm: .seconds(1800), stale: .seconds(21_600))
    /// Always critical: read each time and never stored.
    public static let never = FreshnessPolicy(fresh: .zero, warm: .zero, stale: .zero)

    /// A tier begins at its age: exactly 5 minutes are warm. A negative age (the clock was set back) is critical.
    public func freshness(atAge age: Duration) -> Freshness {
        if age < .zero { return .critical }
        return age < fresh ? .fresh : age < warm ? .warm : age < stale ? .stale : .critical
    }
}

/// When the cache is asked and when the network.
public enum CachePolicy: Sendable, Hashable {
    /// By tier: fresh from the cache; warm and stale from the cache with a refresh in the background; critical from
    /// the network, or from the cache when the network fails.
    case cacheFirst
    /// From the network; from the cache, whatever its age, when there is no answer. A refusal is thrown.
    case networkFirst
    /// ``DossierError/Code/notCached`` when there is nothing.
    case cacheOnly
    /// Stored all the same.
    case networkOnly
    /// From the cache up to this age, refreshed in the background unless fresh; else from the network.
    case staleWhileRevalidate(maximumAge: Duration)
}
