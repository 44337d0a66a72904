internal import Basics
internal import JSON
package import LanguageModels
internal import Prompts

/// The calls of a live run: each case, with each side, a number of times.
package struct LivePlan: Sendable {
    package var filter: CaseFilter
    package var sides: [LiveSide]
    package var repeats: Int
    /// Calls under way at once.
    package var concurrency: Int
    /// Whether a rejected draft is asked for again, as production does.
    package var repairs: Bool

    package init(
        filter: CaseFilter = .all, sides: [LiveSide], repeats: Int, concurrency: Int = 4, repairs: Bool = false
    ) {
        self.filter = filter
        self.sides = sides
        self.repeats = repeats
        self.concurrency = concurrency
        self.repairs = repairs
    }
}

/// The model that a live run asks: a provider's model of each prompt's tier, or one model for all prompts.
package enum LiveSide: Hashable, Sendable {
    case provider(ModelProvider)
    /// The id in the catalogue.
    case model(String)

    /// The name in reports and in the baseline.
    package var name: String {
        switch self {
        case .provider(let provider): provider.rawValue
        case .model(let id): id
        }
    }

    /// The name as a part of a file's name.
    var fileName: String { name.split(separator: "/", omittingEmptySubsequences: false).joined(separator: "%2F") }
}

/// One call of a live run.
struct LiveCall: Sendable {
    let promptCase: PromptCase
    let prompt: LoadedPrompt
    let request: CanonicalRequest
    let side: LiveSide
    /// From 1.
    let repetition: Int

    var key: Baseline.Key { Baseline.Key(promptCase: "\(promptCase.id)", provider: side.name) }
    /// The file of the answer in the run's folder.
    var file: String { "\(promptCase.id)/\(side.fileName).\(repetition).json" }
    /// The file of the grade of an answer or its repair: equal answers share it.
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
                for side in plan.sides {
                    for repetition in 1...max(1, plan.repeats) {
                        calls.append(
                            LiveCall(
                                promptCase: promptCase, prompt: prompt, request: request, side: side,
                                repetition: repetition))
                    }
                }
            } catch {
                problems.append("\(promptCase.id): \(error)")
            }
        }
    }

    /// The same for the same questions: by this a run that broke off is found again, with or without repairs.
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

    var state: JSON? { Files.text(at: "\(path)/\(Self.plan)").flatMap { try? JSON(parsing: $0) } }

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

    /// The names of a case's files.
    func names(of promptCase: PromptCase.ID) -> [String] { Files.names(in: "\(path)/\(promptCase)") }

    /// The recording in a file; `nil` when it is missing, damaged or answers another request.
    func recording(in file: String, of request: CanonicalRequest) -> Recording? {
        guard let text = Files.text(at: "\(path)/\(file)"), let recording = try? Recording(parsing: text),
            recording.requestHash == request.hash
        else { return nil }
        return recording
    }

    /// The recording of a finished call.
    func recording(of call: LiveCall) -> Recording? { recording(in: call.file, of: call.request) }

    func keep(_ recording: Recording, of call: LiveCall) throws(FileFailure) {
        try write(recording.json, to: call.file)
    }

    /// The finished repair of a call's draft.
    func repair(_ repair: DraftRepair, of call: LiveCall) -> Recording? {
        recording(in: DraftRepair.file(ofDraft: call.file), of: repair.request)
    }

    func keep(_ recording: Recording, _ repair: DraftRepair, of call: LiveCall) throws(FileFailure) {
        try write(recording.json, to: DraftRepair.file(ofDraft: call.file))
    }

    /// A finished grading; `nil` when there is none.
    func grade(_ grading: Grading, of call: LiveCall) -> Recording? {
        recording(in: call.file(of: grading), of: grading.request)
    }

    func keep(_ grade: Recording, _ grading: Grading, of call: LiveCall) throws(FileFailure) {
        try write(grade.json, to: call.file(of: grading))
    }

    /// Tells the answer in a file of this run from those of other runs.
    func key(of file: String) -> String { "\(path)/\(file)" }

    private func write(_ value: JSON, to name: String) throws(FileFailure) {
        try Files.write(value.pretty + "\n", to: "\(path)/\(name)")
    }
}
