internal import DossierAPI
internal import JSON
internal import JobQueue
package import LanguageModels
internal import Synchronization

/// Model calls of a job: journalled before their answers are used, paid for once, recorded even when they failed.
package struct ModelCalls: Sendable {
    private let router: ModelRouter

    package init(_ router: ModelRouter) { self.router = router }

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
        let calls = CallLedger(prefix: context.callID(name))
        let count = Mutex(0)
        let caller = CallContext(
            user: context.job.user == .system ? nil : context.job.user,
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
            if let answer = error.answer, error.isWorthRepairing {
                return (["response": answer.encoded, "problem": JSON(error.description)], calls.effects)
            }
            throw AgentError(error, effects: calls.effects, wasAsked: calls.wereMade)
        }
    }
}

/// The calls of one step that were billed, as effects.
private final class CallLedger: Sendable {
    private let prefix: String
    private let calls = Mutex<[ModelCall]>([])
    private let made = Mutex(false)

    init(prefix: String) { self.prefix = prefix }

    /// Whether a request went to any provider, billed or not.
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

extension JobContext {
    /// The id of a model call in the costs: unique to a step of one attempt.
    func callID(_ step: String) -> String { "\(job.lease.job)/\(job.lease.epoch)/\(step)" }
}

extension ModelCall {
    /// A call that made vectors.
    init(id: String, of model: ModelDescription, _ answer: EmbeddingModel.Answer) {
        self.init(
            id: id, provider: model.provider.rawValue, model: model.id, inputTokens: answer.tokens, outputTokens: 0,
            cacheReadTokens: 0, cacheWriteTokens: 0, costMicroDollars: answer.cost.rawValue)
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
        case .spendCapReached: .spendLimitReached
        case .refused, .unusable, .answerTooLarge, .truncated, .unparseable, .schemaViolation: .generationFailed
        case .invalidRequest, .unsupportedSchema: .internal
        default: self.provider == .gemini ? .gemini : .claude
        }
    }
}

extension AgentError {
    /// The outcome of an attempt after a failed call.
    init(_ error: ModelError, effects: [Effect], wasAsked: Bool) {
        switch error.kind {
        case .cancelled: self = .interrupted
        // No provider was asked, since all are overloaded or blocked. The job waits without losing an attempt.
        case _ where !wasAsked && error.isTransient:
            self = .snoozed(for: error.retryAfter ?? .seconds(5), reason: error.description)
        default:
            self = .failed(
                AgentFailure(
                    JobError(code: error.code, message: error.description, userMessage: error.userMessage),
                    isTransient: error.isTransient, retryAfter: error.retryAfter, effects: effects))
        }
    }
}
