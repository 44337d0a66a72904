import Agents
import DataSources
import Foundation
import HTTP
import JSON
import JobQueue
import LanguageModels
import Prompts
import SQLiteStore
import Basics
import Simulator
import Testing

@testable import PromptRegression

/// A job that really ran, from a real database.
@Suite struct JobCaseTests {
    /// Runs one research job with a fault of the model, if any; returns the job and its journal.
    private func job(_ workspace: borrowing Workspace, faults: [FaultRule] = []) async throws -> (Job, [Step]) {
        let bundle = try workspace.bundle()
        let simulator = Simulator(SimulatorConfiguration(faults: faults))
        let url = try simulator.start()
        let client = HTTPClient()
        let store = try await SQLiteStore.open(path: workspace.path("var/dossier.db"))
        let configuration = ModelsConfiguration(claude: .init(key: Secret("simulated"), baseURL: url))
        let agent = ResearchAgent(
            companies: SECClient(
                try SECConfiguration(base: url, userAgent: "Dossier tests tests@example.com"), transport: client),
            market: nil,
            models: ModelCalls(ModelRouter(try Workspace.catalogue(), configuration: configuration, transport: client)),
            now: { Timestamp(milliseconds: 1_767_225_600_000) })
        var generator = SystemRandomNumberGenerator()
        let now = try await store.now()
        let id = JobID(at: now, using: &generator)
        _ = try await store.submit(
            NewJob(
                id: id, user: UserID(rawValue: 1), kind: "research", input: ["ticker": "SNOW", "persona": "graham"],
                bundle: bundle.hash, cost: 1, deadline: Timestamp(milliseconds: now.milliseconds + 600_000),
                startingCredits: 10))
        let worker = WorkerID(rawValue: "w")
        try await store.register(WorkerRegistration(id: worker, host: "h", processID: 1, concurrency: 1))
        let claimed = try #require(try await store.claim(for: worker, upTo: [.background: 1]).jobs.first)
        let context = JobContext(
            job: claimed, kind: try #require(bundle.kinds["research"]), bundle: bundle,
            journal: try await Journal(of: claimed.lease, in: store), isLive: { true }, report: { _, _ in })
        do throws(AgentError) {
            let result = try await agent.run(context)
            try? await store.complete(claimed.lease, with: result.body, effects: [])
        } catch {
            if case .failed(let failure) = error {
                try? await store.fail(
                    claimed.lease,
                    with: JobFailure(error: failure.error, next: .giveUp, dropStepsFrom: failure.dropStepsFrom))
            }
        }
        let found = (try #require(try await store.job(id, of: nil)), try await store.journal(of: id))
        await store.close()
        await client.shutdown()
        await simulator.stop()
        return found
    }

    /// An agent without services.
    private func silentAgent() throws -> ResearchAgent {
        struct NoFilings: CompanyFactsSource {
            func fundamentals(_ ticker: String) async throws(DataSourceError) -> CompanyFundamentals {
                throw .forbidden(.edgar, hint: "no service is called")
            }
        }
        let router = ModelRouter(
            try Workspace.catalogue(), configuration: ModelsConfiguration(), transport: HTTPClient())
        return ResearchAgent(
            companies: NoFilings(), market: nil, models: ModelCalls(router),
            now: { Timestamp(milliseconds: 0) })
    }

    private func write(
        _ workspace: borrowing Workspace, _ job: Job, _ steps: [Step], bundle: Prompts.Bundle
    ) async throws -> [JobCaseWriter.Written] {
        let uses = try await JobCase(job, steps: steps, bundle: bundle, agent: try silentAgent()).uses()
        let writer = JobCaseWriter(
            home: workspace.home, bundle: try workspace.bundle(), redactor: Redactor(), now: { "2026-01-01T00:00:00Z" })
        return try uses.map { try writer.write($0, name: "from-job", origin: "a test") }
    }

    @Test func aJobBecomesACaseThatReplaysItsAnswer() async throws {
        let workspace = try Workspace(cases: ["research/apple-brief"])
        let (job, steps) = try await job(workspace)
        #expect(job.status == .completed)
        let written = try await write(workspace, job, steps, bundle: try workspace.bundle())
        #expect(written.map(\.id.description) == ["research/from-job"])
        let report = try workspace.run("research/from-job")
        #expect(report.isSuccess, "\(TerminalReport(report).text)")
        let yaml = try workspace.text("prompts/cases/research/from-job/case.yaml")
        #expect(yaml.contains("persona: graham"))
        #expect(try !workspace.text("prompts/cases/research/from-job/input.json").contains("voice"))
        #expect(try workspace.text("prompts/cases/research/from-job/facts.json").contains("Revenue, FY2025"))
    }

    @Test func aBadDraftAndItsRepairBecomeTwoCases() async throws {
        let workspace = try Workspace(cases: ["research/apple-brief"])
        let (job, steps) = try await job(workspace, faults: [FaultRule(.inventedFigure, service: .claude, times: 1)])
        let written = try await write(workspace, job, steps, bundle: try workspace.bundle())
        #expect(written.map(\.id.prompt) == ["research", "research-repair"])
        #expect(written.first?.note.contains("its answer fails (answered, but figures-in-facts fails)") == true)
        #expect(try workspace.run().kinds(of: "research/from-job") == [.checks])
        #expect(try workspace.run().kinds(of: "research-repair/from-job").isEmpty)
    }

    @Test func aJobThatFailedItsChecksBecomesCasesOfTheAnswersThatFailed() async throws {
        let workspace = try Workspace(cases: ["research/apple-brief"])
        let (job, steps) = try await job(workspace, faults: [FaultRule(.inventedFigure, service: .claude)])
        #expect(job.status == .failed)
        let written = try await write(workspace, job, steps, bundle: try workspace.bundle())
        #expect(written.map(\.id.prompt) == ["research", "research-repair"])
        #expect(written.allSatisfy { $0.note.contains("figures-in-facts fails") }, "\(written)")
        #expect(try workspace.run().kinds(of: "research/from-job") == [.checks])
        #expect(try workspace.run().kinds(of: "research-repair/from-job") == [.checks])
    }

    @Test func aCutOffAnswerStaysCutOff() async throws {
        let workspace = try Workspace(cases: ["research/apple-brief"])
        let (job, steps) = try await job(workspace, faults: [FaultRule(.truncation, service: .claude, times: 1)])
        _ = try await write(workspace, job, steps, bundle: try workspace.bundle())
        #expect(try workspace.recording(of: "research/from-job").outcome == .truncated)
    }

    @Test func anAnswerToAnEarlierPromptIsNotKeptForTheNewPrompt() async throws {
        let workspace = try Workspace(cases: ["research/apple-brief"])
        let (job, steps) = try await job(workspace)
        let old = try workspace.bundle()
        try workspace.edit("prompts/research.prompt", "Write the report on", "Write the whole report on")
        let written = try await write(workspace, job, steps, bundle: old)
        #expect(written.first?.note.contains("the prompt was edited since") == true)
        #expect(try workspace.recordings(of: "research/from-job").isEmpty)
    }

    @Test func aJournalWithoutFactsSaysSo() async throws {
        let workspace = try Workspace(cases: ["research/apple-brief"])
        let (job, _) = try await job(workspace)
        let bundle = try workspace.bundle()
        await #expect(throws: JobCase.Failure.self) {
            _ = try await JobCase(job, steps: [], bundle: bundle, agent: try self.silentAgent()).uses()
        }
    }
}
