internal import Basics
internal import DossierAPI
internal import JSON
internal import JobQueue
internal import Prompts

/// The operations of the routes on jobs: submit, read, wait, cancel, retry. Store errors are thrown as `APIError`.
struct JobService: Sendable {
    let store: any JobStore
    let submitter: Submitter
    let watcher: JobWatcher
    let workers: WorkerMonitor
    let pauses: PauseBoard
    let held: HeldRequests
    let recent: RecentAnswers
    /// The longest time that a request waits for the result of its job.
    let timeout: Duration
    let now: @Sendable () -> Timestamp

    func submit(
        kind: String, input: JSON, inputPath: String = "", options: Submitter.Options, context: RequestContext
    ) async throws(APIError) -> Submitter.Submitted {
        try await submitter.submit(kind: kind, input: input, inputPath: inputPath, options: options, context: context)
    }

    // MARK: Reading

    /// A job of a user, or with `nil` of anybody.
    func job(_ id: JobID, of user: UserID?) async throws(APIError) -> Job {
        do {
            if let job = try await store.job(id, of: user) { return await comparedWithWorkers(job) }
        } catch {
            throw APIError(error)
        }
        throw .notFound(id)
    }

    func jobWithResult(_ id: JobID, of user: UserID) async throws(APIError) -> (job: Job, result: JSON?) {
        do {
            if let found = try await store.jobWithResult(id, of: user) { return (found.job, found.result) }
        } catch {
            throw APIError(error)
        }
        throw .notFound(id)
    }

    func jobs(_ query: JobListQuery) async throws(APIError) -> JobList {
        do {
            var list = try await store.jobs(query)
            for index in list.jobs.indices { list.jobs[index] = await comparedWithWorkers(list.jobs[index]) }
            return list
        } catch {
            throw APIError(error)
        }
    }

    /// The longest time that an answer waits for the state of the workers, which all answers of a second share.
    private static let longestLook: Duration = .milliseconds(200)

    /// The job, with the reason why no worker takes it.
    private func comparedWithWorkers(_ job: Job) async -> Job {
        if job.status == .pending, [nil, .paused(until: nil)].contains(job.blockedBy) {
            let held = await pauses.pauses(within: Self.longestLook).filter {
                $0.holds(kind: job.kind, queue: job.queue)
            }
            if !held.isEmpty {
                var job = job
                // Each of them must have ended.
                job.blockedBy = .paused(until: held.contains { $0.until == nil } ? nil : held.compactMap(\.until).max())
                return job
            }
        }
        guard job.status == .pending, job.blockedBy == nil,
            let fleet = await workers.fleet(within: Self.longestLook), !fleet.canRun(job.kind)
        else { return job }
        var job = job
        job.blockedBy = .worker
        return job
    }

    // MARK: Changing

    func cancel(_ id: JobID, of user: UserID, by canceller: JobCanceller = .user) async throws(APIError) -> Job {
        do {
            if let job = try await store.cancel(id, of: user, by: canceller, audit: nil) { return job }
        } catch {
            throw APIError(error)
        }
        throw .notFound(id)
    }

    func retry(_ id: JobID, of user: UserID) async throws(APIError) -> Job {
        try await submitter.checkSpend(ofRetried: try await job(id, of: user))
        try await submitter.beginMonth(of: user)
        let submission: Submission?
        do {
            submission = try await store.retry(id, of: user)
        } catch {
            throw APIError(error)
        }
        switch submission {
        case .accepted(let job), .existing(let job): return job
        case .insufficientCredits(let balance, let required):
            throw .insufficientCredits(balance, required: required, job: id)
        case .conflict: throw .idempotencyConflict(id)
        case nil: throw .notFound(id)
        }
    }

    // MARK: Waiting

    /// Signals at every change of one of the jobs; ends when the service stops.
    func changes(of jobs: [JobID]) -> AsyncStream<Void> { watcher.changes(of: jobs) }

    /// The outcome of a wait, with the state of the job at its end.
    enum WaitResult: Sendable {
        case reached(Job)
        case timedOut(Job)
        /// The client has left, or the service stops.
        case interrupted(Job)

        var job: Job {
            switch self {
            case .reached(let job), .timedOut(let job), .interrupted(let job): job
            }
        }
    }

    /// Waits until the job satisfies a condition or has ended.
    func wait(
        for id: JobID, of user: UserID, until deadline: ContinuousClock.Instant,
        _ condition: @Sendable (Job) -> Bool = { _ in false }
    ) async throws(APIError) -> WaitResult {
        let changes = watcher.changes(of: [id])
        // Read again after subscribing: a change in between would not be signalled.
        var latest = try await job(id, of: user)
        if condition(latest) || latest.status.isFinished { return .reached(latest) }
        for await wakeup in Deadline.merging(changes, until: deadline) {
            latest = try await job(id, of: user)
            if condition(latest) || latest.status.isFinished { return .reached(latest) }
            if wakeup == .timedOut { return .timedOut(latest) }
        }
        return .interrupted(latest)
    }

    /// The result of a job for which its client waited.
    struct Answer: Sendable {
        let job: Job
        let result: JSON
        var headers: [(String, String)] = []
    }

    /// Submits a job, or joins an equal unfinished one of the same user, and waits for its result.
    ///
    /// A client that leaves does not stop the job: its result can be read later. At the timeout the job is cancelled
    /// and its hold released; at the shorter `limit`, where there is one, the client leaves and the job goes on.
    func result(
        of kind: String, input: JSON, options: Submitter.Options, context: RequestContext,
        leavingAfter limit: Duration? = nil, rememberedAs key: String? = nil
    ) async throws(APIError) -> Answer {
        let started = ContinuousClock.now
        // A client that waits would only wait for the end of its time.
        if let reason = await workers.fleet(within: Self.longestLook)?.missing[kind] {
            throw .noWorker(for: kind, reason: reason)
        }
        let place = try held.take(.callers, for: context.user, lasting: timeout)
        defer { place.release() }
        let submitted = try await submit(kind: kind, input: input, options: options, context: context)
        if let key, submitted.isNew { await recent.note(submitted.job.id, for: key) }
        var answer = try await answer(
            to: submitted, leavingAfter: limit, started: started, context: context)
        answer.headers = submitted.headers
        return answer
    }

    private func answer(
        to submitted: Submitter.Submitted, leavingAfter limit: Duration?, started: ContinuousClock.Instant,
        context: RequestContext
    ) async throws(APIError) -> Answer {
        let job = submitted.job
        // An older job has less time left than its kind gives.
        let begun = submitted.isNew ? job.createdAt : now()
        let left = min(limit ?? timeout, timeout, max(.zero, job.deadline - begun))
        if job.status.isFinished { return try await outcome(of: job) }
        switch try await wait(for: job.id, of: context.user, until: started + left) {
        case .reached(let ended): return try await outcome(of: ended)
        case .interrupted: throw .stillRunning(job.id)
        case .timedOut where limit != nil: throw .notFinished(job.id)
        case .timedOut:
            let stopped = try await cancel(job.id, of: context.user, by: .timeout)
            // The job may have ended before the cancellation reached it.
            guard stopped.status != .cancelled else { throw .failure(of: job.id, .deadlinePassed) }
            return try await outcome(of: stopped)
        }
    }

    private func outcome(of job: Job) async throws(APIError) -> Answer {
        switch job.status {
        case .completed:
            let (job, result) = try await jobWithResult(job.id, of: job.user)
            guard let result else { throw .internal }
            return Answer(job: job, result: result)
        case .failed: throw .failure(of: job.id, job.error ?? .deadlinePassed)
        default: throw .wasCancelled(job.id)
        }
    }

    /// Waits for the result of a job that needs a model, remembers whether the models answered, and answers with the
    /// result and the job's id. Equal requests that are under way share a job.
    ///
    /// With a `form`, which is what requests for the same answer have in common, such as the normal form of an address, one
    /// that was answered within an hour is answered by the same job again. Without it each request wants an answer of its
    /// own.
    func answer(
        of kind: String, input: JSON, sameFor form: JSON? = nil, idempotency: Idempotency?, idField: String = "job_id",
        _ availability: ModelAvailability, _ context: RequestContext
    ) async throws(APIError) -> APIResponse {
        var options = Submitter.Options()
        options.uniqueKey = "\(kind)/" + SHA256.hex((form ?? input).canonical)
        options.idempotency = idempotency
        do {
            var key: String?
            if let form {
                let recentKey = try await self.recentKey(of: kind, form, input, context)
                if let earlier = try await earlierAnswer(recentKey, idempotency, context) {
                    return Self.response(earlier, idField)
                }
                key = recentKey
            }
            let done = try await result(
                of: kind, input: input, options: options, context: context, rememberedAs: key)
            availability.record(nil)
            return Self.response(done, idField)
        } catch {
            availability.record(error)
            throw error
        }
    }

    private static func response(_ done: Answer, _ idField: String) -> APIResponse {
        var answer = done.result
        answer[idField] = JSON(done.job.id.description)
        return APIResponse(answer, headers: done.headers)
    }

    /// Names an answer: edited prompts and another language make another one.
    private func recentKey(
        of kind: String, _ form: JSON, _ input: JSON, _ context: RequestContext
    ) async throws(APIError) -> String {
        var language = input["language"]?.string
        if language == nil { language = try await submitter.readers.language(context)?.rawValue }
        let parts: JSON = [
            JSON(kind), JSON(context.user.rawValue), JSON(submitter.bundle.value.hash), JSON(language), form,
        ]
        return parts.canonical
    }

    /// The answer of an equal request; `nil` when its job has not completed, and where the request repeats one with its
    /// own key.
    private func earlierAnswer(
        _ key: String, _ idempotency: Idempotency?, _ context: RequestContext
    ) async throws(APIError) -> Answer? {
        guard let id = await recent.job(of: key) else { return nil }
        do throws(StoreError) {
            if let key = idempotency?.key,
                try await submitter.records.job(ofIdempotencyKey: key, user: context.user) != nil
            {
                return nil
            }
            guard let found = try await store.jobWithResult(id, of: context.user), found.job.status == .completed,
                let result = found.result
            else { return nil }
            return Answer(job: found.job, result: result)
        } catch {
            throw APIError(error)
        }
    }
}

extension APIError {
    /// The wait is over, but not the job.
    static func notFinished(_ job: JobID) -> APIError {
        var error = failure(of: job, .deadlinePassed)
        error.message = "The job goes on; its result will be at /api/v1/jobs/\(job)/result."
        error.userMessage = "This takes longer than usual. Please try again in a minute."
        return error
    }

    /// The error of a job that failed while its client waited, with the status that fits the reason.
    static func failure(of job: JobID, _ error: JobError) -> APIError {
        let status =
            switch error.code {
            case .contentUnavailable: 400
            case .notFound: 404
            case .insufficientCredits, .spendLimitReached: 403
            case .deadlinePassed: 504
            case .overloaded, .database, .claude, .gemini, .serviceSpendLimitReached: 503
            default: 500
            }
        let action: String? =
            switch error.code {
            case .contentUnavailable: nil
            case .notFound: "go_back"
            case .insufficientCredits: "upgrade"
            case .spendLimitReached: "wait"
            default: "retry"
            }
        return APIError(
            status, error.code, error.message, user: error.userMessage, action: action,
            details: ["job_id": JSON(job.description)], retryAfter: status == 503 ? retryAfter(error.code) : nil)
    }

    /// The time after which another request makes sense, in seconds: stopped models are probed then at the earliest.
    private static func retryAfter(_ code: ErrorCode) -> Int {
        switch code {
        case .claude, .gemini: return Int(SharedOpening.shortest.components.seconds)
        case .serviceSpendLimitReached:
            // Until midnight UTC.
            let day: Int64 = 86_400
            return Int(day - WallClock.milliseconds() / 1000 % day)
        default: return 5
        }
    }

    static func wasCancelled(_ job: JobID) -> APIError {
        APIError(
            409, .conflict, "The job was cancelled.", user: "This was cancelled. Nothing was charged.", action: "retry",
            details: ["reason": "cancelled", "job_id": JSON(job.description)])
    }

    /// The service stops while the job goes on.
    static func stillRunning(_ job: JobID) -> APIError {
        var error = overloaded
        error.details = ["job_id": JSON(job.description)]
        return error
    }
}
