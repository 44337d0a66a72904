package import JobQueue
internal import JSON
import SQLSupport

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

    package func enqueueScheduledRun(
        _ run: ScheduledRun, submitting job: NewJob
    ) async throws(StoreError) -> ScheduledRunOutcome {
        try monitor.checkForNewWork()
        try Texts.rejectNUL([("schedule", run.schedule)])
        try Texts.rejectNUL(in: job)
        let input = SubmittedInput(job.input.compact)
        var job = job
        job.source = .ownRun
        return try await writer.perform { [job] transaction in
            let database = transaction.database
            let last = try database.first(.scheduleRunGet, .text(run.schedule)) { $0.timestamp() }
            if let last, last >= run.timestamp { return .alreadyEnqueued }
            var outcome = ScheduledRunOutcome.recorded
            if last != nil {
                let submission = try transaction.submit(job, input: input)
                outcome = .submitted(submission)
                switch submission {
                case .accepted, .existing: break
                case .conflict, .insufficientCredits: return outcome
                }
            }
            try database.run(.scheduleRunSet, .text(run.schedule), .timestamp(run.timestamp))
            return outcome
        }
    }
}

extension SQLiteStore: BudgetStore {
    package func exchange(_ requests: [BudgetRequest]) async throws(StoreError) -> [BudgetReply] {
        for request in requests { try Texts.rejectNUL([("budget", request.budget)]) }
        // Requests that only read do not wait for the writer.
        if requests.allSatisfy(\.isReadOnly) {
            return try await readers.perform { [clock] database in
                try requests.map { request in
                    var budget = try database.budget(request.budget)
                    return budget.apply(request, at: clock())
                }
            }
        }
        return try await writer.perform { transaction in
            try requests.map { try transaction.apply($0) }
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
    fileprivate func apply(_ request: BudgetRequest) throws -> BudgetReply {
        let before = try database.budget(request.budget)
        var budget = before
        let reply = budget.apply(request, at: now)
        if budget != before { try database.run(.budgetSet, .text(request.budget), .text(budget.encoded)) }
        return reply
    }
}
