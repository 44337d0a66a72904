internal import Synchronization

/// Bounds what the calls of one user may cost per day, failed and cancelled ones included.
///
/// A call's highest possible cost is set aside while it runs, so that calls side by side cannot pass the cap together.
package final class SpendCap: Sendable {
    private let cap: MicroDollars
    private let spentToday: @Sendable (_ user: Int64) async throws -> MicroDollars
    private let setAside = Mutex<[Int64: MicroDollars]>([:])

    /// - Parameters:
    ///   - cap: The most for one user and day.
    ///   - spentToday: What the store has recorded for the user since midnight UTC.
    package init(_ cap: MicroDollars, spentToday: @escaping @Sendable (_ user: Int64) async throws -> MicroDollars) {
        self.cap = cap
        self.spentToday = spentToday
    }

    /// Sets an amount aside until `release`.
    ///
    /// - Throws: `spendCapReached`; `unavailable` when what was spent cannot be read, since an unchecked cap is none.
    func reserve(_ amount: MicroDollars, for user: Int64) async throws(ModelError) {
        let spent: MicroDollars
        do {
            spent = try await spentToday(user)
        } catch {
            throw ModelError(Task.isCancelled ? .cancelled : .unavailable)
        }
        let isWithin = setAside.withLock { setAside in
            let sum = spent + setAside[user, default: .zero] + amount
            guard sum <= cap else { return false }
            setAside[user, default: .zero] = setAside[user, default: .zero] + amount
            return true
        }
        guard isWithin else { throw ModelError(.spendCapReached) }
    }

    func release(_ amount: MicroDollars, for user: Int64) {
        setAside.withLock { setAside in
            let rest = setAside[user, default: .zero].rawValue - amount.rawValue
            setAside[user] = rest > 0 ? MicroDollars(rawValue: rest) : nil
        }
    }
}
