public import JSON
public import JobQueue
public import Records

/// Does the work of one or more kinds of jobs.
///
/// An agent reads through its context and writes nothing: what it finds out goes into journalled steps and into its
/// result, so that a run interrupted anywhere goes on from its last step.
public protocol Agent: Sendable {
    /// The name that `agent:` in a job kind gives.
    var name: String { get }

    /// Runs one attempt.
    func run(_ context: JobContext) async throws(AgentError) -> AgentResult
}

/// What a run that succeeded leaves: the job's result, and records that are stored with it in one transaction.
public struct AgentResult: Sendable {
    public var body: JSON
    public var records: [RecordChange]

    public init(_ body: JSON, records: [RecordChange] = []) {
        self.body = body
        self.records = records
    }
}

/// Why an attempt ended without a result.
public enum AgentError: Error, Sendable {
    /// The attempt failed. Whether it is tried again is the job's retry policy's matter.
    ///
    /// Indirect: an async function sets room aside for each error that it may throw, and waits with it for minutes.
    indirect case failed(AgentFailure)
    /// Nothing is wrong with the job, but it cannot go on now (a provider is blocked for a while, the database is
    /// away): hand it back without costing an attempt.
    case postponed(after: Duration, reason: String)
    /// The job was cancelled, rescued or finished elsewhere, or the worker drains: stop, write nothing.
    case interrupted
}

public struct AgentFailure: Sendable {
    public var error: JobError
    /// Whether the same again could succeed.
    public var isTransient: Bool
    /// A provider's hint; a lower bound of the pause.
    public var retryAfter: Duration?
    /// The first journalled step that must not be reused.
    public var dropStepsFrom: Int64?
    /// Calls that were paid for and that no step carries.
    public var effects: [Effect]

    public init(
        _ error: JobError, isTransient: Bool, retryAfter: Duration? = nil, dropStepsFrom: Int64? = nil,
        effects: [Effect] = []
    ) {
        self.error = error
        self.isTransient = isTransient
        self.retryAfter = retryAfter
        self.dropStepsFrom = dropStepsFrom
        self.effects = effects
    }
}

extension JobError {
    /// Something is wrong with Dossier itself.
    public static func internalFailure(_ message: String) -> JobError {
        JobError(
            code: "SYS_5001", message: message, userMessage: "Something went wrong on our side. Nothing was charged.")
    }
}
