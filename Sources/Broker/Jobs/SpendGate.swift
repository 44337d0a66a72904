internal import DossierAPI
internal import JobQueue
internal import Synchronization

/// Refuses work without credits once the service has spent what it may in a UTC day, on such work or on all.
///
/// The sums are read at most once a second; the check before each model call is exact.
final class SpendGate: Sendable {
    private struct Reading {
        var spend: Spend
        var readAt: Timestamp
    }

    private static let lifetime: Duration = .seconds(1)
    /// What is left of a limit and is less than this part of it suffices for no call.
    private static let remainder: Int64 = 100

    private let store: any ModelCallStore
    private let plans: CurrentPlans
    private let now: @Sendable () -> Timestamp
    private let reading = Mutex<Reading?>(nil)

    init(store: any ModelCallStore, plans: CurrentPlans, now: @escaping @Sendable () -> Timestamp) {
        (self.store, self.plans, self.now) = (store, plans, now)
    }

    /// The time until the service may do work without credits again; `nil` while it may.
    func pause() async throws(StoreError) -> Duration? {
        let spend = try await spend()
        let service = plans.value.service
        let isShut = [(spend.free, service.freeSpendPerDay), (spend.service, service.spendPerDay)].contains {
            sum, highest in sum >= highest - highest / Self.remainder
        }
        return isShut ? max(.seconds(1), spend.dayEnd - now()) : nil
    }

    /// - Throws: The refusal of a submit.
    func check() async throws(APIError) {
        let pause: Duration?
        do {
            pause = try await self.pause()
        } catch {
            throw APIError(error)
        }
        if let pause { throw .serviceSpendLimit(retryAfter: pause) }
    }

    private func spend() async throws(StoreError) -> Spend {
        let start = now()
        if let reading = reading.withLock(\.self), start - reading.readAt < Self.lifetime, start < reading.spend.dayEnd
        {
            return reading.spend
        }
        let spend = try await store.spend(of: .system)
        reading.withLock { $0 = Reading(spend: spend, readAt: start) }
        return spend
    }
}

extension APIError {
    static func serviceSpendLimit(retryAfter pause: Duration) -> APIError {
        APIError(
            503, .serviceSpendLimitReached, "The day's spend of the service on work without credits is used up.",
            user: "Our service has reached today's limit. Please try again tomorrow.", action: "wait",
            retryAfter: Int(pause.components.seconds) + 1)
    }
}
