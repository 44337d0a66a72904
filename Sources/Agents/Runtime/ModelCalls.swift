internal import DossierAPI
internal import JSON
internal import JobQueue
package import LanguageModels
internal import Synchronization

/// Model calls of a job: booked before they are made, journalled before their answers are used, paid for once.
package struct ModelCalls: Sendable {
    private let router: ModelRouter
    private let books: CallBooks

    package init(_ router: ModelRouter, books: CallBooks = .none) {
        self.router = router
        self.books = books
    }

    /// An answer with its place in the journal.
    package struct Answer: Sendable {
        package var response: ModelResponse
        /// The faults of an unusable answer, in words for the model that has to repair it.
        package var problem: String?
        package var sequence: Int64
    }

    /// Asks once in the life of the job; a run after an interruption gets the journalled answer.
    ///
    /// - Parameters:
    ///   - name: The step's name.
    ///   - call: The request; the same after an interruption, since it is made of journalled things only.
    ///   - context: The run.
    ///   - onText: Is called, while the answer comes, with the number of characters received.
    /// - Returns: The answer, which may lack the form that was asked for.
    /// - Throws: `failed` when there is no answer, with the calls that were paid for.
    package func ask(
        _ name: String, _ call: PromptCall, in context: JobContext, onText: @escaping @Sendable (Int) -> Void
    ) async throws(AgentError) -> Answer {
        let entry = try await context.journal.step(name, input: ["request": call.request.encoded]) {
            try context.requireLiveWorker()
            return try await respond(name, call, context, onText)
        }
        return try entry.decoded("answer") { field in
            Answer(
                response: try ModelResponse(decoding: field["response"]),
                problem: try field["problem"].optional?.string(), sequence: entry.sequence)
        }
    }

    private func respond(
        _ name: String, _ call: PromptCall, _ context: JobContext, _ onText: @escaping @Sendable (Int) -> Void
    ) async throws(AgentError) -> (output: JSON, effects: [Effect]) {
        let calls = books.book(for: name, of: context)
        let count = Mutex(0)
        let caller = CallContext(
            isInteractive: context.job.queue == .interactive, timeLeft: await context.timeLeft(),
            origin: CallOrigin(
                job: context.job.lease.job, attempt: context.job.attempt, step: name,
                requestID: context.job.requestID),
            book: calls)
        do throws(ModelError) {
            let response = try await router.respond(to: call.request, tier: call.tier, caller: caller) { event in
                let total = count.withLock { count in
                    if case .text(let text) = event { count += text.count } else { count = 0 }
                    return count
                }
                onText(total)
            }
            return (["response": response.encoded, "problem": nil], calls.takeEffects())
        } catch {
            if let answer = error.answer, error.isWorthRepairing {
                return (["response": answer.encoded, "problem": JSON(error.description)], calls.takeEffects())
            }
            let outcome = AgentError(
                error, wasAsked: calls.wereMade, isInteractive: context.job.queue == .interactive)
            guard case .failed(var failure) = outcome else {
                await calls.settle()
                throw outcome
            }
            failure.effects = calls.takeEffects()
            throw .failed(failure)
        }
    }
}

extension ModelError {
    /// Whether the answer may go back to the model with the reason: it lacks the form asked for, or it was cut off.
    fileprivate var isWorthRepairing: Bool {
        if case .truncated = self.kind { return true }
        return isRepairable
    }

    /// The code that clients see.
    fileprivate var code: ErrorCode {
        switch self.kind {
        case .outOfTime: .deadlinePassed
        case .spendCapReached(.user): .spendLimitReached
        case .spendCapReached: .serviceSpendLimitReached
        case .notBooked: .database
        case .refused, .unusable, .answerTooLarge, .truncated, .unparseable, .schemaViolation: .generationFailed
        case .invalidRequest, .unsupportedSchema: .internal
        default: self.provider == .gemini ? .gemini : .claude
        }
    }
}

extension ModelError {
    /// The pause before the job goes on.
    fileprivate var pause: Duration { self.retryAfter ?? .seconds(5) }
}

/// The longest pause for which a client that waits is not turned away.
private let longestInteractivePause: Duration = .seconds(2)

extension AgentError {
    /// The outcome of an attempt after a failed call.
    ///
    /// An interactive job has a client that waits on an open connection: it hears at once that the circuit breakers of
    /// all candidates are open, instead of waiting until one may be asked again.
    init(_ error: ModelError, wasAsked: Bool, isInteractive: Bool = false) {
        switch error.kind {
        case .cancelled: self = .interrupted
        case _ where isInteractive && error.postponement == .breakerOpen && error.pause > longestInteractivePause:
            self = .failed(
                AgentFailure(
                    JobError(code: error.code, message: error.description, userMessage: error.userMessage),
                    isTransient: false))
        case _ where error.postponement != nil:
            self = .snoozed(for: error.pause, reason: error.description)
        // No provider was asked, since all are overloaded or blocked. The job waits without losing an attempt.
        case _ where !wasAsked && error.isTransient:
            self = .snoozed(for: error.pause, reason: error.description)
        default:
            self = .failed(
                AgentFailure(
                    JobError(code: error.code, message: error.description, userMessage: error.userMessage),
                    isTransient: error.isTransient, retryAfter: error.retryAfter))
        }
    }
}
