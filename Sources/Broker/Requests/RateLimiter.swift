internal import JobQueue
internal import Synchronization

/// Counts a user's requests in windows of a minute, together with all other brokers.
///
/// Each broker counts by itself and tells the others through the store every second. In between it knows only its own
/// requests of the last second: of n brokers together a user gets the allowance and, at most, what the n brokers were sent
/// within a second and the time of an exchange, never more than n allowances.
///
/// Reads of jobs have a larger allowance of their own, so that polling every three seconds never meets the limit.
final class RateLimiter: Sendable {
    enum Bucket: String, Hashable, Sendable {
        case general
        case jobReads = "job_reads"
    }

    struct Decision {
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

    private struct Tally {
        /// Requests that this broker let through.
        var own = 0
        /// How many of them the others have been told of.
        var told = 0
        /// What the others let through, as far as they have told.
        var others = 0
    }

    private struct State {
        var window: Int64 = 0
        var tallies: [Key: Tally] = [:]
    }

    /// How many times the general limit a user may read jobs.
    private static let jobReadFactor = 20
    private static let windowLength: Int64 = 60_000
    /// How many users an exchange speaks of at once.
    private static let portion = 500
    static let interval: Duration = .seconds(1)

    private let limit: Int
    private let records: any RateCountRepository
    /// Names this broker among all.
    private let broker: String
    private let now: @Sendable () -> Int64
    private let state = Mutex(State())

    /// - Parameters:
    ///   - limit: Requests a minute and user; 0 for no limit.
    ///   - records: Where brokers tell each other what they counted.
    ///   - now: Milliseconds since 1970.
    init(limit: Int, records: any RateCountRepository, now: @escaping @Sendable () -> Int64) {
        self.limit = limit
        self.records = records
        self.now = now
        broker = String(UInt64.random(in: .min ... .max), radix: 36)
    }

    /// Counts one request; `nil` when there is no limit. A request that is refused does not count.
    func count(_ user: UserID, _ bucket: Bucket) -> Decision? {
        guard limit > 0 else { return nil }
        let allowance = bucket == .jobReads ? limit * Self.jobReadFactor : limit
        let timestamp = now()
        let window = timestamp / Self.windowLength
        let (isAllowed, used) = state.withLock { state in
            if state.window != window { state = State(window: window) }
            return Self.take(&state.tallies[Key(user: user, bucket: bucket), default: Tally()], allowance)
        }
        let end = (window + 1) * Self.windowLength
        return Decision(
            isAllowed: isAllowed, limit: allowance, remaining: max(0, allowance - used), reset: end / 1000,
            retryAfter: max(1, Int((end - timestamp + 999) / 1000)))
    }

    private static func take(_ tally: inout Tally, _ allowance: Int) -> (isAllowed: Bool, used: Int) {
        let isAllowed = tally.own + tally.others < allowance
        if isAllowed { tally.own += 1 }
        return (isAllowed, tally.own + tally.others)
    }

    // MARK: Together with others

    /// Tells the others and hears of them every second, until the task is cancelled.
    func run() async {
        guard limit > 0 else { return }
        while (try? await Task.sleep(for: Self.interval)) != nil { await exchange() }
    }

    /// Tells the others of what was counted since the last time, and takes over what they have counted of the same
    /// users. What cannot be told now is told the next time.
    func exchange() async {
        let (window, counts) = state.withLock { state in
            (
                state.window,
                state.tallies.compactMap { key, tally in
                    tally.own > tally.told
                        ? RateCount(user: key.user.rawValue, bucket: key.bucket.rawValue, count: tally.own) : nil
                }
            )
        }
        var rest = counts[...]
        while !rest.isEmpty {
            let portion = Array(rest.prefix(Self.portion))
            rest = rest.dropFirst(portion.count)
            guard let others = try? await records.exchange(portion, of: broker, minute: window) else { return }
            state.withLock { state in
                guard state.window == window else { return }
                for count in portion { Self.change(count, in: &state) { $0.told = max($0.told, count.count) } }
                for count in others { Self.change(count, in: &state) { $0.others = count.count } }
            }
        }
    }

    private static func change(_ count: RateCount, in state: inout State, _ change: (inout Tally) -> Void) {
        guard let bucket = Bucket(rawValue: count.bucket) else { return }
        change(&state.tallies[Key(user: UserID(rawValue: count.user), bucket: bucket), default: Tally()])
    }
}
