/// The jobs that an operator asks for; a member that is `nil` matches all.
package struct JobFilter: Hashable, Sendable {
    /// Any of these; all when it is empty.
    package var statuses: Set<JobStatus> = []
    package var kind: String?
    /// The beginnings of words of the job's subject, each of which must be there.
    package var subjectWords: [String] = []
    package var queue: QueueName?
    package var user: UserID?
    /// The code of the job's error.
    package var code: String?
    /// The reason for which it does not move.
    package var why: WhyCode?
    /// The hash of its bundle.
    package var bundle: String?
    /// The worker that runs it.
    package var worker: WorkerID?
    package var createdFrom: Timestamp?
    /// Jobs created before this time.
    package var createdTo: Timestamp?

    package init() {}

    /// Whether it matches every job.
    package var isEmpty: Bool { self == JobFilter() }

    /// The rows among which a store looks for the jobs.
    package enum Source: Hashable, Sendable {
        case all, failed, running, unfinished
        case user(UserID)
    }

    /// The fewest rows among which all matching jobs are, for a store that has some number of unfinished jobs.
    package func source(unfinishedAreFew: Bool) -> Source {
        if worker != nil || statuses == [.processing] { return .running }
        if let user { return .user(user) }
        if statuses == [.failed] || (code != nil && statuses.isEmpty && why != .retry) { return .failed }
        let isUnfinished =
            !statuses.isEmpty && !statuses.contains(where: \.isFinished)
            || why.map { $0 != .failed && $0 != .cancelled } == true
        return isUnfinished && unfinishedAreFew ? .unfinished : .all
    }
}

/// A page of jobs for operators.
package struct JobRecordPage: Sendable {
    package var jobs: [JobRecord]
    /// The place after which the next page begins; `nil` on the last one. A page may be short, and even empty, and have
    /// a next one: a store looks at a limited number of rows for each.
    package var next: Int64?
    /// The submit of the oldest job that was looked at, when the look ended before the page was full and there are older
    /// ones.
    package var searchedTo: Timestamp?

    package init(jobs: [JobRecord], next: Int64?, searchedTo: Timestamp? = nil) {
        (self.jobs, self.next, self.searchedTo) = (jobs, next, searchedTo)
    }
}

/// A job as operators see it.
package struct JobRecord: Sendable {
    /// Without its input.
    package var job: Job
    /// Its place in the order of all jobs, newest last.
    package var place: Int64
    package var subject: String
    /// The worker that runs it.
    package var worker: WorkerID?
    package var epoch: Int64
    package var requestID: String?
    /// What its model calls cost so far, in millionths of a dollar.
    package var costMicroDollars: Int64
    /// Its model call that is under way and began last.
    package var call: RunningCall?
    /// The one who cancelled it; `nil` for another job, and for one that was cancelled before this was kept.
    package var cancelledBy: JobCanceller?

    package struct RunningCall: Hashable, Sendable {
        package var provider: String
        package var model: String
        /// The time of the last byte that was told of, or of the begin.
        package var heardAt: Timestamp

        package init(provider: String, model: String, heardAt: Timestamp) {
            (self.provider, self.model, self.heardAt) = (provider, model, heardAt)
        }
    }

    package init(
        job: Job, place: Int64, subject: String, worker: WorkerID?, epoch: Int64, requestID: String?,
        costMicroDollars: Int64, call: RunningCall?, cancelledBy: JobCanceller? = nil
    ) {
        (self.job, self.place, self.subject, self.worker) = (job, place, subject, worker)
        (self.epoch, self.requestID, self.costMicroDollars, self.call) = (epoch, requestID, costMicroDollars, call)
        self.cancelledBy = cancelledBy
    }
}

/// The error of a model call.
package struct CallError: Hashable, Sendable {
    /// Its kind, in words of Dossier.
    package var code: String
    package var message: String

    package init(code: String, message: String) { (self.code, self.message) = (code, message) }
}

/// A model call of a job, for operators.
package struct JobCallRecord: Hashable, Sendable {
    /// Job, epoch, step and the number of the call, with slashes between them.
    package var id: String
    package var epoch: Int64
    package var provider: String
    package var model: String
    package var state: ModelCall.State
    /// Its tokens and cost are an estimate.
    package var isEstimated: Bool
    package var inputTokens: Int64
    package var outputTokens: Int64
    package var cacheReadTokens: Int64
    package var cacheWriteTokens: Int64
    package var costMicroDollars: Int64
    package var startedAt: Timestamp
    package var firstContentAt: Timestamp?
    package var endedAt: Timestamp?
    /// The last time at which it told of its answer, or the begin.
    package var heardAt: Timestamp
    /// It was made beside another call for the same answer.
    package var isHedge: Bool
    /// A simulator answered.
    package var isSimulated: Bool
    package var error: CallError?
    /// The provider's name for the request.
    package var providerRequestID: String?

    package init(
        id: String, epoch: Int64, provider: String, model: String, state: ModelCall.State, isEstimated: Bool,
        inputTokens: Int64, outputTokens: Int64, cacheReadTokens: Int64, cacheWriteTokens: Int64,
        costMicroDollars: Int64, startedAt: Timestamp, firstContentAt: Timestamp?, endedAt: Timestamp?,
        heardAt: Timestamp, isHedge: Bool, isSimulated: Bool, error: CallError? = nil, providerRequestID: String? = nil
    ) {
        (self.id, self.epoch, self.provider, self.model, self.state) = (id, epoch, provider, model, state)
        self.isEstimated = isEstimated
        (self.inputTokens, self.outputTokens) = (inputTokens, outputTokens)
        (self.cacheReadTokens, self.cacheWriteTokens) = (cacheReadTokens, cacheWriteTokens)
        (self.costMicroDollars, self.startedAt, self.firstContentAt) = (costMicroDollars, startedAt, firstContentAt)
        (self.endedAt, self.heardAt, self.isHedge, self.isSimulated) = (endedAt, heardAt, isHedge, isSimulated)
        (self.error, self.providerRequestID) = (error, providerRequestID)
    }

    /// The step that made it.
    package var step: String { id.split(separator: "/").dropFirst(2).dropLast().joined(separator: "/") }
}

/// The reasons for which a job does not move, or what moves it, in the order in which the first that holds counts.
package enum WhyCode: String, Hashable, Sendable, CaseIterable {
    /// The `run_at` of the request is to come.
    case scheduled
    /// The pause before another attempt.
    case retry
    case providerBudget = "provider_budget"
    case providerBlocked = "provider_blocked"
    case breakerOpen = "breaker_open"
    /// Its model call is in a batch.
    case batch
    /// Its kind or its lane is paused.
    case paused
    /// An earlier job of its concurrency key is unfinished.
    case serial
    /// Another job does the same work.
    case shared
    /// As many jobs of its kind run as may.
    case slot
    case noWorker = "no_worker"
    case noCapableWorker = "no_capable_worker"
    /// It is ready, and the places of all workers are taken.
    case queue
    case workerSilent = "worker_silent"
    case providerSilent = "provider_silent"
    case running
    case failed, cancelled
}
