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
    enum Sort: String, Hashable, Sendable {
        case streams
        case waitingPolls = "waiting_polls"
        /// Callers of `/api/analyze` and `/v1/interpret`, which the rate limit bounds for each user.
        case callers
    }

    /// The place of one request. It is given back at `release`, or at the latest when nothing refers to it.
    final class Place: Sendable {
        private let owner: Mutex<HeldRequests?>
        private let key: Key

        fileprivate init(_ owner: HeldRequests, _ key: Key) {
            self.owner = Mutex(owner)
            self.key = key
        }

        func release() {
            let owner = owner.withLock { owner in
                defer { owner = nil }
                return owner
            }
            owner?.release(key)
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
    }

    /// Seconds after which a refused client may try again.
    private static let retryAfter = 15

    private let plans: CurrentPlans
    private let limit: Int
    private let state = Mutex(State())

    /// - Parameters:
    ///   - plans: Have the limits of users.
    ///   - limit: The number of places for all users together.
    init(plans: CurrentPlans, limit: Int) {
        self.plans = plans
        self.limit = limit
    }

    /// Takes a place.
    ///
    /// - Throws: `429` when the user has no more, `503` when the service has none.
    func take(_ sort: Sort, for user: UserID) throws(APIError) -> Place {
        let plan = plans.value.standard
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
            guard state.total < limit else { throw Self.full }
            state.counts[key] = count + 1
            state.total += 1
        }
        return Place(self, key)
    }

    /// The number of places that are taken.
    var count: Int { state.withLock { $0.total } }

    private func release(_ key: Key) {
        state.withLock { state in
            state.total -= 1
            let count = state.counts[key, default: 0] - 1
            state.counts[key] = count > 0 ? count : nil
        }
    }

    private static func limitReached(_ sort: Sort, _ limit: Int) -> APIError {
        let noun = sort == .streams ? "event streams" : "waiting requests"
        return APIError(
            429, .limitReached, "The user has \(limit) open \(noun), which is the limit.",
            user: "This is open in too many places. Please close one and try again.", action: "wait",
            details: ["what": JSON(sort.rawValue), "limit": JSON(limit)], retryAfter: retryAfter)
    }

    private static let full = APIError(
        503, .overloaded, "The service holds as many streams and waiting requests as it can.",
        user: "We are busy. Please try again in a moment.", action: "retry", retryAfter: retryAfter)
}
