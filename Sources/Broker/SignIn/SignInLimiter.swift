internal import HTTP
internal import HTTPServer
internal import JobQueue

/// Limits the requests for tokens from each client address, before anything of them but the head is read.
///
/// Each broker counts by itself, in whole minutes.
final class SignInLimiter: Sendable {
    /// Requests a minute and address.
    static let limit = 60
    /// The number of addresses that are counted; at one more all begin anew.
    private static let capacity = 100_000

    private let plans: CurrentPlans
    private let requests: MinuteCounter<String>
    private let now: @Sendable () -> Timestamp

    /// - Parameters:
    ///   - plans: No limit of requests there means no limit here.
    ///   - now: The clock of the minutes.
    init(plans: CurrentPlans, now: @escaping @Sendable () -> Timestamp) {
        (self.plans, self.now) = (plans, now)
        requests = MinuteCounter(capacity: Self.capacity, now: now)
    }

    /// Counts a request.
    ///
    /// - Throws: `429` above the limit.
    func count(_ address: String) throws(APIError) {
        guard plans.value.standard.requestsPerMinute != nil else { return }
        // One client has all addresses of its network.
        let address = IPAddress(address)?.network.description ?? address
        guard let refusal = requests.count([(address, Self.limit)]) else { return }
        let wait = refusal.pause.roundedUpSeconds
        var error = APIError.rateLimited(
            refusal.limit, "One address may send for tokens", setting: "sign-ins of one address", retryAfter: wait)
        let reset = now().milliseconds / 1000 + Int64(wait)
        error.headers = [
            ("X-RateLimit-Limit", String(refusal.limit)), ("X-RateLimit-Remaining", "0"),
            ("X-RateLimit-Reset", String(reset)),
        ]
        throw error
    }
}
