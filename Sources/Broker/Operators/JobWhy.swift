internal import DossierAPI
package import JSON
package import JobQueue

/// The reason why a job does not move, or what moves it, for operators.
package struct JobWhy: Hashable, Sendable {
    package var code: WhyCode
    /// For people, with what the details say.
    package var sentence: String
    /// The time since which it holds.
    package var since: Timestamp
    /// The time until which it holds at the longest, where that is known.
    package var until: Timestamp?
    package var details: JSONObject

    package var json: JSON {
        [
            "code": JSON(code.rawValue), "sentence": JSON(sentence), "since": JSON(since.iso8601),
            "until": JSON(until?.iso8601), "details": .object(details),
        ]
    }
}

/// What is known of the fleet when the reasons of jobs are told.
package struct FleetSight: Sendable {
    /// The silence of a provider that is worth telling.
    package static let longSilence: Duration = .seconds(2)

    package var now: Timestamp
    package var workers: [WorkerRecord]
    /// The limits of kinds: those of the fleet and of each user.
    package var limits: [String: ConcurrencyLimits]
    /// The pauses that hold.
    package var pauses: [Pause]

    package init(
        now: Timestamp, workers: [WorkerRecord], limits: [String: ConcurrencyLimits] = [:], pauses: [Pause] = []
    ) {
        (self.now, self.workers, self.limits, self.pauses) = (now, workers, limits, pauses)
    }

    fileprivate var working: [WorkerRecord] { workers.filter { $0.isAlive && !$0.isDraining } }
}

extension JobWhy {
    /// The first reason that holds; `nil` for a completed job.
    ///
    /// - Parameters:
    ///   - record: The job.
    ///   - fleet: The fleet at the same time.
    ///   - facts: What was looked up for this job alone.
    package init?(of record: JobRecord, in fleet: FleetSight, _ facts: Facts = Facts()) {
        let job = record.job
        switch job.status {
        case .completed: return nil
        case .failed: self = .failed(job)
        case .cancelled: self = .cancelled(job, by: record.cancelledBy)
        case .processing: self = .running(record, fleet)
        case .pending:
            self =
                .paused(job, fleet) ?? job.blockedBy.flatMap { .blocked(job, by: $0, fleet, facts) }
                ?? .ready(job, fleet, facts.ahead)
        }
    }

    /// What the reason of one job names and a list does not look up.
    package struct Facts: Sendable {
        /// The ready jobs before it.
        package var ahead: Int?
        /// The provider of its last failed call.
        package var failedProvider: String?
        /// The job that does the work for it.
        package var sharedJob: JobID?
        /// The permits of its kind that its user has.
        package var permitsOfUser: Int?
        /// The calls of the provider that failed in a row, by the books.
        package var failures: Int?

        package init(
            ahead: Int? = nil, failedProvider: String? = nil, sharedJob: JobID? = nil, permitsOfUser: Int? = nil,
            failures: Int? = nil
        ) {
            (self.ahead, self.failedProvider, self.sharedJob) = (ahead, failedProvider, sharedJob)
            (self.permitsOfUser, self.failures) = (permitsOfUser, failures)
        }
    }

    private init(
        _ code: WhyCode, _ sentence: String, since: Timestamp, until: Timestamp? = nil, _ details: JSONObject = [:]
    ) {
        (self.code, self.sentence, self.since, self.until, self.details) = (code, sentence, since, until, details)
    }

    // MARK: Ended

    private static func failed(_ job: Job) -> JobWhy {
        let code = job.error?.code.rawValue ?? ""
        let attempts = job.attempt == 1 ? "1 attempt" : "\(job.attempt) attempts"
        return JobWhy(
            .failed, "It failed with \(code) after \(attempts): \(job.error?.message ?? "")",
            since: job.completedAt ?? job.createdAt, ["code": JSON(code), "attempts": JSON(job.attempt)])
    }

    private static func cancelled(_ job: Job, by canceller: JobCanceller?) -> JobWhy {
        let sentence =
            switch canceller {
            case nil: "It was cancelled."
            case .user: "Its user cancelled it."
            case .operator: "An operator cancelled it."
            case .timeout: "It was cancelled, since the time of the caller who waited for it was up."
            case .erasure: "It was cancelled with the erasure of its user's account."
            }
        return JobWhy(
            .cancelled, sentence, since: job.completedAt ?? job.createdAt,
            ["attempts": JSON(job.attempt), "by": JSON(canceller?.rawValue)])
    }

    // MARK: Running

    private static func running(_ record: JobRecord, _ fleet: FleetSight) -> JobWhy {
        let job = record.job
        let since = job.startedAt ?? job.createdAt
        let worker = fleet.workers.first { $0.id == record.worker }
        let name = record.worker?.rawValue ?? "unknown"
        if worker?.isAlive != true {
            let heard = worker?.lastBeatAt ?? since
            let seconds = max((fleet.now - heard).wholeSeconds, 0)
            return JobWhy(
                .workerSilent,
                "Its worker \(name) gave no sign for \(seconds) s; another one takes the job when it counts as dead.",
                since: heard, ["worker": JSON(name), "silent_seconds": JSON(seconds)])
        }
        let step = job.currentStep.map { "the step \($0)" } ?? "its first step"
        if let call = record.call {
            let model = "\(call.provider)/\(call.model)"
            let silence = fleet.now - call.heardAt
            if silence >= FleetSight.longSilence {
                return JobWhy(
                    .providerSilent,
                    "It waits for \(model), which has sent nothing for \(silence.wholeSeconds) s, in \(step).",
                    since: call.heardAt,
                    [
                        "provider": JSON(call.provider), "model": JSON(call.model),
                        "silent_seconds": JSON(silence.wholeSeconds),
                    ])
            }
            return JobWhy(
                .running, "It runs on \(name) in \(step) and hears from \(model).", since: since,
                ["step": JSON(job.currentStep), "provider": JSON(call.provider)])
        }
        return JobWhy(.running, "It runs on \(name) in \(step).", since: since, ["step": JSON(job.currentStep)])
    }

    // MARK: Pending

    /// The pause that ends last, unless the job waits for a time or a provider all the same.
    private static func paused(_ job: Job, _ fleet: FleetSight) -> JobWhy? {
        switch job.blockedBy {
        case .notBefore, .postponed, .batch: return nil
        case .paused, .earlierJob, .limit, .shared, .worker, nil: break
        }
        let held = fleet.pauses.filter { $0.holds(kind: job.kind, queue: job.queue) }
        guard let pause = held.max(by: { ($0.until ?? .never) < ($1.until ?? .never) }) else { return nil }
        let (name, value) =
            switch pause.target {
            case .kind(let kind): ("kind", kind)
            case .queue(let queue): ("lane", queue.rawValue)
            }
        let end = pause.until.map { "until \($0.iso8601)" } ?? "until somebody ends the pause"
        let note = pause.note.map { " The note: \($0)" } ?? ""
        return JobWhy(
            .paused, "\(pause.by) has paused the \(name) \(value) \(end); its time stands still.\(note)",
            since: max(pause.since, job.createdAt), until: pause.until,
            [name: JSON(value), "by": JSON(pause.by), "note": JSON(pause.note), "until": JSON(pause.until?.iso8601)])
    }

    private static func blocked(_ job: Job, by block: JobBlock, _ fleet: FleetSight, _ facts: Facts) -> JobWhy? {
        let since = job.createdAt
        switch block {
        case .notBefore(let time):
            guard let error = job.error else {
                return JobWhy(
                    .scheduled, "It begins at \(time.iso8601), as its request asks.", since: since, until: time,
                    ["until": JSON(time.iso8601)])
            }
            var details: JSONObject = [
                "attempt": JSON(job.attempt), "code": JSON(error.code.rawValue), "until": JSON(time.iso8601),
            ]
            details["provider"] = facts.failedProvider.map { JSON($0) }
            let provider = facts.failedProvider.map { " of \($0)" } ?? ""
            return JobWhy(
                .retry,
                "Attempt \(job.attempt) of \(job.maxAttempts) ended with \(error.code.rawValue); the next one begins at "
                    + "\(time.iso8601). The error\(provider): \(error.message)", since: since, until: time, details)
        case .postponed(var wait, let time):
            // Another process may have found it out, of whose calls this one's breaker knows nothing.
            if wait.reason == .breakerOpen, wait.failures ?? 0 == 0 { wait.failures = facts.failures }
            return postponed(job, wait, until: time)
        case .batch(let time):
            return JobWhy(
                .batch, "Its model call is in a batch; without an answer it goes on at \(time.iso8601).", since: since,
                until: time, ["until": JSON(time.iso8601)])
        case .earlierJob(let id):
            return JobWhy(
                .serial, "It begins after job \(id), since jobs of its concurrency key run one after the other.",
                since: since, ["job_id": JSON(id.description)])
        case .shared:
            let name = facts.sharedJob.map { "Job \($0)" } ?? "Another job"
            return JobWhy(
                .shared, "\(name) does the same work; this one ends with it.", since: since,
                facts.sharedJob.map { ["job_id": JSON($0.description)] } ?? [:])
        case .paused: return nil
        case .limit: return slot(job, fleet, facts)
        case .worker: return nil
        }
    }

    private static func postponed(_ job: Job, _ wait: WaitCause, until time: Timestamp) -> JobWhy? {
        let at = time.iso8601
        let provider = wait.provider ?? "the provider of its model"
        let (code, sentence): (WhyCode, String)
        switch wait.reason {
        case .providerBudget:
            let budget = wait.budget.map { " \($0)" } ?? wait.provider.map { " for \($0)" } ?? ""
            (code, sentence) = (
                .providerBudget, "The service's own budget of model calls\(budget) is used up until \(at)."
            )
        case .providerBlocked:
            let answer = wait.status.map { " It answered \($0)." } ?? ""
            (code, sentence) = (.providerBlocked, "No calls are taken by \(provider) until \(at).\(answer)")
        case .breakerOpen:
            let often = wait.failures.map { "\($0) calls in a row failed" } ?? "Too many calls in a row failed"
            (code, sentence) = (.breakerOpen, "\(often) at \(provider), which is asked again at \(at).")
        case .sharedWork:
            let work = wait.work.map { " (\($0))" } ?? ""
            (code, sentence) = (
                .shared,
                "Another job does work that several jobs share\(work); it goes on when that is done, or looks again at \(at)."
            )
        case .paused, .noCapableWorker, .noWorker: return nil
        }
        var details = wait.details
        details["until"] = JSON(at)
        return JobWhy(code, sentence, since: job.startedAt ?? job.createdAt, until: time, details)
    }

    private static func slot(_ job: Job, _ fleet: FleetSight, _ facts: Facts) -> JobWhy {
        var details: JSONObject = ["kind": JSON(job.kind)]
        let limits = fleet.limits[job.kind]
        // The user's limit holds when it is reached, or when there is no other one.
        let ofUser = limits?.perUser.flatMap { limit in
            limits?.fleet == nil || facts.permitsOfUser.map { $0 >= limit } ?? false ? limit : nil
        }
        var reason = "As many jobs of kind \(job.kind) run as may"
        if let limit = ofUser {
            (details["limit"], details["of"]) = (JSON(limit), "user")
            reason += ": \(limit) for a user"
        } else if let limit = limits?.fleet {
            (details["limit"], details["of"]) = (JSON(limit), "fleet")
            reason += ": \(limit) in the fleet"
        }
        return JobWhy(.slot, reason + ".", since: job.createdAt, details)
    }

    /// Why all workers with free places leave the job in the queue.
    private static func held(_ job: Job, _ able: [WorkerRecord]) -> HeldKind? {
        let free = able.filter { $0.busy < $0.places(of: job.queue) }
        guard job.queue == .background, free.allSatisfy({ $0.held[job.kind] != nil }) else { return nil }
        return free.first?.held[job.kind]
    }

    private static func waiting(_ job: Job, _ held: HeldKind, at now: Timestamp) -> JobWhy {
        let until = held.until > now ? held.until : nil
        let end = until.map { "; a call may begin at \($0.iso8601)" } ?? ""
        var details = held.cause.details
        details["until"] = JSON(until?.iso8601)
        let provider = held.cause.provider ?? "the provider"
        let (code, sentence): (WhyCode, String) =
            held.cause.reason == .providerBlocked
            ? (
                .providerBlocked,
                "No calls are taken by \(provider)\(end).\(held.cause.status.map { " It answered \($0)." } ?? "")"
            )
            : (
                .providerBudget,
                "The service's own budget of model calls \(held.cause.budget ?? provider) has no room for its first call"
                    + "\(end)."
            )
        return JobWhy(code, sentence, since: job.createdAt, until: until, details)
    }

    private static func ready(_ job: Job, _ fleet: FleetSight, _ ahead: Int?) -> JobWhy {
        let working = fleet.working
        if working.isEmpty {
            let draining = fleet.workers.count { $0.isAlive && $0.isDraining }
            return JobWhy(
                .noWorker,
                draining == 0 ? "No worker is alive." : "No worker takes jobs: all \(draining) that live are drained.",
                since: job.createdAt, ["draining": JSON(draining)])
        }
        if !working.contains(where: { $0.canRun(job) }) {
            let missing = Set(working.compactMap { $0.missing[job.kind] }).sorted().joined(separator: "; ")
            return JobWhy(
                .noCapableWorker,
                "\(working.count) workers live, and none can run the kind \(job.kind)"
                    + (missing.isEmpty ? "." : ": \(missing)."), since: job.createdAt,
                ["kind": JSON(job.kind), "missing": JSON(missing)])
        }
        let able = working.filter { $0.canRun(job) }
        if let held = held(job, able) { return waiting(job, held, at: fleet.now) }
        let places = able.reduce(0) { $0 + $1.places(of: job.queue) }
        let busy = able.reduce(0) { $0 + min($1.busy, $1.places(of: job.queue)) }
        let before = ahead.map { $0 == 1 ? "1 job is before it" : "\($0) jobs are before it" }
        var details: JSONObject = ["busy": JSON(busy), "places": JSON(places)]
        if let ahead { details["ahead"] = JSON(ahead) }
        return JobWhy(
            .queue,
            "It is ready" + (before.map { "; \($0)" } ?? "") + "; \(busy) of \(places) places are taken.",
            since: job.createdAt, details)
    }
}

extension WorkerRecord {
    fileprivate func places(of queue: QueueName) -> Int { queue == .background ? backgroundPlaces : places }

    fileprivate func canRun(_ job: Job) -> Bool {
        missing[job.kind] == nil && !unreadableBundles.contains(job.bundle)
    }
}

extension Duration {
    fileprivate var wholeSeconds: Int64 { components.seconds }
}
