package import JobQueue
internal import Synchronization

/// Bounds the cost of one user's calls per day, failed and cancelled calls included.
///
/// A call's highest possible cost is reserved while it runs, so that concurrent calls cannot pass the cap together.
package final class SpendCap: Sendable {
    private let cap: MicroDollars
    private let spentToday: @Sendable (_ user: UserID) async throws -> MicroDollars
    private let reserved = Mutex<[UserID: MicroDollars]>([:])

    /// - Parameters:
    ///   - cap: The highest cost for one user and day.
    ///   - spentToday: The user's recorded spend since midnight UTC.
    package init(_ cap: MicroDollars, spentToday: @escaping @Sendable (_ user: UserID) async throws -> MicroDollars) {
        self.cap = cap
        self.spentToday = spentToday
    }

    /// Reserves an amount until `release`.
    ///
    /// - Throws: `spendCapReached`; `unavailable` when the spend cannot be read, since an unchecked cap is none.
    func reserve(_ amount: MicroDollars, for user: UserID) async throws(ModelError) {
        let spent: MicroDollars
        do {
            spent = try await spentToday(user)
        } catch {
            throw ModelError(Task.isCancelled ? .cancelled : .unavailable)
        }
        let isWithin = reserved.withLock { reserved in
            let sum = spent + reserved[user, default: .zero] + amount
            guard sum <= cap else { return false }
            reserved[user, default: .zero] = reserved[user, default: .zero] + amount
            return true
        }
        guard isWithin else { throw ModelError(.spendCapReached) }
    }

    func release(_ amount: MicroDollars, for user: UserID) {
        reserved.withLock { reserved in
            let rest = reserved[user, default: .zero].rawValue - amount.rawValue
            reserved[user] = rest > 0 ? MicroDollars(rawValue: rest) : nil
        }
    }
}
