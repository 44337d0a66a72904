internal import DossierAPI
internal import JobQueue
internal import JSON
internal import Synchronization

/// Counts the requests that keep a connection while nothing happens: event streams, waiting polls, and callers that
/// wait for the result of their job.
///
/// Each user has a limit of streams and of waiting polls. The limit of all together is below the server's limit of
/// connections, so that there is always room for other requests.
final class HeldRequests: Sendable {
    enum Sort: String, Hashable, Sendable, CaseIterable {
        case streams
        case waitingPolls = "waiting_polls"
        /// Callers of `/api/analyze` and `/v1/interpret`, which the rate limit bounds for each user.
        case callers
    }

    /// The place of one request. It is given back at `release`, or at the latest when nothing refers to it.
    final class Place: Sendable {
        private let owner: Mutex<HeldRequests?>
        private let key: Key

        private let end: Int64

        fileprivate init(_ owner: HeldRequests, _ key: Key, end: Int64) {
            self.owner = Mutex(owner)
            self.key = key
            self.end = end
        }

        func release() {
            let owner = owner.withLock { owner in
                defer { owner = nil }
                return owner
            }
            owner?.release(key, end: end)
        }

        deinit { release() }
    }

    fileprivate struct Key: Hashable {
        var user: UserID
        var sort: Sort
    }

    private struct State {
        var total = 0
        var counts: [Key: Int] = [:]
        /// The numbers of places by the second in which they are given back at the latest.
        var ends: [Int64: Int] = [:]
    }

    /// Seconds after which a client that has all places of its user may try again: it gives one back itself.
    private static let retryAfter = 15
    /// The longest time in seconds after which a client may try again because all places of the service are taken:
    /// clients leave before the end of their streams.
    private static let longestRetry: Int64 = 60

    private let plans: CurrentPlans
    private let limit: Int
    private let now: @Sendable () -> ContinuousClock.Instant
    private let start: ContinuousClock.Instant
    private let state = Mutex(State())

    /// - Parameters:
    ///   - plans: Have the limits of users.
    ///   - limit: The number of places for all users together.
    ///   - now: Reads the time.
    init(
        plans: CurrentPlans, limit: Int,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now }
    ) {
        self.plans = plans
        self.limit = limit
        self.now = now
        start = now()
    }

    /// Takes a place for some time.
    ///
    /// - Throws: `429` when the user has no more, `503` when the service has none.
    func take(_ sort: Sort, for user: UserID, lasting duration: Duration) throws(APIError) -> Place {
        let time = (now() - start).components.seconds
        let end = time + max(duration, .zero).components.seconds
        let plan = plans.plan(of: user)
        let own =
            switch sort {
            case .streams: plan.streams
            case .waitingPolls: plan.waitingPolls
            case .callers: Int?.none
            }
        let key = Key(user: user, sort: sort)
        try state.withLock { state throws(APIError) in
            let count = state.counts[key, default: 0]
            if let own, count >= own { throw Self.limitReached(sort, own) }
            guard state.total < limit else {
                let seconds = (state.ends.keys.min() ?? time) - time
                throw Self.full(limit, retryAfter: Int(min(max(seconds, 1), Self.longestRetry)))
            }
            state.counts[key] = count + 1
            state.ends[end, default: 0] += 1
            state.total += 1
        }
        return Place(self, key, end: end)
    }

    /// The number of places that are taken.
    var count: Int { state.withLock { $0.total } }

    /// The places of all users that are taken, by their sort.
    var counts: [Sort: Int] {
        let counts = state.withLock { $0.counts }
        let none = Dictionary(uniqueKeysWithValues: Sort.allCases.map { ($0, 0) })
        return counts.reduce(into: none) { $0[$1.key.sort, default: 0] += $1.value }
    }

    private func release(_ key: Key, end: Int64) {
        state.withLock { state in
            state.total -= 1
            let sameEnd = state.ends[end, default: 0] - 1
            state.ends[end] = sameEnd > 0 ? sameEnd : nil
            let count = state.counts[key, default: 0] - 1
            state.counts[key] = count > 0 ? count : nil
        }
    }

    private static func limitReached(_ sort: Sort, _ limit: Int) -> APIError {
        let noun = sort == .streams ? "event streams" : "waiting requests"
        var error = APIError(
            429, .limitReached, "The user has \(limit) open \(noun), which is the limit.",
            user: "This is open in too many places. Please close one and try again.", action: "wait",
            details: ["what": JSON(sort.rawValue), "limit": JSON(limit)], retryAfter: retryAfter)
        error.setting = "plans.yaml: \(sort.rawValue)"
        return error
    }

    private static func full(_ limit: Int, retryAfter seconds: Int) -> APIError {
        var error = APIError(
            503, .overloaded, "The service holds \(limit) streams and waiting requests, which is the limit.",
            user: "We are busy. Please try again in a moment.", action: "retry", retryAfter: seconds)
        error.setting = "streams and waiting requests of all users"
        return error
    }
}
