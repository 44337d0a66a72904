internal import DossierAPI
package import Basics
package import JSON
package import JobQueue
package import LanguageModels
package import Prompts

/// The services and settings of one run of an agent.
package struct JobContext: Sendable {
    package let job: ClaimedJob
    package let kind: JobKind
    /// The prompts and personas that the job was submitted with.
    package let bundle: Bundle
    package let journal: Journal
    /// Whether the worker's last heartbeat is recent: without one, nothing that costs money is begun.
    package let isLive: @Sendable () -> Bool
    /// The time until the job's deadline by the store's clock; `nil` when it cannot be read.
    let timeLeft: @Sendable () async -> Duration?
    /// Numbers the model calls of the run.
    let callCount = CallCount()
    /// Is called with every prompt that the run fills in.
    let onPrompt: (@Sendable (PromptUse) -> Void)?
    private let report: @Sendable (_ percent: Int, _ says: String) -> Void
    /// The language of the part of the job that this context is for.
    private var writing: Language?

    /// Makes the context of one run; `report` may be called often, since the worker thins progress out.
    package init(
        job: ClaimedJob, kind: JobKind, bundle: Bundle, journal: Journal, isLive: @escaping @Sendable () -> Bool,
        timeLeft: @escaping @Sendable () async -> Duration? = { nil },
        onPrompt: (@Sendable (PromptUse) -> Void)? = nil,
        report: @escaping @Sendable (_ percent: Int, _ says: String) -> Void
    ) {
        self.job = job
        self.kind = kind
        self.bundle = bundle
        self.journal = journal
        self.isLive = isLive
        self.timeLeft = timeLeft
        self.onPrompt = onPrompt
        self.report = report
    }

    /// Reports the progress of the run within a stage of the job's kind.
    package func progress(_ stage: String, fraction: Double = 0) {
        guard let (percent, says) = kind.progress(in: stage, fraction: fraction) else { return }
        report(percent, says)
    }

    /// The job's input, which passed the schema of the job's kind: an error of `read` is a fault of Dossier itself.
    func input<Input>(_ read: (JSONField) throws -> Input) throws(AgentError) -> Input {
        do {
            return try read(JSONField(job.input))
        } catch {
            throw .internalFailure("the job's input: \(error)")
        }
    }

    /// Throws `snoozed` unless the worker is live.
    func requireLiveWorker() throws(AgentError) {
        guard isLive() else { throw .snoozed(for: .seconds(1), reason: "the worker's heartbeat is late") }
    }
}

// MARK: Prompts

extension JobContext {
    /// The language that the job's input asks for; `nil` where the prompts decide.
    package var language: Language? { writing ?? job.input["language"]?.string.flatMap { Language(tag: $0) } }

    /// The context for a part of the job that is written in a language, `nil` being that of the job.
    func writing(in language: Language?) -> JobContext {
        var context = self
        context.writing = language
        return context
    }

    /// The values that a prompt takes, with the job's language where it takes one.
    func asked(_ input: JSON, by prompt: LoadedPrompt) -> JSON {
        var input = prompt.taken(from: input)
        guard let language, prompt.inputSchema?["properties"]?["language"] != nil else { return input }
        input["language"] = JSON(language.englishName)
        return input
    }

    /// The prompt that the job's kind names for a role (`draft`).
    func prompt(_ role: String) throws(AgentError) -> LoadedPrompt {
        guard let name = kind.prompts[role], let prompt = bundle.prompts[name] else {
            throw .internalFailure("the kind '\(kind.name)' has no prompt '\(role)'")
        }
        return prompt
    }

    /// A prompt with its values filled in, as a request to a model; its answer will be checked against `material`.
    func request(
        _ prompt: LoadedPrompt, input: JSON, material: CheckMaterial = CheckMaterial()
    ) throws(AgentError) -> PromptCall {
        let given = input
        let input = asked(given, by: prompt)
        do {
            // Meaningless to a provider, and the same in all calls for one user: providers ask for it to find abuse.
            let label = SHA256.hex("dossier user \(job.user.rawValue)")
            let request = ModelRequest(try prompt.render(input: input), userLabel: label)
            onPrompt?(
                PromptUse(prompt: prompt.name, given: given, input: input, material: material, request: request))
            let route = PromptRoute(prompt: prompt.name, models: bundle.routes.models(of: prompt.name))
            return PromptCall(request: request, tier: prompt.tier(in: kind), route: route)
        } catch {
            guard case .tooLong = error else { throw .internalFailure("\(error)") }
            throw .failed(
                AgentFailure(
                    JobError(
                        code: .tooLarge, message: "\(error)",
                        userMessage: "That is too long. Please shorten it. Nothing was charged."), isTransient: false))
        }
    }
}

/// A prompt that was filled in and is ready to be sent: the request, and the models that get it.
///
/// It stays in memory while the model writes, so it holds nothing that only the check of the answer needs.
package struct PromptCall: Sendable {
    package var request: ModelRequest
    /// The prompt's own tier if it names one, else that of the job's kind.
    package var tier: String
    /// The prompt's name, and its models in the job's bundle, which take precedence over the tier.
    package var route: PromptRoute
    /// By the name of a mark of the request, the later calls that are expected to read up to it.
    package var expectedReads: [String: Double] = [:]
}

/// A prompt with the values of a run, so that a prompt test can ask the same question again.
package struct PromptUse: Sendable {
    /// The name of the prompt.
    package var prompt: String
    /// What the agent gave; the prompt takes the members of it that it declares.
    package var given: JSON
    /// The values that the prompt was filled in with.
    package var input: JSON
    package var material: CheckMaterial
    package var request: ModelRequest
}

/// The figures that an answer is checked against.
package struct CheckMaterial: Sendable {
    /// The facts that the answer may state.
    package var facts: [Fact]
    /// Texts whose figures the answer may repeat.
    package var quotable: [String]

    package init(facts: [Fact] = [], quotable: [String] = []) {
        self.facts = facts
        self.quotable = quotable
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
                ModelMessage(
                    role: message.role == .user ? .user : .assistant,
                    parts: message.parts.map { part in
                        switch part {
                        case .text(let text): .text(text)
                        case .cacheMark(let name): .cacheMark(CacheMark(name))
                        }
                    })
            },
            output: prompt.output.map { .json(name: $0.name, schema: $0.schema) } ?? .text,
            maxOutputTokens: prompt.config.maxOutputTokens ?? Self.standardOutputTokens,
            effort: prompt.config.effort.flatMap { Effort(rawValue: $0.rawValue) },
            temperature: prompt.config.temperature,
            stopSequences: prompt.config.stopSequences, userLabel: userLabel)
    }
}
