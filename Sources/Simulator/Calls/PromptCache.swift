internal import Synchronization

/// Remembers which prefixes were sent before, so that usage shows a write the first time and a read from then on.
final class PromptCache: Sendable {
    private let seen = Mutex<(known: Set<String>, order: [String])>(([], []))
    private static let capacity = 10_000

    func account(for prefix: ModelCall.CacheablePrefix?, in usage: inout Reply.Usage) {
        guard let prefix, prefix.tokens > 0 else { return }
        let cached = min(prefix.tokens, usage.input)
        usage.input -= cached
        if remember(prefix.digest) {
            usage.cacheWrite = cached
            usage.cacheWriteLastsAnHour = prefix.lastsAnHour
        } else {
            usage.cacheRead = cached
        }
    }

    func clear() { seen.withLock { $0 = ([], []) } }

    /// Whether the prefix is new.
    private func remember(_ digest: String) -> Bool {
        seen.withLock { seen in
            guard seen.known.insert(digest).inserted else { return false }
            seen.order.append(digest)
            if seen.order.count > Self.capacity { seen.known.remove(seen.order.removeFirst()) }
            return true
        }
    }
}
