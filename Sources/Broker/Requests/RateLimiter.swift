internal import JobQueue
internal import Synchronization

/// Limits a user's requests per minute, together with all other brokers.
///
/// Each broker counts its own requests and exchanges counts with the others through the store every second. Between two
/// exchanges it sees only its own new requests. From n brokers together a user therefore gets the limit plus, at most,
/// the requests that arrive within a second and one exchange, and never more than n times the limit.
///
/// Reads of jobs have a larger limit of their own, so that polling every three seconds never reaches it.
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

        var refusal: APIError {
            .rateLimited(
                limit, "A user may send", setting: "plans.yaml: requests_per_minute", retryAfter: retryAfter)
        }

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
        /// Requests that this broker allowed.
        var own = 0
        /// The part of `own` that the store has.
        var published = 0
        /// Requests that other brokers allowed, as of the last exchange.
        var others = 0
    }

    private struct State {
        var window: Int64 = 0
        var tallies: [Key: Tally] = [:]
    }

    /// The limit of job reads as a multiple of the general limit.
    private static let jobReadFactor = 20
    /// In milliseconds.
    private static let windowLength: Int64 = 60_000
    /// The number of counts in one exchange.
    private static let batchSize = 500
    static let interval: Duration = .seconds(1)

    private let plans: CurrentPlans
    private let records: any RateCountRepository
    /// The name of this broker among all.
    private let broker: String
    private let now: @Sendable () -> Timestamp
    private let state = Mutex(State())

    /// - Parameters:
    ///   - plans: Have the requests per minute and user.
    ///   - records: Holds the counts of all brokers.
    ///   - now: The clock of the minutes.
    init(plans: CurrentPlans, records: any RateCountRepository, now: @escaping @Sendable () -> Timestamp) {
        self.plans = plans
        self.records = records
        self.now = now
        broker = String(UInt64.random(in: .min ... .max), radix: 36)
    }

    /// The general limit of the default plan.
    var requestsPerMinute: Int? { plans.value.standard.requestsPerMinute }

    /// Counts one request; `nil` without a limit. A refused request does not count.
    func count(_ user: UserID, _ bucket: Bucket) -> Decision? {
        guard let limit = plans.plan(of: user).requestsPerMinute else { return nil }
        let allowance = bucket == .jobReads ? limit * Self.jobReadFactor : limit
        let timestamp = now().milliseconds
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

    /// Forgets the counts of a user, so that they are not stored again.
    func forget(_ user: UserID) {
        state.withLock { state in
            for key in state.tallies.keys where key.user == user { state.tallies[key] = nil }
        }
    }

    // MARK: Exchange with other brokers

    /// Exchanges counts every second until the task is cancelled.
    func run() async {
        while (try? await Task.sleep(for: Self.interval)) != nil {
            if plans.value.standard.requestsPerMinute != nil { await exchange() }
        }
    }

    /// Publishes the counts that have changed since the last exchange, and reads the other brokers' counts of the same
    /// users. After a failure the next exchange publishes them.
    func exchange() async {
        let (window, counts) = state.withLock { state in
            (
                state.window,
                state.tallies.compactMap { key, tally in
                    tally.own > tally.published
                        ? RateCount(user: key.user, bucket: key.bucket.rawValue, count: tally.own) : nil
                }
            )
        }
        var rest = counts[...]
        while !rest.isEmpty {
            let batch = Array(rest.prefix(Self.batchSize))
            rest = rest.dropFirst(batch.count)
            guard let others = try? await records.exchange(batch, of: broker, minute: window) else { return }
            state.withLock { state in
                guard state.window == window else { return }
                for count in batch { Self.change(count, in: &state) { $0.published = max($0.published, count.count) } }
                for count in others { Self.change(count, in: &state) { $0.others = count.count } }
            }
        }
    }

    private static func change(_ count: RateCount, in state: inout State, _ change: (inout Tally) -> Void) {
        guard let bucket = Bucket(rawValue: count.bucket) else { return }
        change(&state.tallies[Key(user: count.user, bucket: bucket), default: Tally()])
    }
}
