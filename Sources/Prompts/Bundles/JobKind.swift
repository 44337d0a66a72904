public import JSON
public import JobQueue

/// A kind of job, as a file in `jobs/` defines it.
public struct JobKind: Sendable {
    /// The name that requests use.
    public var name: String
    /// One line for people.
    public var title: String
    /// The agent that runs it.
    public var agent: String
    /// Credits that a result costs.
    public var credits: Int
    public var lane: Lane
    /// From submission to the end, retries included.
    public var deadline: Duration
    /// What clients are told to expect.
    public var estimate: Duration
    public var retries: RetryPolicy
    /// How many of its jobs run at once in the whole fleet.
    public var limits: ConcurrencyLimits = .none
    /// The member of the input whose value is the serial key: a user's jobs of one value run one after the other.
    public var serial: String?
    /// When it runs without being asked.
    public var schedules: [JobSchedule] = []
    /// Whether no ordinary user may submit it: what it writes is everybody's.
    public var isForOperators = false
    /// What the agent is told beside a job's input; an object.
    public var settings: JSON = [:]
    /// The tier of models (`fast`, `deep`) that its calls use.
    public var tier: String
    /// The prompts it uses: the role that the agent knows (`draft`) and the prompt's name.
    public var prompts: [String: String]
    /// In the order in which they run; their weights add up to 100.
    public var stages: [Stage]
    /// JSON Schema of the input.
    public var inputSchema: JSON

    /// A stretch of the work that a client sees as one step.
    public struct Stage: Sendable, Hashable {
        public var name: String
        /// Its share of the whole, in percent.
        public var weight: Int
        /// What a person reads while it runs.
        public var says: String

        public init(name: String, weight: Int, says: String) {
            self.name = name
            self.weight = weight
            self.says = says
        }
    }

    public init(
        name: String, title: String, agent: String, credits: Int, lane: Lane, deadline: Duration, estimate: Duration,
        retries: RetryPolicy, tier: String, prompts: [String: String], stages: [Stage], inputSchema: JSON
    ) {
        self.name = name
        self.title = title
        self.agent = agent
        self.credits = credits
        self.lane = lane
        self.deadline = deadline
        self.estimate = estimate
        self.retries = retries
        self.tier = tier
        self.prompts = prompts
        self.stages = stages
        self.inputSchema = inputSchema
    }

    /// The serial key of a job with this input; `nil` when it has none. Kinds do not share lines.
    public func serialKey(of input: JSON) -> String? {
        serial.flatMap { input[$0]?.string }.map { "\(name)/\($0)" }
    }

    /// The progress of a job (0–100) that has done a fraction of a stage, and what to tell people; `nil` for a stage
    /// that the kind does not have.
    public func progress(in stage: String, fraction: Double) -> (percent: Int, says: String)? {
        guard let place = stages.firstIndex(where: { $0.name == stage }) else { return nil }
        let before = stages[..<place].reduce(0) { $0 + $1.weight }
        let share = Double(stages[place].weight) * min(max(fraction, 0), 1)
        return (before + Int(share), stages[place].says)
    }
}
