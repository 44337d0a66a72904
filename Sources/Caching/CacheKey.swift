internal import Digest

/// Names one document of the cache.
public struct CacheKey: Sendable, Hashable {
    /// Longer names stand as their digest: the store takes keys of at most 512 bytes.
    private static let longestName = 300

    public let policy: CachePolicy
    /// The key in the store: `quote:AAPL`.
    public let text: String

    /// - Parameters:
    ///   - policy: Of which kind the document is.
    ///   - name: What tells it from others of its kind; may be of any length and hold any text.
    public init(_ policy: CachePolicy, _ name: String) {
        self.policy = policy
        let isPlain = name.utf8.count <= Self.longestName && !name.utf8.contains(0)
        text = policy.kind + ":" + (isPlain ? name : "sha256:" + SHA256.hex(name))
    }
}
