package import Agents
internal import Basics
internal import JSON
package import JobQueue
internal import LanguageModels
package import Prompts
internal import Synchronization

/// Turns a job of the database into cases: its prompts, their values, and the answers that its journal holds.
///
/// The agent goes through the journal again without asking anybody, so a case has exactly what production rendered.
package struct JobCase: Sendable {
    /// A prompt that the job filled in, with the answer if the journal still has it.
    package struct Use: Sendable {
        package var use: PromptUse
        var response: ModelResponse?
        /// Why the answer could not be used, if it could not.
        var problem: String?
    }

    package struct Failure: Error, Sendable, CustomStringConvertible {
        package var description: String
    }

    private let agent: any Agent
    private let job: Job
    private let steps: [Step]
    /// The bundle that the job was submitted with.
    private let bundle: Bundle

    /// A job to look into, with its own bundle and an agent of its kind. What the agent would fetch stands in the
    /// journal, so it needs no services.
    package init(_ job: Job, steps: [Step], bundle: Bundle, agent: any Agent) {
        self.agent = agent
        self.job = job
        self.steps = steps
        self.bundle = bundle
    }

    /// Goes through the journal again.
    ///
    /// - Throws: `Failure` when the journal does not lead to a prompt.
    package func uses() async throws(Failure) -> [Use] {
        guard let kind = bundle.kinds[job.kind] else {
            throw Failure(description: "the job's bundle has no kind '\(job.kind)'")
        }
        let lease = Lease(job: job.id, epoch: 0)
        let claimed = ClaimedJob(
            lease: lease, user: job.user, kind: job.kind, input: job.input, bundle: job.bundle, queue: job.queue,
            attempt: max(1, job.attempt), maxAttempts: job.maxAttempts, progress: 0, createdAt: job.createdAt,
            deadline: job.deadline, requestID: nil)
        let found = Mutex<[PromptUse]>([])
        let context = JobContext(
            job: claimed, kind: kind, bundle: bundle, journal: Journal(replaying: steps), isLive: { true },
            onPrompt: { use in found.withLock { $0.append(use) } }, report: { _, _ in })
        var reason = "the journal ends before the first prompt"
        do throws(AgentError) {
            _ = try await agent.run(context)
        } catch {
            if case .failed(let failure) = error { reason = failure.error.message }
        }
        let uses = found.withLock(\.self)
        guard !uses.isEmpty else { throw Failure(description: "the job shows no prompt: \(reason)") }
        return uses.map(answered)
    }

    /// Finds the answer by what the journal calls a model call: the hash of its request.
    private func answered(_ use: PromptUse) -> Use {
        let call: JSON = ["request": use.request.encoded]
        let hash = SHA256.hex(call.canonical)
        guard let step = steps.first(where: { $0.inputHash == hash }) else { return Use(use: use) }
        let response = try? ModelResponse(decoding: JSONField(step.output)["response"])
        return Use(use: use, response: response, problem: step.output["problem"]?.string)
    }
}
