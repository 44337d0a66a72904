package import JSON
internal import Prompts

extension OfflineRunner {
    /// Whether there are cases in the home folder.
    package var hasCases: Bool { Files.isFolder("\(home)/prompts/cases") }

    /// Runs all cases, for operators: each with its outcome, its recording and the pass rates of live runs.
    ///
    /// - Parameters:
    ///   - time: The present time.
    ///   - runs: The folder of live runs.
    /// - Returns: The members of `GET /api/v1/admin/suite`.
    package func overview(at time: String, runs: String) -> JSON {
        let rates = (try? Baseline.read(from: Baseline.path(home: home))) ?? Baseline()
        let cases = CaseLibrary.load(home: home, bundle: bundle).cases.map { promptCase -> JSON in
            CaseRun(promptCase, bundle: bundle).overview(rates)
        }
        return [
            "at": JSON(time), "bundle": JSON(bundle.hash), "cases": .array(cases),
            "runs": .array(RunFolder.finished(in: runs, limit: 20)),
        ]
    }

    /// One case with what it expects and what comes out now; `nil` when there is no such case.
    package func detail(of id: PromptCase.ID) -> JSON? {
        CaseLibrary.load(home: home, bundle: bundle).cases.first { $0.id == id }
            .map { CaseRun($0, bundle: bundle).detail }
    }
}

extension CaseRun {
    fileprivate func overview(_ rates: Baseline) -> JSON {
        let report = report
        let answer = report.answers.first
        let live = rates.entries.filter { $0.key.promptCase == "\(promptCase.id)" }.values
        let (asked, passed) = (live.reduce(0) { $0 + $1.runs }, live.reduce(0) { $0 + $1.passed })
        return [
            "prompt": JSON(promptCase.id.prompt), "name": JSON(promptCase.id.name),
            "description": JSON(promptCase.summary), "tags": JSON(promptCase.tags),
            "outcome": JSON(outcome(of: report)),
            "failing": JSON(failing(of: report)), "recorded_at": JSON(answer?.recordedAt), "model": JSON(answer?.model),
            "simulated": JSON(answer?.isSimulated ?? false),
            "live": live.isEmpty
                ? .null : ["passed": JSON(passed), "asked": JSON(asked), "flaky": JSON(passed > 0 && passed < asked)],
        ]
    }

    /// `stale` when the recorded answers are to another request, `missing` without any.
    private func outcome(of report: CaseReport) -> String {
        if report.findings.contains(where: { $0.kind == .recording }) { return files.isEmpty ? "missing" : "stale" }
        return report.passed ? "passed" : "failed"
    }

    /// The checks that fail and must not, or pass and must not, and the other parts that are not as they have to be.
    private func failing(of report: CaseReport) -> [String] {
        let checks = report.answers.flatMap { answer in
            answer.evaluation.failing.symmetricDifference(answer.evaluation.wanted(promptCase.expectation))
        }
        let parts = report.findings.filter { $0.kind != .checks }.map(\.kind.rawValue)
        return Set(checks + parts).sorted()
    }

    fileprivate var detail: JSON {
        let report = report
        var body = overview(Baseline()).object ?? [:]
        body["live"] = nil
        let present = (try? request.get()).map(\.json)
        body["request"] = Self.pair(golden(CaseFolder.request), present)
        let replay = files.first { $0.evaluation != nil }
        let evaluation = replay?.evaluation
        let output = replay.flatMap { golden(CaseFolder.output(provider: $0.name.provider)) }
        body["output"] = Self.pair(output, evaluation?.output)
        body["findings"] = JSON(report.findings.map(\.message))
        body["checks"] = .array(
            evaluation?.outcome == .answered
                ? (prompt?.checks ?? []).map { check -> JSON in
                    let failures = evaluation?.failures.filter { $0.check == check.name && $0.type == check.type } ?? []
                    return [
                        "name": JSON(check.name), "type": JSON(check.type), "passed": JSON(failures.isEmpty),
                        "reason": failures.isEmpty ? .null : JSON(failures.map(\.description).joined(separator: "\n")),
                    ]
                } : [])
        return .object(body)
    }

    private func golden(_ name: String) -> JSON? { folder.text(name).flatMap { try? JSON(parsing: $0) } }

    /// Two values as lines that people can compare, with their difference when there is one.
    private static func pair(_ expected: JSON?, _ actual: JSON?) -> JSON {
        let (before, after) = (expected.map(Outline.lines) ?? [], actual.map(Outline.lines) ?? [])
        return [
            "expected": expected == nil ? .null : JSON(before.joined(separator: "\n")),
            "actual": actual == nil ? .null : JSON(after.joined(separator: "\n")),
            "diff": before == after
                ? .null : JSON(LineDiff(before, named: "expected", after, named: "now").unified),
        ]
    }
}

extension RunFolder {
    /// The newest finished runs, the latest first.
    static func finished(in root: String, limit: Int) -> [JSON] {
        Files.names(in: root).reversed().lazy.compactMap { name -> JSON? in
            let folder = RunFolder(path: "\(root)/\(name)")
            guard let state = folder.state, let end = state["finished_at"]?.string,
                let results = try? folder.results().entries.values
            else { return nil }
            return [
                "name": JSON(name), "started_at": state["started_at"] ?? .null, "finished_at": JSON(end),
                "cases": JSON(results.count), "asked": JSON(results.reduce(0) { $0 + $1.runs }),
                "passed": JSON(results.reduce(0) { $0 + $1.passed }),
                "simulated": JSON(results.allSatisfy(\.isSimulated)),
                "micro_dollars": JSON(results.reduce(0) { $0 + $1.cost }),
            ]
        }.prefix(limit).map(\.self)
    }
}
