internal import Basics
internal import JSON
package import LanguageModels
internal import Prompts

/// The calls of a live run: each case, with each provider, a number of times.
package struct LivePlan: Sendable {
    package var filter: CaseFilter
    package var providers: [ModelProvider]
    package var repeats: Int
    /// Calls under way at once.
    package var concurrency: Int

    package init(filter: CaseFilter = .all, providers: [ModelProvider], repeats: Int, concurrency: Int = 4) {
        self.filter = filter
        self.providers = providers
        self.repeats = repeats
        self.concurrency = concurrency
    }
}

/// One call of a live run.
struct LiveCall: Sendable {
    let promptCase: PromptCase
    let prompt: LoadedPrompt
    let request: CanonicalRequest
    let provider: ModelProvider
    /// From 1.
    let repetition: Int

    var key: Baseline.Key { Baseline.Key(promptCase: "\(promptCase.id)", provider: provider.rawValue) }
    /// The file of the answer in the run's folder.
    var file: String { "\(promptCase.id)/\(provider.rawValue).\(repetition).json" }
    /// The file of the answer's grade: equal answers share it.
    func file(of grading: Grading) -> String { "\(promptCase.id)/\(grading.fileName)" }
}

/// The calls of a plan, and those cases that it leaves out.
struct LiveWork: Sendable {
    var calls: [LiveCall] = []
    /// Cases whose answer cannot be ordered from a real service.
    var skipped: [PromptCase.ID] = []
    /// Cases that cannot be rendered.
    var problems: [String] = []

    init(_ plan: LivePlan, home: String, bundle: Bundle) {
        let library = CaseLibrary.load(home: home, bundle: bundle)
        problems = library.problems.map(\.description)
        for promptCase in library.cases where plan.filter.selects(promptCase) {
            guard promptCase.simulation == nil else {
                skipped.append(promptCase.id)
                continue
            }
            guard let prompt = bundle.prompts[promptCase.id.prompt] else { continue }
            do {
                let request = CanonicalRequest(
                    try prompt.render(input: promptCase.input), tier: bundle.tier(of: prompt))
                for provider in plan.providers {
                    for repetition in 1...max(1, plan.repeats) {
                        calls.append(
                            LiveCall(
                                promptCase: promptCase, prompt: prompt, request: request, provider: provider,
                                repetition: repetition))
                    }
                }
            } catch {
                problems.append("\(promptCase.id): \(error)")
            }
        }
    }

    /// The same for the same questions: by this a run that broke off is found again.
    var fingerprint: String {
        SHA256.hex(JSON(calls.map { "\($0.file) \($0.request.hash)" }).canonical)
    }
}

/// The folder of one live run, `var/prompt-runs/<name>`: a file for each finished call, written as soon as it is over.
struct RunFolder: Sendable {
    let path: String

    private static let plan = "run.json"

    /// The unfinished run of the same questions, or a new one that the time names.
    static func open(in root: String, fingerprint: String, time: String) throws(FileFailure) -> RunFolder {
        for name in Files.names(in: root).reversed() {
            let folder = RunFolder(path: "\(root)/\(name)")
            let state = folder.state
            if state?["questions"]?.string == fingerprint, state?["finished_at"]?.string == nil { return folder }
        }
        var name = String(time.map { $0 == ":" ? "-" : $0 })
        while Files.exists("\(root)/\(name)") { name += "+" }
        let folder = RunFolder(path: "\(root)/\(name)")
        try folder.write(["questions": JSON(fingerprint), "started_at": JSON(time)], to: plan)
        return folder
    }

    /// The newest finished run.
    static func latest(in root: String) -> RunFolder? {
        Files.names(in: root).reversed().lazy.map { RunFolder(path: "\(root)/\($0)") }
            .first { $0.state?["finished_at"]?.string != nil }
    }

    private var state: JSON? { Files.text(at: "\(path)/\(Self.plan)").flatMap { try? JSON(parsing: $0) } }

    func finish(at time: String, results: Baseline) throws(FileFailure) {
        var state = state ?? [:]
        state["finished_at"] = JSON(time)
        state["results"] = results.json
        try write(state, to: Self.plan)
    }

    /// The results of a finished run.
    func results() throws(FileFailure) -> Baseline {
        guard let results = state?["results"], let baseline = try? Baseline(JSONField(results)) else {
            throw FileFailure(path: path, problem: "is no finished run")
        }
        return baseline
    }

    /// The recording of a finished call; `nil` when it is missing, damaged or answers another request.
    func recording(of call: LiveCall) -> Recording? {
        guard let text = Files.text(at: "\(path)/\(call.file)"), let recording = try? Recording(parsing: text),
            recording.requestHash == call.request.hash
        else { return nil }
        return recording
    }

    func keep(_ recording: Recording, of call: LiveCall) throws(FileFailure) {
        try write(recording.json, to: call.file)
    }

    /// A finished grading; `nil` when there is none.
    func grade(_ grading: Grading, of call: LiveCall) -> Recording? {
        guard let text = Files.text(at: "\(path)/\(call.file(of: grading))"),
            let recording = try? Recording(parsing: text), recording.requestHash == grading.request.hash
        else { return nil }
        return recording
    }

    func keep(_ grade: Recording, _ grading: Grading, of call: LiveCall) throws(FileFailure) {
        try write(grade.json, to: call.file(of: grading))
    }

    private func write(_ value: JSON, to name: String) throws(FileFailure) {
        try Files.write(value.pretty + "\n", to: "\(path)/\(name)")
    }
}
