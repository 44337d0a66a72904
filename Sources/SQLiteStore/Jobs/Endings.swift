internal import DossierAPI
package import JobQueue
package import JSON
import SQLSupport

extension SQLiteStore {
    package func complete(_ lease: Lease, with result: JSON, effects: [Effect]) async throws(StoreError) {
        try Texts.rejectNUL(in: result, field: "result")
        try Texts.rejectNUL(in: effects)
        let text = result.compact
        try await writer.perform { transaction in
            guard let job = try transaction.state(of: lease.job), job.epoch == lease.epoch else {
                throw StoreError.leaseLost
            }
            if job.status == .completed { return }
            guard job.isHeld(by: lease) else { throw StoreError.leaseLost }
            try transaction.complete(job, with: text, effects: effects)
        }
    }

    package func fail(_ lease: Lease, with failure: JobFailure) async throws(StoreError) {
        try Texts.rejectNUL(in: failure.error)
        try Texts.rejectNUL(in: failure.effects)
        try await writer.perform { transaction in
            guard let job = try transaction.state(of: lease.job) else { throw StoreError.leaseLost }
            if job.failedEpoch == lease.epoch { return }
            guard job.isHeld(by: lease) else { throw StoreError.leaseLost }
            try transaction.fail(job, with: failure)
        }
    }
}

extension WriteTransaction {
    func complete(_ job: JobState, with result: String, effects: [Effect]) throws {
        try apply(effects, of: job)
        try withdraw(job)
        try database.run(.jobResultInsert, .integer(job.number), .text(result))
        try database.run(.jobComplete, .integer(job.number), .timestamp(now))
        try settleHold(of: job)
        try endSubscribers(of: job, settling: true)
        try promoteWaiting(after: job)
        try unblockNext(after: job)
        noteVisible()
    }

    fileprivate func fail(_ job: JobState, with failure: JobFailure) throws {
        try apply(failure.effects, of: job)
        switch failure.next {
        case .retry(let pause):
            if let sequence = failure.dropStepsFrom { try dropSteps(of: job, from: sequence) }
            try retryLater(job, after: pause, error: failure.error)
        case .giveUp:
            try end(
                job, as: .failed, error: failure.error, failedEpoch: job.epoch, dropStepsFrom: failure.dropStepsFrom)
        }
    }

    private func retryLater(_ job: JobState, after pause: Duration, error: JobError) throws {
        try withdraw(job)
        let runAt = pause.wholeMilliseconds > 0 ? now + pause : nil
        try database.run(
            .jobRetry, .integer(job.number), .timestamp(runAt), .text(error.code.rawValue), .text(error.message),
            .text(error.userMessage))
        try enqueue(PendingJob(job, isReturning: true), notBefore: runAt)
        try promoteWaiting(after: job)
        noteVisible()
    }

    /// Ends an unfinished job without a result and releases its place or lease, credits, permit and concurrency key.
    func end(
        _ job: JobState, as status: JobStatus, error: JobError?, failedEpoch: Int64? = nil, dropStepsFrom: Int64? = nil
    ) throws {
        try withdraw(job)
        try database.run(
            .jobEnd, .integer(job.number), .text(status.rawValue), .integer(failedEpoch), .text(error?.code.rawValue),
            .text(error?.message), .text(error?.userMessage), .timestamp(now), .integer(dropStepsFrom))
        try releaseHold(of: job)
        try endSubscribers(of: job, settling: false)
        try promoteWaiting(after: job)
        try unblockNext(after: job)
        noteVisible()
    }

    /// Returns a job to pending without costing an attempt.
    func snooze(_ job: JobState, after pause: Duration = .zero) throws {
        try withdraw(job)
        let runAt = pause.wholeMilliseconds > 0 ? now + pause : nil
        try database.run(.jobRelease, .integer(job.number), .timestamp(runAt))
        try enqueue(PendingJob(job, isReturning: true), notBefore: runAt)
        try promoteWaiting(after: job)
        noteVisible()
    }
}

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
        if let present = try jobWithUniqueKey(uniqueKey ?? nil, of: job.user) { return present }
        let balance = try storedBalance(of: job.user) ?? CreditBalance(granted: 0, held: 0, used: 0)
        guard balance.remaining >= job.cost else { return .insufficientCredits(balance, required: job.cost) }
        let hold = job.cost > 0 ? try hold(job.cost, of: job.user, for: job.id) : nil
        if let sequence = job.dropStepsFrom { try dropSteps(of: job, from: sequence) }
        let isBlocked = try concurrencyKeyHolder(of: job.concurrencyKey, user: job.user) != nil
        try database.run(
            .jobRestart, .integer(job.number), .integer(isBlocked), .integer(hold), .timestamp(now))
        if try resubscribe(job) {
            // It waits for its shared job.
        } else if !isBlocked {
            try enqueue(PendingJob(job, isReturning: false))
        } else if let key = job.concurrencyKey {
            try database.run(.concurrencyKeyTouchNext, .user(job.user), .text(key), .integer(job.number))
        }
        noteVisible()
        return try record(of: job.id).map { .accepted($0) }
    }
}
