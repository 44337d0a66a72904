package import JSON
package import JobQueue

/// A kind of job, as a file in `jobs/` defines it.
package struct JobKind: Sendable {
    /// The name that requests use.
    package var name: String
    /// One line for people.
    package var title: String
    /// The agent that runs it.
    package var agent: String
    /// Credits that a result costs.
    package var credits: Int
    package var queue: QueueName
    /// From submission to the end, retries included.
    package var deadline: Duration
    /// What clients are told to expect.
    package var estimate: Duration
    package var retries: RetryPolicy
    /// How many of its jobs run at once in the whole fleet.
    package var limits: ConcurrencyLimits = .none
    /// The member of the input whose value is the serial key: a user's jobs of one value run one after the other.
    package var serial: String?
    /// When it runs without being asked.
    package var schedules: [JobSchedule] = []
    /// Whether no ordinary user may submit it: what it writes is everybody's.
    package var isForOperators = false
    /// What the agent is told beside a job's input; an object.
    package var settings: JSON = [:]
    /// The tier of models (`fast`, `deep`) that its calls use.
    package var tier: String
    /// The prompts it uses: the role that the agent knows (`draft`) and the prompt's name.
    package var prompts: [String: String]
    /// In the order in which they run; their weights add up to 100.
    package var stages: [Stage]
    /// JSON Schema of the input.
    package var inputSchema: JSON

    /// A stretch of the work that a client sees as one step.
    package struct Stage: Sendable, Hashable {
        package var name: String
        /// Its share of the whole, in percent.
        package var weight: Int
        /// What a person reads while it runs.
        package var says: String

        package init(name: String, weight: Int, says: String) {
            self.name = name
            self.weight = weight
            self.says = says
        }
    }

    package init(
        name: String, title: String, agent: String, credits: Int, queue: QueueName, deadline: Duration, estimate: Duration,
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

    /// The serial key of a job with this input; `nil` when it has none. Kinds do not share lines.
    package func concurrencyKey(of input: JSON) -> String? {
        serial.flatMap { input[$0]?.string }.map { "\(name)/\($0)" }
    }

    /// The progress of a job (0–100) that has done a fraction of a stage, and what to tell people; `nil` for a stage
    /// that the kind does not have.
    package func progress(in stage: String, fraction: Double) -> (percent: Int, says: String)? {
        guard let place = stages.firstIndex(where: { $0.name == stage }) else { return nil }
        let before = stages[..<place].reduce(0) { $0 + $1.weight }
        let share = Double(stages[place].weight) * min(max(fraction, 0), 1)
        return (before + Int(share), stages[place].says)
    }
}
