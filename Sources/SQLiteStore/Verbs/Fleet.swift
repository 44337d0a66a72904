import SQLSupport
internal import JSON
package import JobQueue

extension SQLiteStore: FleetStore {
    package func adopt(bundle hash: String, limits: [String: ConcurrencyLimits]) async throws(StoreError) {
        try Texts.rejectNUL([("bundle", hash)])
        for kind in limits.keys { try Texts.rejectNUL([("kind", kind)]) }
        try await writer.perform { transaction in
            try transaction.database.run(.currentBundleSet, .text(hash), .timestamp(transaction.now))
            for (kind, limits) in limits.sorted(by: { $0.key < $1.key }) { try transaction.change(limits, of: kind) }
        }
    }

    package func currentBundle() async throws(StoreError) -> String? {
        try await readers.perform { database in try database.first(.currentBundleGet) { $0.text() } }
    }

    package func enqueueScheduledRun(_ tick: ScheduledRun, submitting job: NewJob) async throws(StoreError) -> ScheduledRunOutcome {
        try Texts.rejectNUL([("schedule", tick.schedule)])
        try Texts.rejectNUL(in: job)
        let input = job.input.compact
        var job = job
        job.source = .ownRun
        return try await writer.perform { [job] transaction in
            let database = transaction.database
            let last = try database.first(.scheduleRunGet, .text(tick.schedule)) { $0.timestamp() }
            if let last, last >= tick.timestamp { return .alreadyEnqueued }
            var firing = ScheduledRunOutcome.recorded
            if last != nil {
                let submission = try transaction.submit(job, input: input)
                firing = .submitted(submission)
                switch submission {
                case .accepted, .existing: break
                case .conflict, .insufficientCredits: return firing
                }
            }
            try database.run(.scheduleRunSet, .text(tick.schedule), .timestamp(tick.timestamp))
            return firing
        }
    }
}

extension SQLiteStore: BudgetStore {
    package func exchange(_ orders: [BudgetRequest]) async throws(StoreError) -> [BudgetReply] {
        for order in orders { try Texts.rejectNUL([("budget", order.budget)]) }
        // A mere question does not wait for the writer's turn.
        if orders.allSatisfy(\.isReadOnly) {
            return try await readers.perform { [clock] database in
                try orders.map { order in
                    var budget = try database.budget(order.budget)
                    return budget.apply(order, at: clock())
                }
            }
        }
        return try await writer.perform { transaction in
            try orders.map { try transaction.apply($0) }
        }
    }
}

extension SQLiteConnection {
    fileprivate func budget(_ name: String) throws -> SharedBudget {
        let stored = try first(.budgetGet, .text(name)) { $0.text() }
        return stored.flatMap { SharedBudget(encoded: $0) } ?? SharedBudget()
    }
}

extension WriteTransaction {
    fileprivate func apply(_ order: BudgetRequest) throws -> BudgetReply {
        let before = try database.budget(order.budget)
        var budget = before
        let reply = budget.apply(order, at: now)
        if budget != before { try database.run(.budgetSet, .text(order.budget), .text(budget.encoded)) }
        return reply
    }
}
