package import JobQueue
package import JSON

/// A kind of job, as a file in `jobs/` defines it.
package struct JobKind: Sendable {
    /// The name that requests use.
    package var name: String
    /// A line for readers.
    package var title: String
    /// The agent that runs its jobs.
    package var agent: String
    /// Credits that a result costs.
    package var credits: Int
    package var queue: QueueName
    /// From submission to the end, retries included.
    package var deadline: Duration
    /// The usual duration, as reported to clients.
    package var estimate: Duration
    package var retries: RetryPolicy
    /// The time that its scheduled jobs have, so that their model calls go by batch; `nil` when they go at once.
    package var batch: Duration?
    /// The number of its jobs that run at once, in the whole fleet and for each user.
    package var limits: ConcurrencyLimits = .none
    /// The member of the input that makes the concurrency key: a user's jobs with one value run one after the other.
    package var serial: String?
    /// What a job is about, for lists.
    package var subject: SubjectTemplate?
    /// For marks of its prompts, the member of the input by which jobs share the text before the mark.
    package var cacheKeys: [String: String] = [:]
    /// The times at which it runs without a request.
    package var schedules: [JobSchedule] = []
    /// Whether only operators may submit it, because all users see its results.
    package var isForOperators = false
    /// The agent's settings beside a job's input; an object.
    package var settings: JSON = [:]
    /// The tier of models (`fast`, `deep`) that its calls use.
    package var tier: String
    /// The names of its prompts by the role that the agent knows (`draft`).
    package var prompts: [String: String]
    /// The stages in the order in which they run; their weights add up to 100.
    package var stages: [Stage]
    /// JSON Schema of the input.
    package var inputSchema: JSON

    /// A part of the work that a client sees as one step.
    package struct Stage: Sendable, Hashable {
        package var name: String
        /// Its share of the whole, in percent.
        package var weight: Int
        /// The text that a reader sees while it runs.
        package var says: String
    }

    package init(
        name: String, title: String, agent: String, credits: Int, queue: QueueName, deadline: Duration,
        estimate: Duration,
        retries: RetryPolicy, tier: String, prompts: [String: String], stages: [Stage], inputSchema: JSON
    ) {
        self.name = name
        self.title = title
        self.agent = agent
        self.credits = credits
        self.queue = queue
        self.deadline = deadline
        self.estimate = estimate
        self.retries = retries
        self.tier = tier
        self.prompts = prompts
        self.stages = stages
        self.inputSchema = inputSchema
    }

    /// A job that the service submits by itself: it belongs to no user and costs no credit.
    package func jobOfService(
        _ id: JobID, input: JSON, bundle: String, deadline: Timestamp, known: [SubjectTemplate.Known: String] = [:]
    ) -> NewJob {
        var job = NewJob(
            id: id, user: .system, kind: name, input: input, bundle: bundle, cost: 0, deadline: deadline,
            startingCredits: 0)
        job.queue = queue
        job.maxAttempts = retries.attempts
        job.limits = limits
        job.subject = subject(of: input, personas: [:], known: known)
        return job
    }

    /// The concurrency key of a job with this input; `nil` when it has none. The key holds the kind, so kinds do not
    /// wait for each other.
    package func concurrencyKey(of input: JSON) -> String? {
        serial.flatMap { input[$0]?.string }.map { "\(name)/\($0)" }
    }

    /// The progress (0–100) of a job that has done a fraction of a stage, and the text for readers; `nil` for a stage
    /// that the kind does not have.
    package func progress(in stage: String, fraction: Double) -> (percent: Int, says: String)? {
        guard let place = stages.firstIndex(where: { $0.name == stage }) else { return nil }
        let before = stages[..<place].reduce(0) { $0 + $1.weight }
        let share = Double(stages[place].weight) * min(max(fraction, 0), 1)
        return (before + Int(share), stages[place].says)
    }
}

/// Jobs of a kind that are submitted at certain times.
package struct JobSchedule: Sendable {
    /// A hash of kind, times and input: an edited schedule is another one.
    package var id: String
    package var times: ScheduleTimes
    /// The input of each job, checked against the kind's schema.
    package var input: JSON
}
