internal import JobQueue
internal import Synchronization

/// Counts a user's requests in windows of a minute.
///
/// Reads of jobs have a larger allowance of their own, so that polling every three seconds never meets the limit.
final class RateLimiter: Sendable {
    enum Bucket: Hashable { case general, jobReads }

    struct Verdict {
        var isAllowed: Bool
        var limit: Int
        var remaining: Int
        /// Unix seconds at which the window ends.
        var reset: Int64
        /// Whole seconds until then, at least 1.
        var retryAfter: Int

        var headers: [(String, String)] {
            [
                ("X-RateLimit-Limit", String(limit)), ("X-RateLimit-Remaining", String(remaining)),
                ("X-RateLimit-Reset", String(reset)),
            ]
        }
    }

    private struct Key: Hashable {
        var user: UserID
        var bucket: Bucket
    }

    private struct State {
        var window: Int64 = 0
        var counts: [Key: Int] = [:]
    }

    /// How many times the general limit a user may read jobs.
    private static let jobReadFactor = 20
    private static let windowLength: Int64 = 60_000

    private let limit: Int
    private let now: @Sendable () -> Int64
    private let state = Mutex(State())

    /// - Parameters:
    ///   - limit: Requests a minute and user; 0 for no limit.
    ///   - now: Milliseconds since 1970.
    init(limit: Int, now: @escaping @Sendable () -> Int64) {
        self.limit = limit
        self.now = now
    }

    /// Counts one request; `nil` when there is no limit.
    func count(_ user: UserID, _ bucket: Bucket) -> Verdict? {
        guard limit > 0 else { return nil }
        let allowance = bucket == .jobReads ? limit * Self.jobReadFactor : limit
        let moment = now()
        let window = moment / Self.windowLength
        let used = state.withLock { state in
            if state.window != window { state = State(window: window) }
            let key = Key(user: user, bucket: bucket)
            let add: (inout Int) -> Int = { count in
                count += 1
                return count
            }
            return add(&state.counts[key, default: 0])
        }
        let end = (window + 1) * Self.windowLength
        return Verdict(
            isAllowed: used <= allowance, limit: allowance, remaining: max(0, allowance - used), reset: end / 1000,
            retryAfter: max(1, Int((end - moment + 999) / 1000)))
    }
}
