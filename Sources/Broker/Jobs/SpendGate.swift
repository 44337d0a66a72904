internal import DossierAPI
internal import JSON
internal import JobQueue
internal import Synchronization

/// Refuses work once the user or the service has spent what it may in a UTC day.
///
/// The sums are read at most once a second for each user; the check before each model call is exact.
final class SpendGate: Sendable {
    private struct Reading {
        var spend: Spend
        var readAt: Timestamp
    }

    /// A job that is about to be submitted.
    struct Work {
        var user: UserID
        /// Whether it counts for the spend without credits.
        var isFree: Bool
        /// Whether other users wait for it, so that the limit of one user does not refuse it.
        var isShared: Bool
        /// The time before which it does not run.
        var runAt: Timestamp?
    }

    private static let lifetime: Duration = .seconds(1)
    private static let capacity = 10_000
    /// The last part of a limit is for the jobs that run; no new work begins in it, whose calls would be refused.
    private static let reserve: Int64 = 20

    private let store: any ModelCallStore
    private let plans: CurrentPlans
    private let now: @Sendable () -> Timestamp
    private let readings = Mutex<[UserID: Reading]>([:])

    init(store: any ModelCallStore, plans: CurrentPlans, now: @escaping @Sendable () -> Timestamp) {
        (self.store, self.plans, self.now) = (store, plans, now)
    }

    /// The time until the service may do work without credits again; `nil` while it may.
    func pause() async throws(StoreError) -> Duration? {
        let spend = try await spend(of: .system)
        let service = plans.value.service
        let isShut =
            Self.isReached(service.freeSpendPerDay, by: spend.free)
            || Self.isReached(service.spendPerDay, by: spend.service)
        return isShut ? max(.seconds(1), spend.dayEnd - now()) : nil
    }

    /// The reason why a job cannot be paid today; `nil` when it can.
    func refusal(of work: Work) async throws(StoreError) -> APIError? {
        let spend = try await spend(of: work.user)
        if let runAt = work.runAt, runAt >= spend.dayEnd { return nil }
        let plans = plans.value
        let pause = max(.seconds(1), spend.dayEnd - now())
        if Self.isReached(plans.service.spendPerDay, by: spend.service) {
            return .serviceSpendLimit(plans.service.spendPerDay, isFree: false, retryAfter: pause)
        }
        if work.isFree, Self.isReached(plans.service.freeSpendPerDay, by: spend.free) {
            return .serviceSpendLimit(plans.service.freeSpendPerDay, isFree: true, retryAfter: pause)
        }
        let plan = self.plans.plan(of: work.user)
        if !work.isShared, Self.isReached(plan.spendPerDay, by: spend.user) {
            return .userSpendLimit(plan.spendPerDay, retryAfter: pause)
        }
        return nil
    }

    private static func isReached(_ limit: Int64, by sum: Int64) -> Bool { sum >= limit - limit / reserve }

    private func spend(of user: UserID) async throws(StoreError) -> Spend {
        let start = now()
        if let reading = readings.withLock({ $0[user] }), start - reading.readAt < Self.lifetime,
            start < reading.spend.dayEnd
        {
            return reading.spend
        }
        let spend = try await store.spend(of: user)
        readings.withLock { readings in
            if readings.count >= Self.capacity { readings = [:] }
            readings[user] = Reading(spend: spend, readAt: start)
        }
        return spend
    }
}

extension APIError {
    fileprivate static func serviceSpendLimit(_ limit: Int64, isFree: Bool, retryAfter pause: Duration) -> APIError {
        let work = isFree ? "work without credits" : "the work of all users"
        let key = isFree ? "free_spend_dollars_per_day" : "spend_dollars_per_day"
        var error = APIError(
            503, .serviceSpendLimitReached,
            "The service spends at most \(dollars(limit)) a day on \(work), and has reached that.",
            user: "Our service has reached today's limit. Please try again tomorrow.", action: "wait",
            details: ["what": JSON(key)], retryAfter: pause.roundedUpSeconds)
        error.setting = "plans.yaml: service.\(key)"
        return error
    }

    fileprivate static func userSpendLimit(_ limit: Int64, retryAfter pause: Duration) -> APIError {
        var error = APIError(
            403, .spendLimitReached,
            "A user's jobs may cost at most \(dollars(limit)) a day, and have reached that.",
            user: "You have reached today's limit. Please try again tomorrow.", action: "wait",
            details: ["what": "spend_dollars_per_day"], retryAfter: pause.roundedUpSeconds)
        error.setting = "plans.yaml: spend_dollars_per_day"
        return error
    }

    /// `$5`, `$0.0025`
    private static func dollars(_ micros: Int64) -> String {
        let fraction = String(String(micros % 1_000_000 + 1_000_000).dropFirst())
        guard let last = fraction.lastIndex(where: { $0 != "0" }) else { return "$\(micros / 1_000_000)" }
        return "$\(micros / 1_000_000).\(fraction[...last])"
    }
}
