internal import DossierAPI
internal import JSON
internal import JobQueue
package import LanguageModels
internal import Synchronization

/// Model calls of a job: booked before they are made, journalled before their answers are used, paid for once.
package struct ModelCalls: Sendable {
    private let router: ModelRouter
    private let books: CallBooks
    private let sharers: CacheSharers
    /// `nil` where all calls go at the full price: in replays and in tests of agents.
    private let batches: BatchDispatcher?
    let repairRates = RepairRates()

    /// - Parameters:
    ///   - router: The models.
    ///   - books: Counts every call.
    ///   - sharers: Knows the other jobs whose prompts begin in the same way.
    ///   - batches: Makes calls by batch.
    package init(
        _ router: ModelRouter, books: CallBooks = .none, sharers: CacheSharers = .none,
        batches: BatchDispatcher? = nil
    ) {
        self.router = router
        self.books = books
        self.sharers = sharers
        self.batches = batches
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
        let entry = try await context.journal.placedStep(name, input: ["request": call.request.encoded]) { place in
            try context.requireLiveWorker()
            if let answer = try await answerByBatch(place, call, context) { return answer }
            return try await respond(name, call, context, onText)
        }
        return try entry.decoded("answer") { field in
            Answer(
                response: try ModelResponse(decoding: field["response"]),
                problem: try field["problem"].optional?.string(), sequence: entry.sequence)
        }
    }

    /// The answer by batch; `nil` for a call that is to be made at the full price.
    ///
    /// - Throws: `waiting` when the answer is to come: the run has ended.
    private func answerByBatch(
        _ place: Journal.Place, _ call: PromptCall, _ context: JobContext
    ) async throws(AgentError) -> (output: JSON, effects: [Effect])? {
        let job = context.job
        guard let batches, let within = job.within else { return nil }
        let key = BatchLineKey(
            job: job.lease.job, step: place.name, occurrence: place.occurrence, inputHash: place.inputHash)
        let question = batches.question(
            key, prompt: call.route.prompt, request: call.request, tier: call.tier, route: call.route, within: within,
            deadline: job.deadline)
        guard let question else { return nil }
        let reply: BatchReply
        let limits = await books.spendLimits(of: job.user)
        do throws(StoreError) {
            reply = try await batches.ask(question, under: job.lease, limits: limits)
        } catch {
            throw AgentError(error)
        }
        let answer: String
        switch reply {
        case .waiting(let until): throw .waiting(until: until)
        case .fullPrice: return nil
        case .refused(let limit, let spend):
            books.noteRefusal(of: question, by: limit, spend, limits, of: job.user)
            throw AgentError(ModelError(.spendCapReached(limit)), wasAsked: false)
        case .answered(let text): answer = text
        }
        let journalled = [Effect.journalBatchLine(id: key.id)]
        do throws(ModelError) {
            guard let response = try batches.read(answer, to: call.request) else { return nil }
            return (["response": response.encoded, "problem": nil], journalled)
        } catch {
            guard let answer = error.answer, error.isWorthRepairing else {
                throw AgentError(error, wasAsked: true)
            }
            return (["response": answer.encoded, "problem": JSON(error.description)], journalled)
        }
    }

    private func respond(
        _ name: String, _ call: PromptCall, _ context: JobContext, _ onText: @escaping @Sendable (Int) -> Void
    ) async throws(AgentError) -> (output: JSON, effects: [Effect]) {
        let calls = books.book(for: name, of: context)
        let count = Mutex(0)
        let caller = CallContext(
            isInteractive: context.job.queue == .interactive, timeLeft: await context.timeLeft(),
            place: CallPlace(user: context.job.user, createdAt: context.job.createdAt),
            origin: CallOrigin(
                job: context.job.lease.job, attempt: context.job.attempt, step: name,
                requestID: context.job.requestID),
            book: calls, route: call.route, expectedReads: await sharers.expectedReads(call.expectedReads, of: context))
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
    /// The code that clients see.
    fileprivate var code: ErrorCode {
        switch self.kind {
        case .outOfTime, .tooLittleTime: .deadlinePassed
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
    /// What a job waits for that was postponed because of this error.
    fileprivate var waitCause: WaitCause {
        if let wait = self.wait { return wait }
        let reason: WaitReason =
            switch self.postponement {
            case .breakerOpen: .breakerOpen
            case .retryBudget, .providerBudget: .providerBudget
            case nil: .providerBlocked
            }
        return WaitCause(reason, provider: self.provider?.rawValue, status: self.status)
    }

    /// The pause before the job goes on.
    fileprivate var pause: Duration { self.retryAfter ?? .seconds(5) }

    /// The pause of a job that waits with others for the same model: the first of them tests it or is served, and the
    /// rest follow one after the other.
    fileprivate var spreadPause: Duration {
        pause + .milliseconds(Int64.random(in: 0...Self.spread))
    }

    /// Milliseconds.
    private static let spread: Int64 = 3000
}

extension AgentError {
    /// The outcome of an attempt after a failed call.
    ///
    /// An interactive job has a client that waits on an open connection: it hears at once that the circuit breakers of
    /// all candidates are open, instead of waiting until one may be asked again.
    init(_ error: ModelError, wasAsked: Bool, isInteractive: Bool = false) {
        switch error.kind {
        case .cancelled: self = .interrupted
        case _ where isInteractive && error.postponement == .breakerOpen:
            self = .failed(
                AgentFailure(
                    JobError(code: error.code, message: error.description, userMessage: error.userMessage),
                    isTransient: false))
        case _ where error.postponement != nil:
            self = .snoozed(for: error.spreadPause, reason: error.description, waitingFor: error.waitCause)
        // Waiting for a provider's limit is no fault of the job.
        case .rateLimited:
            self = .snoozed(for: error.spreadPause, reason: error.description, waitingFor: error.waitCause)
        // No provider was asked, since all are overloaded or blocked. The job waits without losing an attempt.
        case _ where !wasAsked && error.isTransient:
            self = .snoozed(for: error.pause, reason: error.description, waitingFor: error.waitCause)
        default:
            self = .failed(
                AgentFailure(
                    JobError(code: error.code, message: error.description, userMessage: error.userMessage),
                    isTransient: error.isTransient, retryAfter: error.retryAfter))
        }
    }
}
