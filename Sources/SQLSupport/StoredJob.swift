internal import DossierAPI
package import JobQueue
internal import JSON

extension Job {
    /// Reads the columns of the view `job_record` in their order.
    package init(_ row: inout some StoredRow, now: Timestamp) throws {
        let id = row.jobID()
        let user = row.user()
        let kind = row.text()
        let input = row.largeText()
        let bundle = row.text()
        let status = try row.status()
        let queue = try row.queue()
        let priority = row.int()
        let progress = row.int()
        let currentStep = row.textIfAny()
        let attempt = row.int()
        let maxAttempts = row.int()
        let cost = row.int()
        let errorCode = row.textIfAny()
        let errorMessage = row.textIfAny()
        let errorUserMessage = row.textIfAny()
        let revision = row.integer()
        let createdAt = row.timestamp()
        let startedAt = row.timestampIfAny()
        let completedAt = row.timestampIfAny()
        let deadline = row.timestamp()
        let runAt = row.timestampIfAny()
        let heldUpBy = row.jobIDIfAny()
        let isWaiting = row.flag()
        let isSubscriber = row.flag()
        let waitsFor = row.textIfAny().flatMap(WaitCause.init(stored:))
        let within = row.integerIfAny().map { Duration.milliseconds($0) }
        let subject = row.textIfAny()
        let pause = runAt.flatMap { $0 > now ? $0 : nil }
        let lastChance = within.map { BatchTimes.lastChance(deadline: deadline, within: $0) }
        let block: JobBlock? =
            heldUpBy.map { .earlierJob($0) }
            ?? pause.map { time in
                if time == .never { return .paused(until: nil) }
                // A job waits for its last chance only while its model call is in a batch.
                return time == lastChance
                    ? .batch(until: time) : waitsFor.map { .postponed($0, until: time) } ?? .notBefore(time)
            }
            ?? (isWaiting ? .limit : isSubscriber && status == .pending ? .shared : nil)
        self.init(
            id: id, user: user, kind: kind, inputText: input, bundle: bundle, status: status, queue: queue,
            priority: priority, progress: progress, currentStep: currentStep, attempt: attempt,
            maxAttempts: maxAttempts, cost: cost,
            error: errorCode.map {
                JobError(
                    code: ErrorCode(rawValue: $0), message: errorMessage ?? "", userMessage: errorUserMessage ?? "")
            },
            revision: revision, createdAt: createdAt, startedAt: startedAt, completedAt: completedAt,
            deadline: deadline, blockedBy: block, within: within, subject: subject)
    }

    /// The job right after its submit, so that the submit need not read it back.
    package init(accepted job: NewJob, input: String, at now: Timestamp, notBefore runAt: Timestamp?) {
        self.init(
            id: job.id, user: job.user, kind: job.kind, inputText: input, bundle: job.bundle, status: .pending,
            queue: job.queue, priority: job.priority, progress: 0, currentStep: nil, attempt: 0,
            maxAttempts: job.maxAttempts, cost: job.cost, error: nil, revision: 1, createdAt: now, startedAt: nil,
            completedAt: nil, deadline: job.deadline, blockedBy: runAt.map { .notBefore($0) }, within: job.within,
            subject: job.subject)
    }
}

/// A claimed job with unparsed input, so that the caller's thread parses it.
package struct StoredClaim: Sendable {
    private var claimed: ClaimedJob
    private var input: String

    package var id: JobID { claimed.lease.job }

    package init(_ row: inout some StoredRow) throws {
        let lease = Lease(job: row.jobID(), epoch: row.integer())
        let user = row.user()
        let kind = row.text()
        input = row.largeText()
        claimed = ClaimedJob(
            lease: lease, user: user, kind: kind, input: .null, bundle: row.text(), queue: try row.queue(),
            attempt: row.int(), maxAttempts: row.int(), progress: row.int(), createdAt: row.timestamp(),
            deadline: row.timestamp(), requestID: row.textIfAny(),
            within: row.integerIfAny().map { .milliseconds($0) })
        claimed.wasReady = row.flag()
        let origin = RequestOrigin(stored: claimed.requestID)
        (claimed.requestID, claimed.traceparent) = (origin.id, origin.traceparent)
    }

    package var job: ClaimedJob {
        var job = claimed
        job.input = (try? JSON(parsing: input)) ?? .null
        return job
    }
}

/// A step with unparsed output.
package struct StoredStep: Sendable {
    private var bare: Step
    private var output: String

    package init(_ row: inout some StoredRow) { self.init(&row) { $0.largeText() } }

    /// Reads the columns in their order, the output by `read`.
    package init<Row: StoredRow>(_ row: inout Row, output read: (inout Row) -> String) {
        bare = Step(name: row.text(), occurrence: row.int(), inputHash: row.text(), output: .null)
        output = read(&row)
        bare.sequence = row.integer()
        let (epoch, startedAt, endedAt) = (row.integerIfAny(), row.timestampIfAny(), row.timestampIfAny())
        if let epoch, let startedAt, let endedAt {
            bare.made = Step.Made(epoch: epoch, startedAt: startedAt, endedAt: endedAt)
        }
    }

    package var step: Step {
        var step = bare
        step.output = (try? JSON(parsing: output)) ?? .null
        return step
    }
}

extension JobCount {
    package init(_ row: inout some StoredRow) throws {
        let word = row.text()
        guard let category = Category(rawValue: word) else {
            throw StoreError.unexpected(reason: "a count of '\(word)'")
        }
        self.init(category: category, kind: row.text(), status: try row.status(), count: row.int())
        reason = row.textIfAny().flatMap(WhyCode.init(rawValue:))
    }
}
