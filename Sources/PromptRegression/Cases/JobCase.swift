package import Agents
internal import Basics
package import JobQueue
internal import JSON
internal import LanguageModels
package import Prompts
internal import Synchronization

/// Turns a job of the database into cases: its prompts, their values, and the answers that its journal holds.
///
/// The agent replays the journal without any call, so a case has exactly the input that production rendered.
package struct JobCase: Sendable {
    /// A prompt that the job filled in, with the answer if the journal still has it.
    package struct Use: Sendable {
        package var use: PromptUse
        var response: ModelResponse?
        /// The reason that the answer could not be used, if any.
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

    /// A job to read, with its own bundle and an agent of its kind. The journal has everything that the agent would
    /// fetch, so it needs no services.
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

    /// Finds the answer by the journal's name of a model call: the hash of its request.
    private func answered(_ use: PromptUse) -> Use {
        let call: JSON = ["request": use.request.encoded]
        let hash = SHA256.hex(call.canonical)
        guard let step = steps.first(where: { $0.inputHash == hash }) else { return Use(use: use) }
        let response = try? ModelResponse(decoding: JSONField(step.output)["response"])
        return Use(use: use, response: response, problem: step.output["problem"]?.string)
    }
}

/// Writes the prompts that a job used as new cases.
package struct JobCaseWriter: Sendable {
    private let home: String
    private let bundle: Bundle
    private let redactor: Redactor
    private let now: @Sendable () -> String

    /// A writer of cases for the prompts as they are now.
    package init(home: String, bundle: Bundle, redactor: Redactor, now: @escaping @Sendable () -> String) {
        self.home = home
        self.bundle = bundle
        self.redactor = redactor
        self.now = now
    }

    package struct Written: Sendable {
        package var id: PromptCase.ID
        /// Information for the person about the next step.
        package var note: String
    }

    /// Writes one case under a name that no case has yet; its description names the origin.
    package func write(_ found: JobCase.Use, name: String, origin: String) throws(FileFailure) -> Written {
        let id = PromptCase.ID(prompt: found.use.prompt, name: name)
        let path = "\(home)/prompts/cases/\(id)"
        guard !Files.exists(path) else { throw FileFailure(path: path, problem: "is there already; choose --name") }
        let folder = CaseFolder(path: path)
        let (input, persona) = split(redactor.redact(found.use.input))
        var definition = ["description: \(JSON("From \(origin).").compact)"]
        if let persona { definition.append("persona: \(persona)") }
        if !found.use.material.quotable.isEmpty {
            definition.append("quotable:")
            definition += found.use.material.quotable.map { "  - \(JSON($0).compact)" }
        }
        definition.append("tags: [production]")
        try folder.write(CaseText.of(input), to: CaseFolder.input)
        let facts = found.use.material.facts.map(FactReader.json)
        if !facts.isEmpty { try folder.write(CaseText.of(.array(facts)), to: CaseFolder.facts) }
        try folder.write(definition.joined(separator: "\n") + "\n", to: CaseFolder.definition)
        return Written(id: id, note: try writeAnswer(found, id, folder))
    }

    /// The answer is kept when the present prompt makes the same request.
    private func writeAnswer(_ found: JobCase.Use, _ id: PromptCase.ID, _ folder: CaseFolder) throws(FileFailure)
        -> String
    {
        let record = "dossier prompts record --filter \(id) asks for one"
        guard let response = found.response else { return "the journal has no answer any more; \(record)" }
        guard let promptCase = CaseLibrary.load(home: home, bundle: bundle).cases.first(where: { $0.id == id }) else {
            throw FileFailure(path: folder.path, problem: "cannot be read back as a case")
        }
        let run = CaseRun(promptCase, bundle: bundle)
        guard let request = try? run.request.get(), let prompt = bundle.prompts[id.prompt] else {
            return "the prompt cannot be filled in any more as it was"
        }
        guard CanonicalRequest(found.use.request, tier: request.tier).hash == request.hash else {
            return "the prompt was edited since, so the old answer is none to it; \(record)"
        }
        var recording = Recording(
            requestHash: request.hash, outcome: .answered, isSimulated: response.isSimulated, recordedAt: now(),
            response: response)
        // The schema check runs again; only the journal shows that an answer was cut off.
        if let problem = found.problem, problem.contains("cut off") {
            recording.outcome = .truncated
            recording.detail = problem
        }
        do {
            recording = try recording.redacted(by: redactor)
        } catch {
            throw FileFailure(path: folder.path, problem: "the answer cannot be kept: \(error)")
        }
        try folder.write(
            recording.json.pretty + "\n", to: RecordingName(hash: request.hash, provider: nil).text)
        _ = try CaseRun(promptCase, bundle: bundle).writeGoldens()
        let evaluation = Evaluation(of: recording, to: promptCase, by: prompt, in: bundle)
        if evaluation.meets(promptCase.expectation) {
            return "its answer passes; say in case.yaml what is wrong with it, or change the prompt's checks"
        }
        return "its answer fails (\(evaluation.summary)): change the prompt until it passes, or expect it in case.yaml"
    }

    /// The values without the persona's texts, when these are in the bundle.
    private func split(_ input: JSON) -> (input: JSON, persona: String?) {
        guard let texts = input["persona"] else { return (input, nil) }
        let match = bundle.personas.values.first { persona in
            texts["name"]?.string == persona.name && texts["approach"]?.string == persona.approach
                && texts["voice"]?.string == persona.voice
        }
        guard let match else { return (input, nil) }
        var rest = input
        rest["persona"] = nil
        return (rest, match.id)
    }
}

extension Evaluation {
    /// A few words: `answered, but figures-in-facts fails`.
    package var summary: String {
        if outcome != .answered { return outcome.rawValue + (problem.map { ": \($0)" } ?? "") }
        return failing.isEmpty ? "answered" : "answered, but \(failing.sorted().joined(separator: ", ")) fails"
    }
}

/// JSON as case files hold it: over several lines, with each row of a table on one line.
enum CaseText {
    private static let longestRow = 220

    static func of(_ value: JSON) -> String { text(value, indent: "") + "\n" }

    private static func text(_ value: JSON, indent: String) -> String {
        let row = value.compact
        if value.isFlat, row.utf8.count <= longestRow { return row }
        let inner = indent + "  "
        switch value {
        case .object(let members) where !members.isEmpty:
            let lines = members.map { "\(inner)\(JSON($0.key).compact): \(text($0.value, indent: inner))" }
            return "{\n\(lines.joined(separator: ",\n"))\n\(indent)}"
        case .array(let elements) where !elements.isEmpty:
            let lines = elements.map { inner + text($0, indent: inner) }
            return "[\n\(lines.joined(separator: ",\n"))\n\(indent)]"
        default: return row
        }
    }
}

extension JSON {
    /// Whether nothing in it holds anything.
    fileprivate var isFlat: Bool {
        switch self {
        case .array(let elements): elements.allSatisfy { $0.array == nil && $0.object == nil }
        case .object(let members): members.values.allSatisfy { $0.array == nil && $0.object == nil }
        default: true
        }
    }
}
