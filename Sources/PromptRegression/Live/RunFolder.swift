internal import JSON

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

    /// What a finished run came to.
    func results() throws(FileFailure) -> Baseline {
        guard let results = state?["results"], let baseline = try? Baseline(JSONField(results)) else {
            throw FileFailure(path: path, problem: "is no finished run")
        }
        return baseline
    }

    /// A finished call; `nil` when there is none, or what is there is damaged or answers something else.
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
