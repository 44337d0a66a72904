internal import Articles
internal import DataSources
internal import DossierAPI
package import JSON
package import JobQueue

/// Does the work of one or more kinds of jobs.
///
/// An agent reads through its context and writes nothing (but for the parts of an archive): its findings go into journalled steps and into its result, so
/// that a run that is interrupted anywhere goes on from its last step. `AgentRegistry` lists all agents.
package protocol Agent: Sendable {
    /// Runs one attempt.
    func run(_ context: JobContext) async throws(AgentError) -> AgentResult
}

/// The outcome of a run that succeeded: the job's result, and records that are stored with it in one transaction.
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
    /// The attempt failed. The job's retry policy decides whether there is another one.
    ///
    /// Indirect: an async function sets room aside for each error that it may throw, and waits with it for minutes.
    indirect case failed(AgentFailure)
    /// Nothing is wrong with the job, but it cannot go on now (a provider is blocked for a while, the database is
    /// away): release it without costing an attempt.
    case snoozed(for: Duration, reason: String, waitingFor: WaitCause? = nil)
    /// The job waits for the answer to a model call that is in a batch. The store has taken it back already.
    case waiting(until: Timestamp)
    /// The job was cancelled, rescued or finished elsewhere, or the worker drains: stop, write nothing.
    case interrupted
}

/// A failed attempt.
package struct AgentFailure: Sendable {
    package var error: JobError
    /// Whether another attempt could succeed.
    package var isTransient: Bool
    /// A provider's hint; a lower bound of the pause before the next attempt.
    package var retryAfter: Duration?
    /// The first journalled step that must not be reused.
    package var dropStepsFrom: Int64?
    /// Calls that were paid for and that no step carries.
    package var effects: [Effect]
    /// The answers that failed their checks, with their steps: they were paid for, and a result without them names them.
    var answers: [(step: String, answer: ModelCalls.Answer)] = []

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
    /// A fault of Dossier itself.
    package static func internalFailure(_ message: String) -> JobError {
        JobError(
            code: .internal, message: message, userMessage: "Something went wrong on our side. Nothing was charged.")
    }
}

// MARK: Errors of other parts as outcomes of a run

extension AgentError {
    /// A fault of Dossier itself, which another attempt would meet again.
    ///
    /// `sequence` is the first journalled step that must not be reused.
    static func internalFailure(_ message: String, dropStepsFrom sequence: Int64? = nil) -> AgentError {
        .failed(AgentFailure(.internalFailure(message), isTransient: false, dropStepsFrom: sequence))
    }

    /// A request for something that does not exist, or not any more.
    static func notFound(_ message: String, userMessage: String) -> AgentError {
        .failed(
            AgentFailure(JobError(code: .notFound, message: message, userMessage: userMessage), isTransient: false))
    }

    /// The outcome of a run after an error of a step's work.
    init(causedBy error: any Error) {
        switch error {
        case let error as AgentError: self = error
        case let error as StoreError: self.init(error)
        case let error as DataSourceError: self.init(error)
        case let error as FetchError: self.init(error)
        case is CancellationError: self = .interrupted
        default: self = .internalFailure("\(error)")
        }
    }

    /// Runs `body`, whose errors become errors of the run: for reads of the store outside of a step.
    static func mapping<Value>(_ body: () async throws -> Value) async throws(AgentError) -> Value {
        do {
            return try await body()
        } catch {
            throw AgentError(causedBy: error)
        }
    }

    init(_ error: StoreError) {
        switch error {
        case .leaseLost, .workerUnknown: self = .interrupted
        case .unavailable, .full: self = .snoozed(for: .seconds(1), reason: error.description)
        // No fault of the job: it waits until the database or the version of Dossier has been mended.
        case .damaged, .unexpected: self = .snoozed(for: .seconds(5), reason: error.description)
        case .invalidText, .overLimit, .invalidValue: self = .internalFailure(error.description)
        }
    }

    init(_ error: DataSourceError) {
        let code: ErrorCode
        let userMessage: String
        switch error {
        case .cancelled:
            self = .interrupted
            return
        case .invalidTicker: (code, userMessage) = (.invalidTicker, "That does not look like a ticker.")
        case .notFound: (code, userMessage) = (.stockNotFound, "We could not find a company with that ticker.")
        case .missingPrices, .unusablePrices:
            (code, userMessage) = (.stockNotFound, "There are no usable prices of this stock.")
        case .noData, .notCovered:
            (code, userMessage) = (.dataSource, "There are no filings with figures for this company.")
        default:
            (code, userMessage) = (
                .dataSource, "The company's filings cannot be read right now. Please try again later."
            )
        }
        self = .failed(
            AgentFailure(
                JobError(code: code, message: "\(error)", userMessage: userMessage), isTransient: error.isTransient,
                retryAfter: error.retryAfter))
    }

    init(_ error: FetchError) {
        let userMessage: String
        switch error {
        case .cancelled:
            self = .interrupted
            return
        case .invalidURL, .notPublic: userMessage = "That does not look like the address of a web page."
        case .notAPage, .noText, .tooLarge: userMessage = "We could not find a text to read at that address."
        case .video(.notAVideo): userMessage = "Please give the address of one video."
        case .video: userMessage = "We could not read what is said in that video."
        default: userMessage = "We could not open that address. Please check it, or try again later."
        }
        self = .failed(
            AgentFailure(
                JobError(
                    code: .contentUnavailable, message: "The content cannot be read: \(error).",
                    userMessage: userMessage),
                isTransient: error.isTransient))
    }
}
