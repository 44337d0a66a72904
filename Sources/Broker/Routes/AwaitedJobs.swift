internal import DossierAPI
internal import JSON
internal import JobQueue

/// Jobs whose caller waits on an open connection for the result.
///
/// A caller who leaves does not stop the job: its result can be read later. When its time is up, the job is cancelled
/// and its hold released.
struct AwaitedJobs: Sendable {
    let jobs: JobRoutes
    /// The longest time that a caller waits.
    let timeout: Duration

    /// Submits a job, or joins an equal one of the same user that has not ended, and waits for its result.
    func result(
        of kind: String, input: JSON, options: Submitter.Options, call: Call
    ) async throws(APIError) -> (job: Job, result: JSON) {
        let started = ContinuousClock.now
        let (job, isNew, _) = try await jobs.submitter.submit(
            kind: kind, input: input, inputPath: "", options: options, call: call)
        // A job that was there before has less time left than its kind gives.
        let begun = isNew ? job.createdAt : Timestamp(milliseconds: jobs.now())
        let left = min(timeout, max(.zero, job.deadline - begun))
        if let ended = try await end(of: job, until: started + left, call) { return try await outcome(of: ended, call) }
        let stopped = try await cancel(job, call)
        // One that ended in this very moment was not stopped.
        guard stopped.status != .cancelled else { throw .failure(of: job.id, .deadlinePassed) }
        return try await outcome(of: stopped, call)
    }

    // MARK: Waiting

    /// The job when it has ended; `nil` when the time is up.
    private func end(
        of job: Job, until deadline: ContinuousClock.Instant, _ call: Call
    ) async throws(APIError) -> Job? {
        if job.status.isFinished { return job }
        let changes = jobs.watcher.changes(of: [job.id])
        // Read again after subscribing: a change in between would not be signalled.
        var latest = try await jobs.find(job.id, call)
        if latest.status.isFinished { return latest }
        for await tick in Deadline.merging(changes, until: deadline) {
            latest = try await jobs.find(job.id, call)
            if latest.status.isFinished { return latest }
            if tick == .timeIsUp { return nil }
        }
        // The caller has left, or the service stops: the job goes on.
        throw .stillRunning(job.id)
    }

    private func cancel(_ job: Job, _ call: Call) async throws(APIError) -> Job {
        do {
            if let now = try await jobs.store.cancel(job.id, of: call.user) { return now }
        } catch {
            throw APIError(error)
        }
        throw .notFound(job.id)
    }

    private func outcome(of job: Job, _ call: Call) async throws(APIError) -> (job: Job, result: JSON) {
        switch job.status {
        case .completed:
            let (job, result) = try await jobs.findWithResult(job.id, call)
            guard let result else { throw .internal }
            return (job, result)
        case .failed: throw .failure(of: job.id, job.error ?? .deadlinePassed)
        default: throw .wasCancelled(job.id)
        }
    }
}

extension APIError {
    /// A job that failed while its caller waited, with the status that fits the reason.
    static func failure(of job: JobID, _ error: JobError) -> APIError {
        let code = ErrorCode(rawValue: error.code)
        let status =
            switch code {
            case .contentUnavailable: 400
            case .notFound: 404
            case .insufficientCredits, .spendLimitReached: 403
            case .deadlinePassed: 504
            case .overloaded, .database, .claude, .gemini: 503
            default: 500
            }
        return APIError(
            status, code, error.message, user: error.userMessage, action: status == 400 ? nil : "retry",
            details: ["job_id": JSON(job.description)])
    }

    static func wasCancelled(_ job: JobID) -> APIError {
        APIError(
            409, .conflict, "The job was cancelled.", user: "This was cancelled. Nothing was charged.", action: "retry",
            details: ["job_id": JSON(job.description)])
    }

    /// The service stops while the job goes on.
    static func stillRunning(_ job: JobID) -> APIError {
        var error = overloaded
        error.details = ["job_id": JSON(job.description)]
        return error
    }
}
