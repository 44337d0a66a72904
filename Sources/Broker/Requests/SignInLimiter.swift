internal import HTTP
internal import HTTPServer
internal import JobQueue
internal import Synchronization

/// Limits the requests for tokens from each client address, before anything of them but the head is read.
///
/// Each broker counts by itself, in whole minutes.
final class SignInLimiter: Sendable {
    private struct State {
        var minute: Int64 = 0
        var counts: [String: Int] = [:]
    }

    /// Requests a minute and address.
    static let limit = 60
    /// The number of addresses that are counted; at one more all begin anew.
    private static let capacity = 100_000

    private let plans: CurrentPlans
    private let now: @Sendable () -> Timestamp
    private let state = Mutex(State())

    /// - Parameters:
    ///   - plans: No limit of requests there means no limit here.
    ///   - now: The clock of the minutes.
    init(plans: CurrentPlans, now: @escaping @Sendable () -> Timestamp) {
        self.plans = plans
        self.now = now
    }

    /// Counts a request.
    ///
    /// - Throws: `429` above the limit.
    func count(_ address: String) throws(APIError) {
        guard plans.value.standard.requestsPerMinute != nil else { return }
        // One client has all addresses of its network.
        let address = IPAddress(address)?.network.description ?? address
        let timestamp = now().milliseconds
        let minute = timestamp / 60_000
        let isAllowed = state.withLock { state in
            if state.minute != minute || state.counts.count >= Self.capacity { state = State(minute: minute) }
            guard state.counts[address, default: 0] < Self.limit else { return false }
            state.counts[address, default: 0] += 1
            return true
        }
        if !isAllowed { throw .rateLimited(retryAfter: max(1, Int(((minute + 1) * 60_000 - timestamp + 999) / 1000))) }
    }
}
