/// A job as clients see it. Timestamps are ISO 8601, UTC.
public struct JobResource: Codable, Sendable, Hashable, Identifiable {
    /// The job's id, a UUID.
    public var id: String
    /// The kind of job: `research`.
    public var kind: String
    /// What the job is about, in a line for lists: `AAPL as Warren Buffett`.
    public var subject: String?
    /// `pending`, `processing`, `completed`, `failed` or `cancelled`.
    public var status: String
    /// The progress, from 0 to 100.
    public var progress: Int
    /// The step that runs, in words for the user.
    public var currentStep: String?
    /// The number of the attempt, from 1; 0 before the first.
    public var attempt: Int
    /// The reason of a failure, or of the last failed attempt.
    public var error: ErrorResource?
    /// The reason why a pending job cannot run yet.
    public var blockedBy: Block?
    /// The time of the submit.
    public var createdAt: String
    /// The time when the first attempt started.
    public var startedAt: String?
    /// The time when the job ended.
    public var completedAt: String?
    /// The expected time of the result, in the answer to a submit with `within`.
    public var estimatedAt: String?

    /// The reason why a pending job cannot run yet.
    public struct Block: Codable, Sendable, Hashable {
        /// `run_at` (its start time is in the future), `retry` (the pause before another attempt), `provider` (no
        /// provider of models can be asked), `batch` (its model call is in a batch, and the job goes on at the time at
        /// the latest), `job` (another job runs first), `limit` (the kind's limit of running jobs is reached), `shared`
        /// (a job shared with other users has not started) or `no_worker` (no worker is alive that can run it).
        public var reason: String
        /// The time of the next start, with the reasons `run_at`, `retry`, `provider`, `batch` and sometimes
        /// `no_worker`.
        public var until: String?
        /// The other job, with the reason `job`.
        public var jobID: String?

        enum CodingKeys: String, CodingKey {
            case reason, until
            case jobID = "job_id"
        }
    }

    enum CodingKeys: String, CodingKey {
        case id, kind, subject, status, progress, attempt, error
        case currentStep = "current_step"
        case blockedBy = "blocked_by"
        case createdAt = "created_at"
        case startedAt = "started_at"
        case completedAt = "completed_at"
        case estimatedAt = "estimated_at"
    }

    /// Whether the job is completed, failed or cancelled.
    public var isFinished: Bool { ["completed", "failed", "cancelled"].contains(status) }
}

// MARK: Research

/// The answer to `POST /research/generate`.
public struct ReportSubmitted: Codable, Sendable, Hashable {
    /// The id of the report, which is its job's id.
    public var reportID: String
    /// The status of the report: `pending` as a rule.
    public var status: String
    /// The expected duration in seconds.
    public var estimatedSeconds: Int
    /// The path of the report's status.
    public var pollURL: String

    enum CodingKeys: String, CodingKey {
        case reportID = "report_id"
        case status
        case estimatedSeconds = "estimated_seconds"
        case pollURL = "poll_url"
    }
}

/// The answer to `GET /research/reports/{id}/status`.
public struct ReportStatus: Codable, Sendable, Hashable {
    /// `pending`, `processing`, `completed` or `failed`; a cancelled report has the status `failed`.
    public var status: String
    /// The progress, from 0 to 100.
    public var progress: Int
    /// The step that runs, in words for the user.
    public var currentStep: String?
    /// All steps of a report in their order.
    public var steps: [ReportStep]
    /// The reason of a failure, in words for the user.
    public var errorMessage: String?
    /// The time when the report ended: ISO 8601, UTC.
    public var completedAt: String?

    enum CodingKeys: String, CodingKey {
        case status, progress, steps
        case currentStep = "current_step"
        case errorMessage = "error_message"
        case completedAt = "completed_at"
    }
}

/// One step of a report.
public struct ReportStep: Codable, Sendable, Hashable {
    /// The progress of the report at the end of the step, from 0 to 100.
    public var progress: Int
    /// The step in words for the user.
    public var title: String
    /// `pending`, `running`, `done` or `failed`.
    public var state: String
}

/// An investor in whose voice reports are written.
public struct PersonaResource: Codable, Sendable, Hashable, Identifiable {
    /// The id: `buffett`.
    public var id: String
    /// The investor's name.
    public var name: String
    /// The investor's approach in one sentence.
    public var summary: String
    /// The version of the persona.
    public var version: Int
    /// A sentence as the investor would say it.
    public var voice: String?
    /// The lowest scores of the verdicts.
    public var thresholds: Thresholds

    /// The lowest scores (0 to 100) of the verdicts "fits" and "mixed".
    public struct Thresholds: Codable, Sendable, Hashable {
        /// From this score on the company fits the investor.
        public var fits: Double
        /// From this score on the picture is mixed.
        public var mixed: Double
    }
}

// MARK: Accounts

/// A user's credits; `granted == remaining + held + used`.
public struct CreditsResource: Codable, Sendable, Hashable {
    /// All credits that the user has received.
    public var granted: Int
    /// The credits that the user can spend.
    public var remaining: Int
    /// The credits held for unfinished jobs.
    public var held: Int
    /// The credits spent on completed jobs.
    public var used: Int
}

/// The answer to `GET /users/me`.
public struct UserResource: Codable, Sendable, Hashable, Identifiable {
    /// The number of the user in Dossier.
    public var id: Int64
    /// The id of the user outside Dossier.
    public var subject: String
    /// The time when the account was made: ISO 8601, UTC.
    public var createdAt: String
    /// The user's credits.
    public var credits: CreditsResource
    /// The plan, whose limits hold for the user.
    public var plan: PlanResource?
    /// The UTC month of `monthly`.
    public var period: Period?
    /// The credits that the plan gave in the month.
    public var monthly: MonthlyCredits?

    /// A stretch of time: ISO 8601, UTC.
    public struct Period: Codable, Sendable, Hashable {
        /// The begin.
        public var from: String
        /// The end, which does not belong to it.
        public var to: String
    }

    /// The plan credits of a month.
    public struct MonthlyCredits: Codable, Sendable, Hashable {
        /// The credits that came in the month.
        public var granted: Int
        /// The plan credits that were used in it.
        public var used: Int
    }

    enum CodingKeys: String, CodingKey {
        case id, subject, credits, plan, period, monthly
        case createdAt = "created_at"
    }
}

/// The plan of a user. A limit of `nil` does not hold.
public struct PlanResource: Codable, Sendable, Hashable, Identifiable {
    /// What the user may take.
    public struct Limits: Codable, Sendable, Hashable {
        /// The cost of the user's work in a UTC day.
        public var spendDollarsPerDay: Double?
        /// Requests in a minute.
        public var requestsPerMinute: Int?
        /// Event streams that are open at the same time.
        public var streams: Int?
        /// Requests that wait for a change of a job at the same time.
        public var waitingPolls: Int?
        /// Jobs that are not finished.
        public var unfinishedJobs: Int?
        /// Inputs, results and conversations.
        public var storedMebibytes: Int?
        /// Explanations and summaries for all users that the user's reading sets off in a UTC day.
        public var sharedWorkPerDay: Int?
        /// Calls to each data source that the user's reading of stocks sets off.
        public var sourceCallsPerMinute: Int?
        /// Addresses that hear of the user's jobs.
        public var webhookEndpoints: Int?

        enum CodingKeys: String, CodingKey {
            case streams
            case spendDollarsPerDay = "spend_dollars_per_day"
            case requestsPerMinute = "requests_per_minute"
            case waitingPolls = "waiting_polls"
            case unfinishedJobs = "unfinished_jobs"
            case storedMebibytes = "stored_mebibytes"
            case sharedWorkPerDay = "shared_work_per_day"
            case sourceCallsPerMinute = "source_calls_per_minute"
            case webhookEndpoints = "webhook_endpoints"
        }
    }

    /// The name of the plan in the operator's file.
    public var id: String
    /// The name for people.
    public var title: String
    /// What the user may take.
    public var limits: Limits
}
