internal import Agents
internal import JSON
internal import LanguageModels
package import Prompts

/// Writes what a job did as new cases.
package struct JobCaseWriter: Sendable {
    private let home: String
    private let bundle: Bundle
    private let scrubber: Scrubber
    private let now: @Sendable () -> String

    /// A writer of cases for the prompts as they are now.
    package init(home: String, bundle: Bundle, scrubber: Scrubber, now: @escaping @Sendable () -> String) {
        self.home = home
        self.bundle = bundle
        self.scrubber = scrubber
        self.now = now
    }

    package struct Written: Sendable {
        package var id: PromptCase.ID
        /// What the person should know or do next.
        package var note: String
    }

    /// Writes one case under a name that no case has yet; its description names the origin.
    package func write(_ found: JobCase.Use, name: String, origin: String) throws(FileFailure) -> Written {
        let id = PromptCase.ID(prompt: found.use.prompt, name: name)
        let path = "\(home)/prompts/cases/\(id)"
        guard !Files.exists(path) else { throw FileFailure(path: path, problem: "is there already; choose --name") }
        let folder = CaseFolder(path: path)
        let (input, persona) = split(scrubber.scrub(found.use.input))
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

    /// The answer is kept when the prompt as it is now still asks what was answered.
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
        // Whether an answer is of its schema is judged anew; that it was cut off, only the journal says.
        if let problem = found.problem, problem.contains("cut off") {
            recording.outcome = .truncated
            recording.detail = problem
        }
        do {
            recording = try recording.scrubbed(by: scrubber)
        } catch {
            throw FileFailure(path: folder.path, problem: "the answer cannot be kept: \(error)")
        }
        try folder.write(
            recording.json.pretty + "\n", to: RecordingName(hash: request.hash, provider: nil).text)
        _ = try CaseRun(promptCase, bundle: bundle).writeGoldens()
        let judgement = Judgement(of: recording, to: promptCase, by: prompt, in: bundle)
        if judgement.meets(promptCase.expectation) {
            return "its answer passes; say in case.yaml what is wrong with it, or change the prompt's checks"
        }
        return "its answer fails (\(judgement.summary)): change the prompt until it passes, or expect it in case.yaml"
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

extension Judgement {
    /// A few words: `answered, but figures-in-facts fails`.
    package var summary: String {
        if outcome != .answered { return outcome.rawValue + (problem.map { ": \($0)" } ?? "") }
        return failing.isEmpty ? "answered" : "answered, but \(failing.sorted().joined(separator: ", ")) fails"
    }
}
