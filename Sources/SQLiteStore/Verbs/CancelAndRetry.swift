import SQLSupport
package import JobQueue

extension SQLiteStore {
    package func cancel(_ id: JobID, of user: UserID?) async throws(StoreError) -> Job? {
        try await writer.perform { transaction in
            guard let job = try transaction.state(of: id), user == nil || job.user == user else { return nil }
            if !job.status.isFinished { try transaction.end(job, as: .cancelled, error: nil) }
            return try transaction.record(of: id)
        }
    }

    package func retry(_ id: JobID, of user: UserID?) async throws(StoreError) -> Submission? {
        try await writer.perform { transaction in
            guard let job = try transaction.state(of: id), user == nil || job.user == user else { return nil }
            return try transaction.retry(job)
        }
    }
}

extension WriteTransaction {
    func retry(_ job: JobState) throws -> Submission? {
        guard job.status == .failed || job.status == .cancelled else {
            return try record(of: job.id).map { .existing($0) }
        }
        let uniqueKey = try database.first(.jobUniqueKey, .integer(job.number)) { $0.textIfAny() }
        if let joined = try joined(uniqueKey ?? nil, of: job.user) { return joined }
        let balance = try storedBalance(of: job.user) ?? CreditBalance(granted: 0, held: 0, used: 0)
        guard balance.remaining >= job.cost else { return .insufficientCredits(balance, required: job.cost) }
        let hold = job.cost > 0 ? try hold(job.cost, of: job.user, for: job.id) : nil
        if let sequence = job.dropStepsFrom { try dropSteps(of: job, from: sequence) }
        let isBlocked = try serialHolder(of: job.concurrencyKey, user: job.user) != nil
        try database.run(
            .jobRestart, .integer(job.number), .integer(isBlocked), .integer(hold), .timestamp(now))
        if try followAgain(job) {
            // It waits for its leader.
        } else if !isBlocked {
            try place(PendingJob(job, isReturning: false))
        } else if let key = job.concurrencyKey {
            try database.run(.concurrencyKeyTouchNext, .user(job.user), .text(key), .integer(job.number))
        }
        noteVisible()
        return try record(of: job.id).map { .accepted($0) }
    }
}
