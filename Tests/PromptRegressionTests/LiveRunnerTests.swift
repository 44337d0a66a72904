import Foundation
import JSON
import LanguageModels
import Synchronization
import Testing

@testable import PromptRegression

@Suite struct LiveRunnerTests {
    private let name = "research/apple-brief"

    /// Answers each call as the test says, and counts.
    private final class Scripted: Sendable {
        private let count = Mutex(0)
        private let answer: @Sendable (Int) throws(ModelError) -> ModelResponse

        init(_ answer: @escaping @Sendable (Int) throws(ModelError) -> ModelResponse) { self.answer = answer }

        var calls: Int { count.withLock(\.self) }

        func ask() throws(ModelError) -> ModelResponse {
            let number = count.withLock { count in
                count += 1
                return count
            }
            return try answer(number)
        }
    }

    private final class Waits: Sendable {
        private let kept = Mutex<[Duration]>([])
        var durations: [Duration] { kept.withLock(\.self) }
        func add(_ duration: Duration) { kept.withLock { $0.append(duration) } }
    }

    private func run(
        _ workspace: borrowing Workspace, _ scripted: Scripted, repeats: Int = 4,
        providers: [ModelProvider] = [.claude],
        baseline: Baseline = Baseline(), waits: Waits = Waits()
    ) async throws -> LiveReport {
        var grade = try workspace.recording(of: name).response
        grade.text = #"{"reason":"Good.","score":1,"pass":true}"#
        let good = grade
        // Only the grader is asked by its tier; the others by a provider's model.
        let client = ModelClient(try Workspace.catalogue()) { _, asked async throws(ModelError) in
            asked == "fast" ? good : try scripted.ask()
        }
        let runner = LiveRunner(
            home: workspace.home, bundle: try workspace.bundle(), client: client, runs: workspace.path("var/runs"),
            redactor: Redactor(), now: { "2026-01-01T00:00:00Z" }, sleep: { waits.add($0) })
        return try await runner.run(
            LivePlan(sides: providers.map(LiveSide.provider), repeats: repeats, concurrency: 1), baseline: baseline)
    }

    private func good(_ workspace: borrowing Workspace) throws -> ModelResponse {
        try workspace.recording(of: name).response
    }

    private func baseline(passed: Int, runs: Int, isSimulated: Bool = true) -> Baseline {
        let entry = Baseline.Entry(
            model: "m", isSimulated: isSimulated, runs: runs, passed: passed, p50: 1, p95: 2, cost: 3)
        return Baseline(entries: [.init(promptCase: name, provider: "claude"): entry])
    }

    @Test func everyRepetitionIsCalledAndCounted() async throws {
        let workspace = try Workspace(cases: [name])
        let response = try good(workspace)
        let scripted = Scripted { _ in response }
        let report = try await run(workspace, scripted, repeats: 3, providers: [.claude, .gemini])
        #expect(scripted.calls == 6)
        #expect(report.isSuccess)
        #expect(report.cases.map { [$0.now.runs, $0.now.passed] } == [[3, 3], [3, 3]])
        #expect(report.cases.first?.now.cost == response.cost.rawValue * 3)
        #expect(report.prompts.map(\.key.promptCase) == ["research", "research"])
        #expect(report.cases.allSatisfy { $0.change == .new })
    }

    @Test func anInterruptedRunLosesNoFinishedCall() async throws {
        let workspace = try Workspace(cases: [name])
        let response = try good(workspace)
        let failing = Scripted { number throws(ModelError) in
            if number > 2 { throw ModelError(.quotaExhausted(.daily)) }
            return response
        }
        let first = try await run(workspace, failing, repeats: 5)
        #expect(!first.isSuccess)
        #expect(first.unanswered.count == 3)
        let working = Scripted { _ in response }
        let second = try await run(workspace, working, repeats: 5)
        #expect(working.calls == 3)
        #expect(second.reused == 2)
        #expect(second.isSuccess)
        #expect(second.cases.first?.now.runs == 5)
        #expect(second.folder == first.folder)
        // A finished run is not continued.
        let third = try await run(workspace, Scripted { _ in response }, repeats: 5)
        #expect(third.reused == 0)
        #expect(third.folder != first.folder)
    }

    @Test func aRateLimitIsWaitedFor() async throws {
        let workspace = try Workspace(cases: [name])
        let response = try good(workspace)
        let scripted = Scripted { number throws(ModelError) in
            if number < 3 { throw ModelError(.rateLimited, retryAfter: .seconds(30)) }
            return response
        }
        let waits = Waits()
        let report = try await run(workspace, scripted, repeats: 1, waits: waits)
        #expect(scripted.calls == 3)
        #expect(waits.durations == [.seconds(30), .seconds(30)])
        #expect(report.isSuccess)
    }

    @Test func aCaseThatAlwaysPassedAndFailsOnceIsNamed() async throws {
        let workspace = try Workspace(cases: [name])
        let response = try good(workspace)
        let scripted = Scripted { number in
            var answer = response
            if number == 1 { answer.text = "{}" }
            return answer
        }
        let report = try await run(workspace, scripted, repeats: 10, baseline: baseline(passed: 10, runs: 10))
        #expect(report.regressions.map(\.change) == [.flaky])
        #expect(report.regressions.first?.pValue ?? 0 > 0.05)
        #expect(!report.isSuccess)
        #expect(LiveTextReport(report).text.contains("FLAKY \(name), claude: always passed before, now 9 of 10"))
        #expect(report.cases.first?.reasons.values.first == 1)
    }

    @Test func aChanceDifferenceIsNoRegressionButACollapseIs() async throws {
        let workspace = try Workspace(cases: [name])
        let response = try good(workspace)
        let half = { @Sendable (number: Int) -> ModelResponse in
            var answer = response
            if number % 2 == 0 { answer.text = "{}" }
            return answer
        }
        let same = try await run(workspace, Scripted(half), repeats: 10, baseline: baseline(passed: 7, runs: 10))
        #expect(same.cases.map(\.change) == [.same])
        #expect(same.isSuccess)
        let worse = try await run(workspace, Scripted(half), repeats: 10, baseline: baseline(passed: 99, runs: 100))
        #expect(worse.cases.map(\.change) == [.worse])
        #expect(!worse.isSuccess)
    }

    @Test func simulatedAndRealAnswersAreNotCompared() async throws {
        let workspace = try Workspace(cases: [name])
        let response = try good(workspace)
        let report = try await run(
            workspace, Scripted { _ in response }, baseline: baseline(passed: 1, runs: 10, isSimulated: false))
        #expect(report.cases.map(\.change) == [.new])
    }

    @Test func casesThatOnlyTheSimulatorCanAnswerAreLeftOut() async throws {
        let workspace = try Workspace(cases: [name, "research/refusal"])
        let response = try good(workspace)
        let report = try await run(workspace, Scripted { _ in response })
        #expect(report.skipped.map(\.description) == ["research/refusal"])
        #expect(report.cases.count == 1)
    }

    @Test func aFinishedRunBecomesTheBaseline() async throws {
        let workspace = try Workspace(cases: [name])
        let response = try good(workspace)
        _ = try await run(workspace, Scripted { _ in response }, repeats: 2)
        let results = try LiveRunner.results(of: nil, in: workspace.path("var/runs"))
        let path = Baseline.path(home: workspace.home)
        try results.write(to: path)
        #expect(try Baseline.read(from: path) == results)
        #expect(results.entries[.init(promptCase: name, provider: "claude")]?.passed == 2)
        #expect(try workspace.run().isSuccess)
    }
}
