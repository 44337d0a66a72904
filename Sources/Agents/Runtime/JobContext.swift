internal import Basics
package import JobQueue
package import JSON
package import LanguageModels
package import Prompts

/// What an agent has to hand while it runs one attempt of a job.
package struct JobContext: Sendable {
    package let job: ClaimedJob
    package let kind: JobKind
    /// The prompts and personas that the job was submitted with.
    package let bundle: Bundle
    package let journal: Journal
    /// Whether the worker is known to be alive: without it, nothing that costs money is begun.
    package let isLive: @Sendable () -> Bool
    /// Hears of every prompt that the run fills in.
    let onPrompt: (@Sendable (PromptUse) -> Void)?
    private let report: @Sendable (_ percent: Int, _ says: String) -> Void

    /// Makes the context of one run; `report` takes progress as often as it comes, the worker thins it out.
    package init(
        job: ClaimedJob, kind: JobKind, bundle: Bundle, journal: Journal, isLive: @escaping @Sendable () -> Bool,
        onPrompt: (@Sendable (PromptUse) -> Void)? = nil,
        report: @escaping @Sendable (_ percent: Int, _ says: String) -> Void
    ) {
        self.job = job
        self.kind = kind
        self.bundle = bundle
        self.journal = journal
        self.isLive = isLive
        self.onPrompt = onPrompt
        self.report = report
    }

    /// Says how far a stage of the job's kind has come.
    package func progress(_ stage: String, fraction: Double = 0) {
        guard let (percent, says) = kind.progress(in: stage, fraction: fraction) else { return }
        report(percent, says)
    }
}

extension JobContext {
    /// The prompt that the job's kind names for a role (`draft`).
    func prompt(_ role: String) throws(AgentError) -> LoadedPrompt {
        guard let name = kind.prompts[role], let prompt = bundle.prompts[name] else {
            throw .failed(
                AgentFailure(.internalFailure("the kind '\(kind.name)' has no prompt '\(role)'"), isTransient: false))
        }
        return prompt
    }

    /// A prompt with its values filled in, as a request to a model; `material` is what its answer will be held against.
    func request(
        _ prompt: LoadedPrompt, input: JSON, material: CheckMaterial = CheckMaterial()
    ) throws(AgentError) -> PromptCall {
        do {
            // Opaque outside, and the same for one user: providers ask for it to find abuse.
            let label = SHA256.hex("dossier user \(job.user.rawValue)")
            let request = ModelRequest(try prompt.render(input: input), userLabel: label)
            onPrompt?(PromptUse(prompt: prompt.name, input: input, material: material, request: request))
            return PromptCall(request: request, tier: prompt.tier(in: kind))
        } catch {
            throw .failed(AgentFailure(.internalFailure("\(error)"), isTransient: false))
        }
    }
}

extension ModelRequest {
    /// Enough for a long report; a prompt can set its own limit.
    private static let standardOutputTokens = 8000

    /// The request that a filled-in prompt makes.
    package init(_ prompt: RenderedModelPrompt, userLabel: String?) {
        self.init(
            system: SystemPrompt(stable: prompt.system ?? ""),
            messages: prompt.messages.map { message in
                message.role == .user ? .user(message.text) : .assistant(message.text)
            },
            output: prompt.output.map { .json(name: $0.name, schema: $0.schema) } ?? .text,
            maxOutputTokens: prompt.config.maxOutputTokens ?? Self.standardOutputTokens,
            effort: prompt.config.effort.flatMap { Effort(rawValue: $0.rawValue) },
            temperature: prompt.config.temperature,
            stopSequences: prompt.config.stopSequences, userLabel: userLabel)
    }
}

/// A prompt that was filled in and is ready to be sent: whom to ask, and what.
///
/// It waits in memory for as long as the model writes, so it holds nothing that only the check of the answer needs.
package struct PromptCall: Sendable {
    package var request: ModelRequest
    /// The tier of models that is asked: the prompt's own, before that of the job's kind.
    package var tier: String
}

/// A prompt as a run filled it in: what a prompt test needs to ask the same again.
package struct PromptUse: Sendable {
    /// The name of the prompt.
    package var prompt: String
    package var input: JSON
    package var material: CheckMaterial
    package var request: ModelRequest
}

/// What an answer's figures are held against.
package struct CheckMaterial: Sendable {
    /// What may be stated.
    package var facts: [Fact]
    /// Texts whose figures may be repeated as they stand.
    package var quotable: [String]

    package init(facts: [Fact] = [], quotable: [String] = []) {
        self.facts = facts
        self.quotable = quotable
    }
}
