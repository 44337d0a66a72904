public import Foundation

/// A value with its age. Members of the value can be read directly.
@dynamicMemberLookup
public struct Cached<Value: Sendable>: Sendable {
    /// Where a value came from.
    public enum Source: Sendable, Hashable {
        /// The server has just sent it, or has just said that it is unchanged.
        case network
        /// It was stored.
        case cache
    }

    /// What was read.
    public let value: Value
    /// When the server said so.
    public let storedAt: Date
    /// Its age in tiers.
    public let freshness: Freshness
    /// Where it came from.
    public let source: Source
    /// A refresh is under way; ``Dossier/values(of:)`` delivers it.
    public let isRevalidating: Bool

    /// Makes a value with an age, for tests and previews.
    public init(
        value: Value, storedAt: Date, freshness: Freshness, source: Source, isRevalidating: Bool = false
    ) {
        self.value = value
        self.storedAt = storedAt
        self.freshness = freshness
        self.source = source
        self.isRevalidating = isRevalidating
    }

    /// A member of the value.
    public subscript<Member>(dynamicMember member: KeyPath<Value, Member>) -> Member { value[keyPath: member] }

    /// The same, with a refresh under way.
    var revalidating: Cached {
        Cached(value: value, storedAt: storedAt, freshness: freshness, source: source, isRevalidating: true)
    }
}
