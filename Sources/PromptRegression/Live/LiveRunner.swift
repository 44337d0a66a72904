internal import LanguageModels
package import Prompts

/// Sends the cases' questions to real services several times, and compares the rates of passes with the baseline.
package struct LiveRunner: Sendable {
    /// The largest number of tries of a call that fails transiently.
    private static let attempts = 5
    private static let longestPause = Duration.seconds(120)

    private let home: String
    private let bundle: Bundle
    private let client: ModelClient
    private let runs: String
    private let redactor: Redactor
    private let now: @Sendable () -> String
    private let sleep: @Sendable (Duration) async throws -> Void

    /// A runner that keeps its runs in the folder `runs` (`var/prompt-runs`). `now` gives the time as
    /// `2026-11-21T09:30:00Z`, `sleep` waits before a call is tried again.
    package init(
        home: String, bundle: Bundle, client: ModelClient, runs: String, redactor: Redactor,
        now: @escaping @Sendable () -> String,
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        self.home = home
        self.bundle = bundle
        self.client = client
        self.runs = runs
        self.redactor = redactor
        self.now = now
        self.sleep = sleep
    }

    /// Makes every call of a plan that the unfinished run of the same plan has not made yet; `progress` gets the number
    /// of finished calls and the total.
    ///
    /// - Returns: The report; a run with failed calls stays open, and the same plan continues it.
    /// - Throws: `FileFailure` when answers cannot be kept: none is bought then that would be lost.
    package func run(
        _ plan: LivePlan, baseline: Baseline, progress: @Sendable (Int, Int) -> Void = { _, _ in }
    ) async throws(FileFailure) -> LiveReport {
        let work = LiveWork(plan, home: home, bundle: bundle)
        let folder = try RunFolder.open(in: runs, fingerprint: work.fingerprint, time: now())
        var results: [(call: LiveCall, result: CallResult)] = []
        var waiting: [LiveCall] = []
        for call in work.calls {
            if let answer = known(call, plan, folder) {
                results.append((call, .answered(answer)))
            } else {
                waiting.append(call)
            }
        }
        let reused = results.count
        progress(results.count, work.calls.count)
        await withTaskGroup(of: (LiveCall, CallResult).self) { group in
            let width = max(1, plan.concurrency)
            for call in waiting.prefix(width) { group.addTask { (call, await ask(call, plan, folder)) } }
            var next = waiting.dropFirst(width).makeIterator()
            for await (call, result) in group {
                results.append((call, result))
                progress(results.count, work.calls.count)
                if let call = next.next() { group.addTask { (call, await ask(call, plan, folder)) } }
            }
        }
        let report = LiveReport(
            results: results, bundle: bundle, baseline: baseline, skipped: work.skipped, problems: work.problems,
            reused: reused,
            folder: folder.path)
        if report.unanswered.isEmpty { try folder.finish(at: now(), results: report.results) }
        return report
    }

    /// The results of a run, to become the baseline; without a name those of the newest run that has ended.
    package static func results(of name: String?, in runs: String) throws(FileFailure) -> Baseline {
        if let name { return try RunFolder(path: "\(runs)/\(name)").results() }
        guard let latest = RunFolder.latest(in: runs) else {
            throw FileFailure(path: runs, problem: "holds no finished run")
        }
        return try latest.results()
    }

    enum CallResult: Sendable {
        case answered(LiveAnswer)
        case failed(String)
    }

    /// The answer of a call that is in the run's folder with all that belongs to it; `nil` when something is missing.
    private func known(_ call: LiveCall, _ plan: LivePlan, _ folder: RunFolder) -> LiveAnswer? {
        guard let draft = folder.recording(of: call),
            let grades = grades(of: evaluation(of: draft, call), call, folder)
        else { return nil }
        var answer = LiveAnswer(draft: draft, grades: grades)
        let repair: DraftRepair?
        do throws(RenderingError) {
            repair = try DraftRepair(of: draft, to: call.promptCase, by: call.prompt, in: bundle)
        } catch {
            // `ask` reports the reason.
            return plan.repairs ? nil : answer
        }
        guard let repair else { return answer }
        if let second = folder.repair(repair, of: call) {
            guard let grades = self.grades(of: repair.evaluation(of: second, in: bundle), call, folder) else {
                return nil
            }
            answer.repair = .init(question: repair, answer: second, grades: grades)
        }
        return answer.repair == nil && plan.repairs ? nil : answer
    }

    private func evaluation(of draft: Recording, _ call: LiveCall) -> Evaluation {
        Evaluation(of: draft, to: call.promptCase, by: call.prompt, in: bundle)
    }

    /// The grades of an answer, if all that its prompt asks for are known.
    private func grades(of answer: Evaluation, _ call: LiveCall, _ folder: RunFolder) -> [Recording]? {
        let known = answer.gradings.compactMap { folder.grade($0, of: call) }
        return known.count == answer.gradings.count ? known : nil
    }

    /// Asks for the answer, for its repair where the plan says so, and for the grades where the prompt has rubrics;
    /// keeps each as soon as it is there.
    private func ask(_ call: LiveCall, _ plan: LivePlan, _ folder: RunFolder) async -> CallResult {
        do throws(Unanswered) {
            let draft: Recording
            if let known = folder.recording(of: call) {
                draft = known
            } else {
                draft = try await persistently {
                    try await client.record(call.request, side: call.side, key: folder.key(of: call.file), at: now())
                }
                try kept { () throws(FileFailure) in try folder.keep(draft, of: call) }
            }
            var answer = LiveAnswer(draft: draft, grades: try await grade(evaluation(of: draft, call), call, folder))
            guard plan.repairs, let repair = try repair(of: draft, call) else { return .answered(answer) }
            let second: Recording
            if let known = folder.repair(repair, of: call) {
                second = known
            } else {
                let key = folder.key(of: DraftRepair.file(ofDraft: call.file))
                second = try await persistently {
                    try await client.record(repair.request, side: call.side, key: key, at: now())
                }
                try kept { () throws(FileFailure) in try folder.keep(second, repair, of: call) }
            }
            let grades = try await grade(repair.evaluation(of: second, in: bundle), call, folder)
            answer.repair = .init(question: repair, answer: second, grades: grades)
            return .answered(answer)
        } catch {
            return .failed(error.reason)
        }
    }

    private func repair(of draft: Recording, _ call: LiveCall) throws(Unanswered) -> DraftRepair? {
        do throws(RenderingError) {
            return try DraftRepair(of: draft, to: call.promptCase, by: call.prompt, in: bundle)
        } catch {
            throw Unanswered(reason: "the repair: \(error)")
        }
    }

    private func grade(
        _ answer: Evaluation, _ call: LiveCall, _ folder: RunFolder
    ) async throws(Unanswered) -> [Recording] {
        var grades: [Recording] = []
        for grading in answer.gradings {
            if let known = folder.grade(grading, of: call) {
                grades.append(known)
                continue
            }
            let grade = try await persistently {
                try await client.record(
                    grading.request, provider: nil, key: folder.key(of: call.file(of: grading)), at: now())
            }
            try kept { () throws(FileFailure) in try folder.keep(grade, grading, of: call) }
            grades.append(grade)
        }
        return grades
    }

    private struct Unanswered: Error { var reason: String }

    private func kept(_ body: () throws(FileFailure) -> Void) throws(Unanswered) {
        do { try body() } catch { throw Unanswered(reason: "\(error)") }
    }

    /// Asks until there is an answer, or an error that will not pass.
    private func persistently(_ body: () async throws -> Recording) async throws(Unanswered) -> Recording {
        var pause = Duration.seconds(2)
        for attempt in 1... {
            do {
                return try await body().redacted(by: redactor)
            } catch let error as ModelError {
                guard error.isTransient, attempt < Self.attempts else { throw Unanswered(reason: "\(error)") }
                let wait = min(max(pause, error.retryAfter ?? .zero), Self.longestPause)
                pause += pause
                do { try await sleep(wait) } catch { throw Unanswered(reason: "interrupted") }
            } catch {
                throw Unanswered(reason: "\(error)")
            }
        }
        throw Unanswered(reason: "not asked")
    }
}
