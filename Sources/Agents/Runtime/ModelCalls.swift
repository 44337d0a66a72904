internal import JobQueue
internal import JSON
package import LanguageModels
internal import Prompts
internal import Synchronization

/// Model calls of a job: journalled before they are read, paid for once, recorded even when they were in vain.
package struct ModelCalls: Sendable {
    private let router: ModelRouter

    package init(_ router: ModelRouter) { self.router = router }

    /// An answer with its place in the journal.
    package struct Answer: Sendable {
        package var response: ModelResponse
        /// Why the answer is of no use as it is, in words for the model that is to repair it.
        package var problem: String?
        package var sequence: Int64
    }

    /// Asks once in the life of the job; a run after an interruption gets the journalled answer.
    ///
    /// - Parameters:
    ///   - name: The step's name.
    ///   - call: What to ask whom; the same after an interruption, since it is made of journalled things only.
    ///   - context: The run.
    ///   - onText: Gets the number of characters so far, while the answer comes.
    /// - Returns: The answer, or one that is there but not in the form that was asked for.
    /// - Throws: `failed` when there is no answer, with the calls that were paid for.
    package func ask(
        _ name: String, _ call: PromptCall, in context: JobContext, onText: @escaping @Sendable (Int) -> Void
    ) async throws(AgentError) -> Answer {
        let entry = try await context.journal.step(name, input: ["request": call.request.encoded]) {
            () async throws(AgentError) in
            guard context.isLive() else {
                throw .postponed(after: .seconds(1), reason: "the worker's heartbeat is late")
            }
            return try await respond(name, call, context, onText)
        }
        return try read(entry)
    }

    private func respond(
        _ name: String, _ call: PromptCall, _ context: JobContext, _ onText: @escaping @Sendable (Int) -> Void
    ) async throws(AgentError) -> (output: JSON, effects: [Effect]) {
        let calls = CallLedger(prefix: "\(context.job.lease.job)/\(context.job.lease.epoch)/\(name)")
        let count = Mutex(0)
        let caller = CallContext(
            user: context.job.user == .system ? nil : context.job.user.rawValue,
            isInteractive: context.job.queue == .interactive,
            onCall: { calls.add($0) })
        do throws(ModelError) {
            let response = try await router.respond(to: call.request, tier: call.tier, caller: caller) { event in
                let total = count.withLock { count in
                    if case .text(let text) = event { count += text.count } else { count = 0 }
                    return count
                }
                onText(total)
            }
            return (["response": response.encoded, "problem": nil], calls.effects)
        } catch {
            if let answer = error.answer, error.canBeMended {
                return (["response": answer.encoded, "problem": JSON(error.description)], calls.effects)
            }
            throw AgentError(error, effects: calls.effects, wasAsked: calls.wereMade)
        }
    }

    private func read(_ entry: Journal.Entry) throws(AgentError) -> Answer {
        let field = JSONField(entry.output)
        do {
            return Answer(
                response: try ModelResponse(decoding: field["response"]),
                problem: try field["problem"].optional?.string(), sequence: entry.sequence)
        } catch {
            throw .failed(
                AgentFailure(
                    .internalFailure("a journalled answer cannot be read: \(error)"), isTransient: false,
                    dropStepsFrom: entry.sequence))
        }
    }
}

/// The calls of one step that were billed, as effects.
private final class CallLedger: Sendable {
    private let prefix: String
    private let calls = Mutex<[ModelCall]>([])

    init(prefix: String) { self.prefix = prefix }

    private let made = Mutex(false)

    /// Whether any provider was asked, billed or not.
    var wereMade: Bool { made.withLock(\.self) }

    var effects: [Effect] { calls.withLock { $0.map(Effect.recordModelCall) } }

    func add(_ record: CallRecord) {
        made.withLock { $0 = true }
        guard let usage = record.usage else { return }
        calls.withLock { calls in
            calls.append(
                ModelCall(
                    id: "\(prefix)/\(calls.count)", provider: record.provider.rawValue, model: record.model,
                    inputTokens: usage.input, outputTokens: usage.output, cacheReadTokens: usage.cacheRead,
                    cacheWriteTokens: usage.cacheWrite5m + usage.cacheWrite1h,
                    costMicroDollars: record.cost?.rawValue ?? 0))
        }
    }
}

extension ModelError {
    /// Whether the answer is worth being sent back with the reason: it is not in the form asked for, or it was cut off.
    var canBeMended: Bool {
        if case .truncated = self.kind { return true }
        return isRepairable
    }
}

extension AgentError {
    /// What a failed call means for the attempt.
    init(_ error: ModelError, effects: [Effect], wasAsked: Bool) {
        switch error.kind {
        case .cancelled: self = .interrupted
        // Nobody was asked: the providers are resting or blocked. The job waits without losing an attempt.
        case _ where !wasAsked && error.isTransient:
            self = .postponed(after: error.retryAfter ?? .seconds(5), reason: error.description)
        default:
            self = .failed(
                AgentFailure(
                    JobError(code: error.code, message: error.description, userMessage: error.userMessage),
                    isTransient: error.isTransient, retryAfter: error.retryAfter, effects: effects))
        }
    }
}

extension ModelError {
    /// The code that clients see.
    fileprivate var code: String {
        switch self.kind {
        case .spendCapReached: "BIZ_2002"
        case .refused, .unusable, .answerTooLarge, .truncated, .unparseable, .schemaViolation: "BIZ_2003"
        case .invalidRequest, .unsupportedSchema: "SYS_5001"
        default: self.provider == .gemini ? "EXT_4001" : "EXT_4004"
        }
    }
}

extension ModelCall {
    /// A call that made vectors.
    init(id: String, of model: ModelDescription, _ answer: EmbeddingModel.Answer) {
        self.init(
            id: id, provider: model.provider.rawValue, model: model.id, inputTokens: answer.tokens, outputTokens: 0,
            cacheReadTokens: 0, cacheWriteTokens: 0, costMicroDollars: answer.cost.rawValue)
    }
}
