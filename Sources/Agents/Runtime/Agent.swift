package import JSON
package import JobQueue

/// Does the work of one or more kinds of jobs.
///
/// An agent reads through its context and writes nothing: what it finds out goes into journalled steps and into its
/// result, so that a run interrupted anywhere goes on from its last step.
package protocol Agent: Sendable {
    /// The name that `agent:` in a job kind gives.
    var name: String { get }

    /// Runs one attempt.
    func run(_ context: JobContext) async throws(AgentError) -> AgentResult
}

/// What a run that succeeded leaves: the job's result, and records that are stored with it in one transaction.
package struct AgentResult: Sendable {
    package var body: JSON
    package var records: [RecordChange]

    package init(_ body: JSON, records: [RecordChange] = []) {
        self.body = body
        self.records = records
    }
}

/// Why an attempt ended without a result.
package enum AgentError: Error, Sendable {
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

package struct AgentFailure: Sendable {
    package var error: JobError
    /// Whether the same again could succeed.
    package var isTransient: Bool
    /// A provider's hint; a lower bound of the pause.
    package var retryAfter: Duration?
    /// The first journalled step that must not be reused.
    package var dropStepsFrom: Int64?
    /// Calls that were paid for and that no step carries.
    package var effects: [Effect]

    package init(
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
    package static func internalFailure(_ message: String) -> JobError {
        JobError(
            code: "SYS_5001", message: message, userMessage: "Something went wrong on our side. Nothing was charged.")
    }
}
