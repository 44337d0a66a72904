internal import DossierAPI
package import JobQueue
package import JSON
import SQLSupport

extension SQLiteStore {
    package func complete(_ lease: Lease, with result: JSON, effects: [Effect]) async throws(StoreError) {
        let text = try Texts.encoded(result, field: "result")
        try Texts.rejectNUL(in: effects)
        try JobLimit.check(effects)
        try JobLimit.result.check(text.utf8.count)
        let packed = PackedText(text)
        let isDone = try await writer.perform { transaction in
            try transaction.settle(effects.modelCalls, of: lease)
            guard let job = try transaction.state(of: lease.job), job.epoch == lease.epoch else { return false }
            if job.status == .completed { return true }
            guard job.isHeld(by: lease) else { return false }
            try transaction.complete(job, with: packed, effects: effects)
            return true
        }
        if !isDone { throw .leaseLost }
    }

    package func fail(_ lease: Lease, with failure: JobFailure) async throws(StoreError) {
        try Texts.rejectNUL(in: failure.error)
        try Texts.rejectNUL(in: failure.effects)
        let isDone = try await writer.perform { transaction in
            try transaction.settle(failure.effects.modelCalls, of: lease)
            guard let job = try transaction.state(of: lease.job) else { return false }
            if job.failedEpoch == lease.epoch { return true }
            guard job.isHeld(by: lease) else { return false }
            try transaction.fail(job, with: failure)
            return true
        }
        if !isDone { throw .leaseLost }
    }
}

extension WriteTransaction {
    func complete(_ job: JobState, with result: PackedText, effects: [Effect]) throws {
        try apply(effects)
        try withdraw(job)
        try database.run(.jobResultInsert, .integer(job.number), result.text, result.packed)
        try database.run(.jobComplete, .integer(job.number), .timestamp(now))
        try settleHold(of: job)
        try endSubscribers(of: job, settling: true)
        try promoteWaiting(after: job)
        try unblockNext(after: job)
        noteVisible()
    }

    fileprivate func fail(_ job: JobState, with failure: JobFailure) throws {
        try apply(failure.effects)
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
        try note(.failed, of: job, error: error)
        if let runAt { try note(JobEvent(.scheduled, at: now, until: runAt, code: .retry), of: job.number) }
        try database.run(
            .jobRetry, .integer(job.number), .timestamp(runAt), .text(error.code.rawValue), .text(error.message),
            .text(error.userMessage))
        try enqueue(PendingJob(job), notBefore: runAt)
        try promoteWaiting(after: job)
        noteVisible()
    }

    /// Ends an unfinished job without a result and releases its place or lease, credits, permit and concurrency key.
    func end(
        _ job: JobState, as status: JobStatus, error: JobError?, failedEpoch: Int64? = nil,
        dropStepsFrom: Int64? = nil, by canceller: JobCanceller? = nil
    ) throws {
        try withdraw(job)
        try database.run(
            .jobEnd, .integer(job.number), .text(status.rawValue), .integer(failedEpoch), .text(error?.code.rawValue),
            .text(error?.message), .text(error?.userMessage), .timestamp(now), .integer(dropStepsFrom),
            .text(canceller?.rawValue))
        try releaseHold(of: job)
        try endSubscribers(of: job, settling: false)
        try promoteWaiting(after: job)
        try unblockNext(after: job)
        noteVisible()
    }

    /// Returns a job to pending without costing an attempt; its worker died when it was last seen at a time.
    func snooze(
        _ job: JobState, after pause: Duration = .zero, waitingFor wait: WaitCause? = nil, lastSeen: Timestamp? = nil
    ) throws {
        try snooze(
            job, until: pause.wholeMilliseconds > 0 ? now + pause : nil, waitingFor: wait, lastSeen: lastSeen)
    }

    /// As `snooze(_:after:waitingFor:)`, for a start at an exact time: the clock goes on within a transaction.
    func snooze(
        _ job: JobState, until runAt: Timestamp?, waitingFor wait: WaitCause? = nil, lastSeen: Timestamp? = nil
    ) throws {
        try withdraw(job)
        let isPostponed = lastSeen == nil && (runAt != nil || wait != nil)
        try note(isPostponed ? .postponed : .interrupted, of: job, lastSeen: lastSeen)
        if let runAt {
            let code = wait?.reason.whyCode ?? (isPostponed ? .batch : .retry)
            try note(JobEvent(.scheduled, at: now, until: runAt, code: code), of: job.number)
        }
        try database.run(.jobRelease, .integer(job.number), .timestamp(runAt), .text(wait?.stored))
        try enqueue(PendingJob(job), notBefore: runAt)
        try promoteWaiting(after: job)
        noteVisible()
    }

    /// Makes a job claimable that waits for its time.
    func wake(_ job: JobState) throws {
        try withdraw(job)
        try database.run(.jobBecomeDue, .integer(job.number))
        try note(JobEvent(.ready, at: now), of: job.number)
        try enqueue(PendingJob(job))
        noteVisible()
    }
}

extension SQLiteStore {
    package func wake(
        waitingFor wait: WaitCause, within time: Duration, limit: Int
    ) async throws(StoreError) -> Int {
        try await writer.perform { transaction in
            let jobs = try transaction.database.all(
                .scheduledWaiting, .timestamp(transaction.now), .timestamp(transaction.now + time), .text(wait.stored),
                .integer(limit)
            ) { $0.integer() }
            for number in jobs {
                if let job = try transaction.state(ofNumber: number) { try transaction.wake(job) }
            }
            return jobs.count
        }
    }
}

extension SQLiteStore {
    package func cancel(
        _ id: JobID, of user: UserID?, by canceller: JobCanceller, audit: AuditEntry?
    ) async throws(StoreError) -> Job? {
        try await writer.perform { transaction in
            guard let job = try transaction.state(of: id), user == nil || job.user == user else { return nil }
            if !job.status.isFinished {
                try transaction.end(job, as: .cancelled, error: nil, by: canceller)
                try transaction.dropUnusedInput(of: job)
                try transaction.write(audit)
            }
            return try transaction.record(of: id)
        }
    }

    package func retry(_ id: JobID, of user: UserID?, audit: AuditEntry?) async throws(StoreError) -> Submission? {
        try monitor.checkForNewWork()
        return try await writer.perform { transaction in
            guard let job = try transaction.state(of: id), user == nil || job.user == user else { return nil }
            let submission = try transaction.retry(job)
            if case .accepted = submission { try transaction.write(audit) }
            return submission
        }
    }
}

extension WriteTransaction {
    func retry(_ job: JobState) throws -> Submission? {
        guard job.status == .failed || job.status == .cancelled, try !hasLostInput(job) else {
            return try record(of: job.id).map { .existing($0) }
        }
        let uniqueKey = try database.first(.jobUniqueKey, .integer(job.number)) { $0.textIfAny() }
        if let present = try jobWithUniqueKey(uniqueKey ?? nil, of: job.user) { return present }
        let balance = try storedBalance(of: job.user) ?? CreditBalance(granted: 0, held: 0, used: 0)
        guard balance.remaining >= job.cost else { return .insufficientCredits(balance, required: job.cost) }
        let hold = job.cost > 0 ? try hold(job.cost, of: job.user, for: job.id) : nil
        if let sequence = job.dropStepsFrom { try dropSteps(of: job, from: sequence) }
        let isBlocked = try concurrencyKeyHolder(of: job.concurrencyKey, user: job.user) != nil
        try database.run(.jobHistoryRestarted, .integer(job.number), .timestamp(now))
        if isBlocked { try note(JobEvent(.blocked, at: now), of: job.number) }
        try database.run(
            .jobRestart, .integer(job.number), .integer(isBlocked), .integer(hold), .timestamp(now))
        if try resubscribe(job) {
            try standIfPaused(job.number, job.kind, job.queue)
        } else if !isBlocked {
            try enqueue(PendingJob(job))
        } else if let key = job.concurrencyKey {
            try standIfPaused(job.number, job.kind, job.queue)
            try database.run(.concurrencyKeyTouchNext, .user(job.user), .text(key), .integer(job.number))
        }
        noteVisible()
        return try record(of: job.id).map { .accepted($0) }
    }
}
