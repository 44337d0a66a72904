package import JobQueue
import SQLSupport

extension SQLiteStore {
    package func begin(
        _ call: ModelCall, under lease: Lease, limits: SpendLimits
    ) async throws(StoreError) -> SpendVerdict {
        try Texts.rejectNUL(in: [.recordModelCall(call)])
        return try await writer.perform { transaction in try transaction.begin(call, under: lease, limits: limits) }
    }

    package func correct(_ calls: [ModelCall]) async throws(StoreError) {
        guard !calls.isEmpty else { return }
        try await writer.perform { transaction in try transaction.correct(calls) }
    }

    package func settle(_ calls: [ModelCall], of lease: Lease) async throws(StoreError) {
        try Texts.rejectNUL(in: calls.map { .recordModelCall($0) })
        guard !calls.isEmpty else { return }
        try await writer.perform { transaction in try transaction.settle(calls, of: lease) }
    }

    package func closeAbandonedCalls(limit: Int) async throws(StoreError) -> Int {
        try await writer.perform { transaction in
            let database = transaction.database
            let oldest = transaction.now.day - SpendDay.kept
            try database.run(.userSpendForget, .integer(oldest))
            try database.run(.serviceSpendForget, .integer(oldest))
            return try transaction.closeAbandonedCalls(limit: limit)
        }
    }

    package func spend(of user: UserID) async throws(StoreError) -> Spend {
        let now = try await now()
        return try await readers.perform { database in try database.spend(of: user, on: now.day) }
    }

    package func callsOfLastHour() async throws(StoreError) -> CallSum {
        let since = try await now() - .seconds(3600)
        let sum = try await readers.perform { database in
            try database.first(.callsOfLastHour, .timestamp(since)) { $0.callSum() }
        }
        return sum ?? CallSum(calls: 0, microDollars: 0)
    }

    package func modelSpend(of user: UserID, since timestamp: Timestamp) async throws(StoreError) -> Int64 {
        let spent = try await readers.perform { database in
            try database.first(.modelSpend, .user(user), .timestamp(timestamp)) { $0.integer() }
        }
        return spent ?? 0
    }

    package func modelCosts(
        by grouping: CostGrouping, since start: Timestamp, until end: Timestamp?
    ) async throws(StoreError) -> [CostLine] {
        try await readers.perform { database in
            try database.all(
                .modelCosts, .timestamp(start), .text(grouping.rawValue),
                .timestamp(end ?? Timestamp(milliseconds: .max))
            ) { row in
                CostLine(
                    group: grouping == .job ? row.jobID().description : row.text(), calls: row.integer(),
                    inputTokens: row.integer(), outputTokens: row.integer(), microDollars: row.integer(),
                    failedMicroDollars: row.integer(), cancelledMicroDollars: row.integer(),
                    cacheReadTokens: row.integer(), markedCalls: row.integer(), savedByCache: row.integer(),
                    savedByBatch: row.integer(), simulatedCalls: row.integer())
            }
        }
    }
}

/// The days by which spend is summed.
private enum SpendDay {
    static let milliseconds: Int64 = 86_400_000
    /// The days for which sums are kept; the calls themselves stay.
    static let kept: Int64 = 7
}

extension Timestamp {
    /// The UTC day, counted from 1970.
    fileprivate var day: Int64 { milliseconds / SpendDay.milliseconds }
}

extension SQLiteConnection {
    fileprivate func spend(of user: UserID, on day: Int64) throws -> Spend {
        let ofUser = try first(.userSpendGet, .integer(day), .user(user)) { $0.integer() }
        let ofService = try first(.serviceSpendGet, .integer(day)) { (all: $0.integer(), free: $0.integer()) }
        return Spend(
            user: ofUser ?? 0, service: ofService?.all ?? 0, free: ofService?.free ?? 0,
            dayEnd: Timestamp(milliseconds: (day + 1) * SpendDay.milliseconds))
    }
}

extension WriteTransaction {
    /// The properties of a call's job that its row has, too.
    private struct Billing {
        var user: UserID
        var kind: String
        /// Whether the job has no credits.
        var isFree: Bool
        var epoch: Int64
        var isRunning: Bool

        init(_ row: inout SQLiteRow) {
            user = row.user()
            kind = row.text()
            isFree = row.flag()
            epoch = row.integer()
            isRunning = row.flag()
        }
    }

    /// The properties of a call's row that the sums of a day depend on.
    private struct Booking {
        var user: UserID
        var isFree: Bool
        var createdAt: Timestamp
        var cost: Int64

        init(_ row: inout SQLiteRow) {
            user = row.user()
            isFree = row.flag()
            createdAt = row.timestamp()
            cost = row.integer()
        }
    }

    func begin(_ call: ModelCall, under lease: Lease, limits: SpendLimits) throws -> SpendVerdict {
        guard let billing = try database.first(.jobBilledUser, .id(lease.job), read: { Billing(&$0) }),
            billing.isRunning, billing.epoch == lease.epoch
        else { throw StoreError.leaseLost }
        let now = now
        let spend = try database.spend(of: billing.user, on: now.day)
        if try database.first(.modelCallGet, .text(call.id), read: { $0.integer() }) != nil { return .booked(spend) }
        if let limit = limits.exceeded(by: call.costMicroDollars, after: spend, isFree: billing.isFree) {
            return .refused(limit, spend)
        }
        guard try holdsHedge(call, limits) else { return .hedgeRefused }
        try insert(call, of: lease, billing, at: now)
        try add(call.costMicroDollars, to: billing.user, isFree: billing.isFree, on: now.day)
        return .booked(try database.spend(of: billing.user, on: now.day))
    }

    /// Whether the budget of hedges holds a call; `true` for one that is none.
    private func holdsHedge(_ call: ModelCall, _ limits: SpendLimits) throws -> Bool {
        guard let first = call.hedgeOf, let budget = limits.hedges else { return true }
        let other = try database.first(.modelCallGet, .text(first)) { Booking(&$0).cost } ?? 0
        let used = try database.first(.hedgesUsed, .timestamp(now - .seconds(3600))) { $0.callSum() }
        return budget.allows(
            max(call.costMicroDollars, other), after: used ?? CallSum(calls: 0, microDollars: 0))
    }

    /// Books the ends of calls, whoever owns their job by now. A row takes a better knowledge and keeps it.
    func settle(_ calls: [ModelCall], of lease: Lease) throws {
        for call in calls {
            let booked = try database.first(.modelCallGet, .text(call.id)) { Booking(&$0) }
            let now = now
            if let booked {
                try database.run(
                    .modelCallSettle, .text(call.id), .text(call.state.rawValue), .integer(call.certainty.rawValue),
                    .integer(call.inputTokens), .integer(call.outputTokens), .integer(call.cacheReadTokens),
                    .integer(call.cacheWriteTokens), .integer(call.costMicroDollars), .timestamp(now),
                    .integer(call.cacheWrite1hTokens), .text(call.details.prompt),
                    .integer(call.details.listMicroDollars), .integer(call.details.writeMicroDollars),
                    .integer(call.details.isInteractive), .integer(call.details.waited?.wholeMilliseconds),
                    .integer(call.details.firstByte?.wholeMilliseconds),
                    .integer(call.details.firstContent?.wholeMilliseconds),
                    .integer(call.details.longestGap?.wholeMilliseconds), .text(call.details.marks?.text),
                    .integer(call.details.isSimulated), .text(call.details.errorCode),
                    .text(call.details.errorMessage), .text(call.details.providerRequestID))
                guard database.changes > 0 else { continue }
                try add(call.costMicroDollars - booked.cost, to: booked)
            } else if let billing = try database.first(.jobBilledUser, .id(lease.job), read: { Billing(&$0) }) {
                try insert(call, of: lease, billing, at: now)
                try add(call.costMicroDollars, to: billing.user, isFree: billing.isFree, on: now.day)
            }
        }
    }

    fileprivate func correct(_ calls: [ModelCall]) throws {
        for call in calls {
            guard let booked = try database.first(.modelCallGet, .text(call.id), read: { Booking(&$0) }) else {
                continue
            }
            try database.run(
                .modelCallCorrect, .text(call.id), .integer(call.certainty.rawValue), .integer(call.inputTokens),
                .integer(call.outputTokens), .integer(call.cacheReadTokens), .integer(call.cacheWriteTokens),
                .integer(call.costMicroDollars), .integer(call.cacheWrite1hTokens), .timestamp(now))
            if database.changes > 0 { try add(call.costMicroDollars - booked.cost, to: booked) }
        }
    }

    fileprivate func closeAbandonedCalls(limit: Int) throws -> Int {
        let abandoned = try database.all(.modelCallsAbandoned, .integer(limit)) { row in
            (id: row.text(), booked: Booking(&row), cost: row.integer())
        }
        for call in abandoned {
            try database.run(.modelCallClose, .text(call.id), .timestamp(now), .integer(call.cost))
            try add(call.cost - call.booked.cost, to: call.booked)
        }
        return abandoned.count
    }

    private func insert(_ call: ModelCall, of lease: Lease, _ billing: Billing, at now: Timestamp) throws {
        try database.run(
            .modelCallInsert, .text(call.id), .id(lease.job), .user(billing.user), .text(billing.kind),
            .integer(lease.epoch), .integer(billing.isFree), .text(call.provider), .text(call.model),
            .text(call.state.rawValue), .integer(call.certainty.rawValue), .integer(call.inputTokens),
            .integer(call.outputTokens), .integer(call.cacheReadTokens), .integer(call.cacheWriteTokens),
            .integer(call.costMicroDollars), .timestamp(now), .integer(call.least?.outputTokens),
            .integer(call.least?.costMicroDollars), .integer(call.cacheWrite1hTokens), .text(call.details.prompt),
            .integer(call.details.listMicroDollars), .integer(call.details.writeMicroDollars),
            .integer(call.details.isInteractive), .integer(call.details.waited?.wholeMilliseconds),
            .integer(call.details.firstByte?.wholeMilliseconds),
            .integer(call.details.firstContent?.wholeMilliseconds),
            .integer(call.details.longestGap?.wholeMilliseconds), .text(call.details.marks?.text),
            .text(call.hedgeOf), .integer(call.details.isSimulated), .text(call.details.errorCode),
            .text(call.details.errorMessage), .text(call.details.providerRequestID))
    }

    private func add(_ change: Int64, to booking: Booking) throws {
        try add(change, to: booking.user, isFree: booking.isFree, on: booking.createdAt.day)
    }

    private func add(_ change: Int64, to user: UserID, isFree: Bool, on day: Int64) throws {
        guard change != 0 else { return }
        try database.run(.userSpendAdd, .integer(day), .user(user), .integer(change))
        try database.run(.serviceSpendAdd, .integer(day), .integer(change), .integer(isFree ? change : 0))
    }
}
