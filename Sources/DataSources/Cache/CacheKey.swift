internal import Basics

/// Names one document of the cache.
package struct CacheKey: Sendable, Hashable {
    /// Longer names stand as their digest: the store takes keys of at most 512 bytes.
    private static let longestName = 300

    package let policy: CachePolicy
    /// The key in the store: `quote:AAPL`.
    package let text: String

    /// - Parameters:
    ///   - policy: Of which kind the document is.
    ///   - name: What tells it from others of its kind; may be of any length and hold any text.
    package init(_ policy: CachePolicy, _ name: String) {
        self.policy = policy
        let isPlain = name.utf8.count <= Self.longestName && !name.utf8.contains(0)
        text = policy.kind + ":" + (isPlain ? name : "sha256:" + SHA256.hex(name))
    }
}
