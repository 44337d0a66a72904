package import JSON

/// A document as the cache gives it out.
package struct CachedValue: Sendable, Hashable {
    /// Where it came from.
    package enum Origin: Sendable, Hashable {
        /// The memory of this process.
        case memory
        /// The store that all processes share.
        case store
        /// It was fetched for this answer.
        case source
    }

    package let json: JSON
    /// When it was asked for at its source, in milliseconds since 1970.
    package let storedAt: Int64
    package let origin: Origin
    /// Whether its lifetime is over; it is then being fetched again.
    package let isStale: Bool

    /// Whether no source had to be asked.
    package var isHit: Bool { origin != .source }
}
