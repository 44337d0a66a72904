internal import JobQueue
internal import Observability
internal import Synchronization

/// Grants users the credits that their plans give in each month.
///
/// A look at credits and a submit begin the month of their user first. The months of all others begin within minutes.
/// Each begins once, however many brokers there are.
final class MonthlyGrants: Sendable {
    private struct Begun {
        var month: CalendarMonth
        var credits: Int
    }

    /// A pass over all users, which need not be repeated while neither changes.
    private struct Pass: Equatable {
        var month: CalendarMonth
        var plans: Plans
    }

    private static let interval: Duration = .seconds(60)
    private static let capacity = 100_000

    private let records: any MonthlyCreditRepository
    private let plans: CurrentPlans
    private let now: @Sendable () -> Timestamp
    private let logger: Logger
    private let begun = Mutex<[UserID: Begun]>([:])
    /// Whether plan credits of users are known to be there. Without any, and without plans that give some, no look at
    /// credits asks the database.
    private let areKept = Atomic(false)

    init(
        records: any MonthlyCreditRepository, plans: CurrentPlans, now: @escaping @Sendable () -> Timestamp,
        logger: Logger
    ) {
        (self.records, self.plans, self.now, self.logger) = (records, plans, now, logger)
    }

    /// Begins the present month of a user, or adds the credits that an upgrade brings.
    func begin(for user: UserID) async throws(StoreError) {
        guard user != .system, areKept.load(ordering: .relaxed) || plans.value.largestMonthlyCredits > 0 else { return }
        let month = CalendarMonth(of: now())
        let plan = plans.plan(of: user)
        if let known = begun.withLock({ $0[user] }), known.month >= month, known.credits >= plan.monthlyCredits {
            return
        }
        _ = try await records.begin(MonthlyGrant(plan, to: user, month: month.description))
        begun.withLock { begun in
            if begun.count >= Self.capacity { begun = [:] }
            begun[user] = Begun(month: month, credits: plan.monthlyCredits)
        }
    }

    /// Looks every minute whether a month has begun, until the task is cancelled.
    func run() async {
        var last: Pass?
        repeat {
            let pass = Pass(month: CalendarMonth(of: now()), plans: plans.value)
            guard pass != last else { continue }
            do {
                try await beginAll(pass.month)
                last = pass
            } catch {
                logger.warning("the credits of the month were not granted", ["reason": .string("\(error)")])
            }
        } while (try? await Task.sleep(for: Self.interval)) != nil
    }

    /// Begins a month for all users for whom it is due.
    func beginAll(_ month: CalendarMonth) async throws(StoreError) {
        if try await records.hasMonthlyCredits() { areKept.store(true, ordering: .relaxed) }
        let change = try await MonthlySweep(records, plans: plans.value).begin(month)
        guard change != MonthlyChange() else { return }
        areKept.store(true, ordering: .relaxed)
        logger.info(
            "the credits of the month were granted",
            [
                "month": .string(month.description), "granted": .integer(Int64(change.granted)),
                "expired": .integer(Int64(change.expired)),
            ])
    }
}
