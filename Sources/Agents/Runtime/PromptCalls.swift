internal import Basics
internal import JSON
internal import JobQueue
package import LanguageModels
package import Prompts

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
