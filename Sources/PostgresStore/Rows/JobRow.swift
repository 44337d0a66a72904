internal import JobQueue

extension Job {
    /// Reads the place that a question had and a row of the view `job_record`.
    static func reading(_ row: inout PostgresRow) throws -> (place: Int, job: Job) {
        let place = row.int()
        let now = row.timestamp()
        return (place, try Job(&row, now: now))
    }

    private init(_ row: inout PostgresRow, now: Timestamp) throws {
        let id = row.jobID()
        let user = row.user()
        let kind = row.text()
        let input = row.text()
        let bundle = row.text()
        let status = try row.status()
        let lane = try row.lane()
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
        self.init(
            id: id, user: user, kind: kind, inputText: input, bundle: bundle, status: status, lane: lane,
            priority: priority, progress: progress, currentStep: currentStep, attempt: attempt,
            maxAttempts: maxAttempts, cost: cost,
            error: errorCode.map {
                JobError(code: $0, message: errorMessage ?? "", userMessage: errorUserMessage ?? "")
            },
            revision: revision, createdAt: createdAt, startedAt: startedAt, completedAt: completedAt,
            deadline: deadline,
            blockedBy: heldUpBy.map { .serial($0) } ?? runAt.flatMap { $0 > now ? .notBefore($0) : nil }
                ?? (isWaiting ? .limit : nil))
    }

    /// The job as it reads right after its submit, which so need not read it back.
    init(accepted job: NewJob, input: String, at now: Timestamp) {
        let runAt = job.runAt.flatMap { $0 > now ? $0 : nil }
        self.init(
            id: job.id, user: job.user, kind: job.kind, inputText: input, bundle: job.bundle, status: .pending,
            lane: job.lane, priority: job.priority, progress: 0, currentStep: nil, attempt: 0,
            maxAttempts: job.maxAttempts, cost: job.cost, error: nil, revision: 1, createdAt: now, startedAt: nil,
            completedAt: nil, deadline: job.deadline, blockedBy: runAt.map { .notBefore($0) })
    }
}
