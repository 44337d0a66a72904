public import JSON

/// A document as the cache gives it out.
public struct CachedValue: Sendable, Hashable {
    /// Where it came from.
    public enum Origin: Sendable, Hashable {
        /// The memory of this process.
        case memory
        /// The store that all processes share.
        case store
        /// It was fetched for this answer.
        case source
    }

    public let json: JSON
    /// When it was asked for at its source, in milliseconds since 1970.
    public let storedAt: Int64
    public let origin: Origin
    /// Whether its lifetime is over; it is then being fetched again.
    public let isStale: Bool

    /// Whether no source had to be asked.
    public var isHit: Bool { origin != .source }
}
