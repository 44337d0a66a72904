internal import DossierAPI
import SQLSupport
package import JSON
package import JobQueue

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
        try settle(job)
        try endSubscribers(of: job, settling: true)
        try passOnSlot(of: job)
        try passOnConcurrencyKey(of: job)
        noteVisible()
    }

    fileprivate func fail(_ job: JobState, with failure: JobFailure) throws {
        try apply(failure.effects, of: job)
        switch failure.next {
        case .retry(let pause):
            if let sequence = failure.dropStepsFrom { try dropSteps(of: job, from: sequence) }
            try tryAgain(job, after: pause, error: failure.error)
        case .giveUp:
            try end(
                job, as: .failed, error: failure.error, failedEpoch: job.epoch, dropStepsFrom: failure.dropStepsFrom)
        }
    }

    private func tryAgain(_ job: JobState, after pause: Duration, error: JobError) throws {
        try withdraw(job)
        let runAt = pause.wholeMilliseconds > 0 ? now + pause : nil
        try database.run(
            .jobRetry, .integer(job.number), .timestamp(runAt), .text(error.code.rawValue), .text(error.message),
            .text(error.userMessage))
        try place(PendingJob(job, isReturning: true), notBefore: runAt)
        try passOnSlot(of: job)
        noteVisible()
    }

    /// Ends an unfinished job without a result and frees what it held: its place or lease, its credits,
    /// its slot, its serial key.
    func end(
        _ job: JobState, as status: JobStatus, error: JobError?, failedEpoch: Int64? = nil, dropStepsFrom: Int64? = nil
    ) throws {
        try withdraw(job)
        try database.run(
            .jobEnd, .integer(job.number), .text(status.rawValue), .integer(failedEpoch), .text(error?.code.rawValue),
            .text(error?.message), .text(error?.userMessage), .timestamp(now), .integer(dropStepsFrom))
        try release(job)
        try endSubscribers(of: job, settling: false)
        try passOnSlot(of: job)
        try passOnConcurrencyKey(of: job)
        noteVisible()
    }

    /// Back to pending without the cost of an attempt.
    func giveBack(_ job: JobState, after pause: Duration = .zero) throws {
        try withdraw(job)
        let runAt = pause.wholeMilliseconds > 0 ? now + pause : nil
        try database.run(.jobRelease, .integer(job.number), .timestamp(runAt))
        try place(PendingJob(job, isReturning: true), notBefore: runAt)
        try passOnSlot(of: job)
        noteVisible()
    }
}
