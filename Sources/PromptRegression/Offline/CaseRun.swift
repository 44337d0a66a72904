internal import JSON
internal import LanguageModels
internal import Prompts

/// One case, run offline.
struct CaseRun {
    let promptCase: PromptCase
    let folder: CaseFolder
    let prompt: LoadedPrompt?
    /// The request that production would send, or the reason why it cannot be made.
    let request: Result<CanonicalRequest, RenderingError>
    private let rendered: RenderedModelPrompt?
    /// Files of the name of a recording, in order.
    let files: [Replay]
    /// Files of the name of a grade, in order.
    private let grades: [(name: GradeName, grade: Result<Recording, Recording.Failure>)]
    /// What is wrong with the judgement of hand-written answers.
    private let handWritten: [Finding]

    /// A file with the name of a recording.
    struct Replay {
        var name: RecordingName
        var recording: Result<Recording, Recording.Failure>
        /// Whether it answers the request that is made now.
        var isCurrent: Bool
        var evaluation: Evaluation?
    }

    init(_ promptCase: PromptCase, bundle: Bundle) {
        self.promptCase = promptCase
        let folder = CaseFolder(path: promptCase.folder)
        self.folder = folder
        let prompt = bundle.prompts[promptCase.id.prompt]
        self.prompt = prompt
        guard let prompt else {
            request = .failure(.empty(prompt: promptCase.id.prompt))
            rendered = nil
            files = []
            grades = []
            handWritten = []
            return
        }
        handWritten = HandWrittenRun(promptCase: promptCase, prompt: prompt, bundle: bundle).findings
        do throws(RenderingError) {
            let filled = try prompt.render(input: promptCase.input)
            rendered = filled
            request = .success(CanonicalRequest(filled, tier: bundle.tier(of: prompt)))
        } catch {
            rendered = nil
            request = .failure(error)
        }
        let hash = (try? request.get())?.hash
        let graded = folder.names.compactMap { name in
            GradeName(name).map { ($0, Self.read(folder.text(name) ?? "")) }
        }
        grades = graded
        // A grade counts only under the name of the question that it answers.
        let known = Grades(
            graded.compactMap { name, grade in
                (try? grade.get()).flatMap { GradeName(hash: $0.requestHash) == name ? $0 : nil }
            })
        files = folder.names.compactMap(RecordingName.init).map { name in
            var replay = Replay(
                name: name, recording: Self.read(folder.text(name.text) ?? ""),
                isCurrent: hash.map { RecordingName(hash: $0, provider: name.provider) == name } ?? false)
            if replay.isCurrent, let recording = try? replay.recording.get(), recording.requestHash == hash {
                replay.evaluation = Evaluation(
                    of: recording, to: promptCase, by: prompt, in: bundle, grades: known)
            }
            return replay
        }
    }

    private static func read(_ text: String) -> Result<Recording, Recording.Failure> {
        do {
            return .success(try Recording(parsing: text))
        } catch {
            return .failure(error)
        }
    }

    /// Recordings that answer the request and wait for a grade.
    var ungradedAnswers: [(name: RecordingName, recording: Recording)] {
        files.compactMap { file in
            guard let evaluation = file.evaluation, !evaluation.ungraded.isEmpty,
                let recording = try? file.recording.get()
            else { return nil }
            return (file.name, recording)
        }
    }

    /// Whether a recording answers the request that is made now.
    var hasAnswer: Bool { files.contains { $0.evaluation != nil } }

    // MARK: Report

    var report: CaseReport {
        var report = CaseReport(
            id: promptCase.id, summary: promptCase.summary, tags: promptCase.tags, findings: findings, prompt: [],
            answers: [], duration: .zero)
        report.handWritten = promptCase.answers.count
        report.skipped = ungraded.map { grading in
            "\(grading.check.name)\(grading.check.path.map { " at \($0)" } ?? ""): this answer has no grade; "
                + "'dossier prompts record --grades --filter \(promptCase.id)' asks for it"
        }
        if let rendered {
            report.prompt =
                (rendered.system.map { [("system", $0)] } ?? [])
                + rendered.messages.map { ($0.role.rawValue, $0.text) }
        }
        report.answers = files.compactMap { file in
            guard let evaluation = file.evaluation, let recording = try? file.recording.get() else { return nil }
            return CaseReport.Answer(
                model: recording.response.model, isSimulated: recording.isSimulated,
                recordedAt: recording.recordedAt, evaluation: evaluation, text: recording.response.text)
        }
        return report
    }

    /// Rubrics without a grade.
    private var ungraded: [Grading] { files.compactMap(\.evaluation).flatMap(\.ungraded) }

    /// Grades that were changed by hand or are in the file of another grade.
    private var gradeFindings: [Finding] {
        grades.compactMap { name, grade in
            let reason: String
            switch grade {
            case .failure(let failure): reason = "\(failure)"
            case .success(let read) where GradeName(hash: read.requestHash) != name:
                reason = "it answers another question than its name says"
            case .success: return nil
            }
            return Finding(
                .tampered, "The grade \(name.text) cannot be trusted: \(reason).",
                commands: [
                    .init(
                        line: "rm prompts/cases/\(promptCase.id)/\(name.text) && dossier prompts record --grades "
                            + "--filter \(promptCase.id)", does: "asks for it anew")
                ])
        }
    }

    private var findings: [Finding] {
        let request: CanonicalRequest
        switch self.request {
        case .failure(let error): return [Finding(.render, "The prompt cannot be filled in: \(error).")]
        case .success(let made): request = made
        }
        return [requestFinding(request), recordingFinding(request)].compactMap(\.self)
            + files.filter(\.isCurrent).flatMap { findings(of: $0, request) } + gradeFindings + handWritten
    }

    private func requestFinding(_ request: CanonicalRequest) -> Finding? {
        guard let text = folder.text(CaseFolder.request), let golden = try? JSON(parsing: text) else {
            return Finding(
                .request, "There is no golden request (\(CaseFolder.request)) to compare with.",
                commands: [accept("accepts the request as it is rendered now")])
        }
        guard golden != request.json else { return nil }
        return Finding(
            .request, "The rendered request is not the golden one.",
            diff: LineDiff(
                Outline.lines(golden), named: "\(CaseFolder.request) (golden)", Outline.lines(request.json),
                named: "rendered now"), commands: hasAnswer ? [accept("accepts the request and its answer")] : [])
    }

    private func recordingFinding(_ request: CanonicalRequest) -> Finding? {
        guard !files.contains(where: \.isCurrent) else { return nil }
        let message =
            files.isEmpty
            ? "No answer is recorded." : "The recorded answer is to another request: no recording answers this one."
        return Finding(
            .recording, message,
            details: ["wanted: \(RecordingName(hash: request.hash, provider: nil).text)"]
                + files.map { "there is: \($0.name.text)" },
            commands: [
                .init(
                    line: "dossier prompts record --filter \(promptCase.id)"
                        + (promptCase.simulation == nil ? "" : " --simulator"), does: "asks anew and records the answer"
                ),
                accept("then accepts what came out"),
            ])
    }

    private func findings(of file: Replay, _ request: CanonicalRequest) -> [Finding] {
        let recording: Recording
        switch file.recording {
        case .failure(let failure):
            return [
                Finding(
                    .tampered, "The recording \(file.name.text) cannot be trusted: \(failure).",
                    commands: [
                        .init(
                            line: "dossier prompts record --filter \(promptCase.id)", does: "records it anew")
                    ])
            ]
        case .success(let read): recording = read
        }
        guard recording.requestHash == request.hash else {
            return [
                Finding(
                    .tampered,
                    "The recording \(file.name.text) answers another request than its name says "
                        + "(\(recording.requestHash.prefix(RecordingName.digits))…).")
            ]
        }
        guard let evaluation = file.evaluation else { return [] }
        return [outcomeFinding(evaluation), checksFinding(evaluation), outputFinding(evaluation, file.name)]
            .compactMap(\.self)
    }

    private func outcomeFinding(_ evaluation: Evaluation) -> Finding? {
        let wanted = promptCase.expectation.outcome
        guard evaluation.outcome != wanted else { return nil }
        return Finding(
            .outcome,
            "The answer counts as '\(evaluation.outcome.rawValue)', and the case expects '\(wanted.rawValue)'.",
            details: evaluation.problem.map { [$0] } ?? [])
    }

    private func checksFinding(_ evaluation: Evaluation) -> Finding? {
        let wanted = evaluation.wanted(promptCase.expectation)
        guard evaluation.outcome == .answered, evaluation.failing != wanted else { return nil }
        let unexpected = evaluation.failures.filter { !wanted.contains($0.check) }
        let missing = wanted.subtracting(evaluation.failing).sorted()
        return Finding(
            .checks, unexpected.isEmpty ? "Checks that must fail here pass." : "The answer breaks checks.",
            details: unexpected.map { "\($0.check == $0.type ? $0.check : "\($0.check) (\($0.type))"): \($0)" }
                + missing.map { "\($0): passes, but must fail here" })
    }

    private func outputFinding(_ evaluation: Evaluation, _ name: RecordingName) -> Finding? {
        let file = CaseFolder.output(provider: name.provider)
        guard let text = folder.text(file), let golden = try? JSON(parsing: text) else {
            return Finding(
                .output, "There is no golden output (\(file)) to compare with.",
                commands: [accept("accepts the output as it is now")])
        }
        guard golden != evaluation.output else { return nil }
        return Finding(
            .output, "The output is not the golden one.",
            diff: LineDiff(
                Outline.lines(golden), named: "\(file) (golden)", Outline.lines(evaluation.output), named: "now"),
            commands: [accept("accepts the output")])
    }

    private func accept(_ does: String) -> Finding.Command {
        .init(line: "dossier prompts accept --filter \(promptCase.id)", does: does)
    }

    // MARK: Files

    /// Files of the folder that this case does not use. While the case waits for an answer to an edited prompt, its old
    /// recordings are no orphans yet: the report on the case names them.
    var orphans: [Orphan] {
        let waits = !files.contains(where: \.isCurrent)
        let used = Set(files.compactMap(\.evaluation).flatMap(\.gradings).map(\.fileName))
        let outputs = Set(files.filter(\.isCurrent).map { CaseFolder.output(provider: $0.name.provider) })
        let known: Set = [
            CaseFolder.definition, CaseFolder.input, CaseFolder.facts, CaseFolder.request, CaseFolder.answers,
        ]
        return folder.names.compactMap { name in
            if known.contains(name) || outputs.contains(name) || used.contains(name) { return nil }
            if waits, !files.isEmpty, Self.isMade(name) { return nil }
            let path = "prompts/cases/\(promptCase.id)/\(name)"
            if let recording = RecordingName(name) {
                let isCurrent = files.contains { $0.name == recording && $0.isCurrent }
                return isCurrent ? nil : Orphan(path: path, reason: "it answers a request that no case makes")
            }
            if name.hasPrefix("output.") { return Orphan(path: path, reason: "there is no recording for this golden") }
            if GradeName(name) != nil { return Orphan(path: path, reason: "it grades an answer that is not there") }
            return Orphan(path: path, reason: "no file of a case has this name")
        }
    }

    /// Whether a file was made from answers, so that it can be removed with them.
    private static func isMade(_ name: String) -> Bool {
        RecordingName(name) != nil || GradeName(name) != nil || name.hasPrefix("output.")
    }

    /// Writes the golden request and the golden outputs; returns the files that changed.
    func writeGoldens() throws(FileFailure) -> [String] {
        guard let request = try? request.get() else { return [] }
        var goldens = [(CaseFolder.request, request.json)]
        for file in files {
            guard let evaluation = file.evaluation else { continue }
            goldens.append((CaseFolder.output(provider: file.name.provider), evaluation.output))
        }
        var changed: [String] = []
        for (name, golden) in goldens {
            let text = golden.pretty + "\n"
            guard folder.text(name) != text else { continue }
            try folder.write(text, to: name)
            changed.append("prompts/cases/\(promptCase.id)/\(name)")
        }
        return changed
    }

    /// Removes recordings and golden outputs that this case no longer uses; other files stay.
    func removeOrphans() throws(FileFailure) -> [String] {
        var removed: [String] = []
        for orphan in orphans {
            let name = String(orphan.path.split(separator: "/").last ?? "")
            guard Self.isMade(name) else { continue }
            try folder.remove(name)
            removed.append(orphan.path)
        }
        return removed
    }
}
