import Agents
import Basics
import JSON
import LanguageModels
import Prompts
import Synchronization
import Testing

@testable import PromptRegression

/// Live runs of a summary, whose answers a test writes.
private struct SummaryRuns: ~Copyable {
    static let haiku = "claude-haiku-5-5"
    static let flash = "gemini-3.8-flash"

    let workspace: Workspace
    private let good: ModelResponse
    private let rejected: ModelResponse
    private let refused: ModelResponse

    init(floor: Double = 0.5) throws {
        let names = ["summary/rates", "summary/invented-figure", "summary/refusal"]
        let workspace = try Workspace(cases: names)
        try workspace.edit("prompts/summary.prompt", "\ndossier.checks:", "\ndossier.floor: \(floor)\ndossier.checks:")
        let good = try workspace.recording(of: names[0]).response
        let rejected = try workspace.recording(of: names[1]).response
        let refused = try workspace.recording(of: names[2]).response
        (self.good, self.rejected, self.refused) = (good, rejected, refused)
        self.workspace = workspace
    }

    enum Reply { case good, rejected, refused, outage }

    /// The requests that were made, in order.
    final class Asked: Sendable {
        private let requests = Mutex<[(model: String, request: ModelRequest)]>([])
        var all: [(model: String, request: ModelRequest)] { requests.withLock { $0 } }
        func add(_ model: String, _ request: ModelRequest) -> Int {
            requests.withLock { requests in
                requests.append((model, request))
                return requests.count - 1
            }
        }
    }

    /// Asks one model, which answers in the order of `replies`.
    @discardableResult
    func ask(
        _ model: String, _ replies: [Reply], repeats: Int, cost: Int64 = 100, repairs: Bool = true,
        simulated: Bool = false, at time: String = "2026-11-20T00:00:00Z", asked: Asked = Asked()
    ) async throws -> LiveReport {
        let (good, rejected, refused) = (good, rejected, refused)
        let client = ModelClient(try Workspace.catalogue()) { request, model async throws(ModelError) in
            let number = asked.add(model, request)
            let reply = number < replies.count ? replies[number] : .good
            var answer = reply == .rejected ? rejected : reply == .refused ? refused : good
            answer.requestedModel = model
            answer.id = simulated ? "msg_sim_\(number)" : "msg_\(number)"
            answer.cost = MicroDollars(rawValue: cost)
            switch reply {
            case .outage: throw ModelError(.quotaExhausted(.daily))
            case .refused:
                var error = ModelError(.refused(category: nil))
                error.answer = answer
                throw error
            case .good, .rejected: return try answer.read(as: request.output)
            }
        }
        let runner = LiveRunner(
            home: workspace.home, bundle: try workspace.bundle(), client: client, runs: workspace.path("var/runs"),
            redactor: Redactor(), now: { time }, sleep: { _ in })
        return try await runner.run(
            LivePlan(sides: [.model(model)], repeats: repeats, concurrency: 1, repairs: repairs), baseline: Baseline())
    }

    func report(on day: String = "2026-11-22") throws -> RouteReport {
        RouteReport(
            .all, home: workspace.home, bundle: try workspace.bundle(), catalogue: try Workspace.catalogue(),
            runs: workspace.path("var/runs"), today: try #require(CalendarDate(day)))
    }

    func rows(on day: String = "2026-11-22") throws -> [RouteReport.Row] {
        try #require(try report(on: day).tables.first { $0.prompt == "summary" }).rows
    }
}

@Suite struct LiveRepairTests {
    private let haiku = SummaryRuns.haiku

    @Test func aRejectedDraftIsAskedForAgainWithItsTextAndTheReasons() async throws {
        let runs = try SummaryRuns()
        let asked = SummaryRuns.Asked()
        let report = try await runs.ask(haiku, [.rejected, .good, .good], repeats: 2, asked: asked)
        #expect(asked.all.count == 3)
        #expect(asked.all.allSatisfy { $0.model == SummaryRuns.haiku })
        let again = try #require(asked.all.dropFirst().first?.request.encoded.compact)
        #expect(again.contains(#/The figure [\d,]+ million USD is not among the facts/#), "the reason")
        #expect(
            again.contains(#/Revenue of [\d,]+ million USD is expected for the coming year. The central bank/#),
            "the draft")
        let row = try #require(report.prompts.first)
        #expect(row.key.provider == haiku && row.now.runs == 2 && row.now.passed == 1)
        #expect(row.repairs == LiveReport.Repairs(asked: 1, passed: 1, cost: 100))
        #expect(LiveTextReport(report).text.contains("1 drafts asked for again, 1 passed then"))
    }

    @Test func aRefusalAndAnAcceptedDraftAreNotAskedForAgain() async throws {
        let runs = try SummaryRuns()
        let asked = SummaryRuns.Asked()
        let report = try await runs.ask(haiku, [.refused, .good], repeats: 2, asked: asked)
        #expect(asked.all.count == 2)
        #expect(report.prompts.first?.repairs == LiveReport.Repairs())
        let evidence = try #require(try runs.rows().first?.evidence)
        #expect(evidence.asked == 2 && evidence.accepted == 1 && evidence.unrepaired == 0)
    }

    @Test func anInterruptedRunBuysNeitherDraftsNorRepairsTwice() async throws {
        let runs = try SummaryRuns()
        let first = SummaryRuns.Asked()
        let broken = try await runs.ask(
            haiku, [.rejected, .good, .rejected, .outage, .outage], repeats: 3, asked: first)
        #expect(!broken.unanswered.isEmpty)
        let second = SummaryRuns.Asked()
        let resumed = try await runs.ask(haiku, [], repeats: 3, asked: second)
        // The second draft's repair, and the third draft.
        #expect(second.all.count == 2)
        #expect(resumed.reused == 1 && resumed.folder == broken.folder && resumed.unanswered.isEmpty)
        #expect(resumed.prompts.first?.repairs.passed == 2)
        #expect(try runs.rows().first?.evidence.accepted == 3)
    }

    @Test func kindsNameTheirRepairPromptAndOtherPromptsRepairThemselves() throws {
        let bundle = try Workspace().bundle()
        for (prompt, repair) in [
            ("research", "research-repair"), ("summary", "summary"), ("summary.watch", "summary.watch"),
            ("interpret", "interpret"),
        ] {
            let loaded = try #require(bundle.prompts[prompt])
            #expect(bundle.repairPrompt(of: loaded)?.name == repair)
        }
        for prompt in ["research-repair", "llm-rubric"] {
            #expect(bundle.repairPrompt(of: try #require(bundle.prompts[prompt])) == nil, "\(prompt)")
        }
    }
}

@Suite struct RouteReportTests {
    private let haiku = SummaryRuns.haiku
    private let flash = SummaryRuns.flash

    @Test func theCheapestAcceptedAnswerComesFirstNotTheCheapestDraft() async throws {
        let runs = try SummaryRuns()
        // Ten drafts, five of them repaired: 15 calls of 100 for 10 answers.
        try await runs.ask(
            haiku, (0..<5).flatMap { _ in [SummaryRuns.Reply.rejected, .good] }, repeats: 10, cost: 100)
        try await runs.ask(flash, [], repeats: 10, cost: 120)
        let rows = try runs.rows()
        #expect(rows.map(\.evidence.source.model) == [flash, haiku])
        #expect(rows.map(\.verdict) == [.eligible, .eligible])
        #expect(rows.map(\.evidence.price) == [120, 150])
        #expect(rows.last?.evidence.passed == 5 && rows.last?.evidence.repaired == 5)
        let routes = try runs.report().routes(updating: Routes(), simulated: false)
        #expect(routes.models(of: "summary") == [flash, haiku])
        let entry = try #require(routes.entries["summary"]?.last)
        #expect(entry.passes == 10 && entry.asked == 10 && entry.price == 150 && !entry.isSimulated)
        #expect(entry.date == CalendarDate("2026-11-22"))
    }

    @Test func anAnswerCountsForNinetyDays() async throws {
        let runs = try SummaryRuns()
        try await runs.ask(haiku, [], repeats: 4, at: "2026-08-24T10:00:00Z")
        #expect(try runs.rows(on: "2026-11-22").first?.evidence.asked == 4)
        #expect(try runs.rows(on: "2026-11-23").isEmpty)
        let text = try runs.report(on: "2026-11-23").text
        #expect(text.contains("4 are older than 90 days"), "\(text)")
    }

    @Test func anEditOfThePromptMakesItsAnswersCountNoMore() async throws {
        let runs = try SummaryRuns()
        try await runs.ask(haiku, [], repeats: 4)
        #expect(try runs.rows().first?.evidence.asked == 4)
        try runs.workspace.edit("prompts/_news_rules.prompt", "\n", "\nBe brief.\n")
        #expect(try runs.rows().isEmpty)
        let text = try runs.report().text
        #expect(text.contains("4 are of an earlier text of the prompt or a case"), "\(text)")
        #expect(
            text.contains("dossier prompts live --filter 'summary/*' --model \(haiku) --repair --repeat 4"), "\(text)")
    }

    @Test func answersOfYesterdayPassTheChecksOfToday() async throws {
        let runs = try SummaryRuns()
        try await runs.ask(haiku, [], repeats: 4)
        try runs.workspace.edit("prompts/summary.prompt", "value: {max: 260}", "value: {max: 5}")
        let evidence = try #require(try runs.rows().first?.evidence)
        #expect(evidence.asked == 4 && evidence.passed == 0 && evidence.unrepaired == 4)
    }

    @Test func simulatedAnswersAreNeverCountedWithRealOnes() async throws {
        let runs = try SummaryRuns()
        try await runs.ask(haiku, [], repeats: 10, simulated: true)
        var report = try runs.report()
        #expect(report.simulatedOnly == ["summary"])
        #expect(report.routes(updating: Routes(), simulated: false).entries.isEmpty)
        let marked = report.routes(updating: Routes(), simulated: true)
        #expect(marked.entries["summary"]?.map(\.isSimulated) == [true])
        #expect(report.text.contains("\(haiku) (simulated)"))
        try await runs.ask(haiku, [.refused, .refused, .refused], repeats: 3)
        report = try runs.report()
        #expect(try runs.rows().map { [$0.evidence.asked, $0.evidence.accepted] } == [[3, 0], [10, 10]])
        // Real answers decide where there are some, and these make the model ineligible.
        #expect(report.simulatedOnly.isEmpty)
        #expect(report.routes(updating: marked, simulated: true).entries["summary"] == nil)
    }

    @Test func aPromptWithoutAnswersKeepsItsRoute() throws {
        let runs = try SummaryRuns()
        let present = Routes(["summary": [.init(model: flash)]])
        #expect(try runs.report().routes(updating: present, simulated: false) == present)
    }

    @Test func theReportNamesWhatIsMissing() async throws {
        let runs = try SummaryRuns(floor: 0.95)
        try await runs.ask(haiku, [.rejected], repeats: 10, repairs: false)
        let table = try #require(try runs.report().tables.first { $0.prompt == "summary" })
        let gap = try #require(table.gaps.first { $0.model == haiku })
        #expect(gap.reason == "1 rejected drafts were not asked for again")
        #expect(gap.command.contains("--model \(haiku) --repair --repeat"))
        // Other models of the tier were never asked; 73 passes are the fewest.
        let other = try #require(table.gaps.first { $0.model != haiku })
        #expect(other.reason == "no answers" && other.command.hasSuffix("--repeat 73"))
        let json = try runs.report().json["prompts"]?.array?.first { $0["prompt"] == "summary" }
        #expect(json?["models"]?.array?.first?["eligible"] == false)
        #expect(json?["models"]?.array?.first?["not_asked_again"] == 1)
    }

    @Test func aTamperedAnswerIsNamedAndNotCounted() async throws {
        let runs = try SummaryRuns()
        let report = try await runs.ask(haiku, [], repeats: 2)
        let file = String(report.folder.dropFirst(runs.workspace.home.count + 1)) + "/summary/rates/\(haiku).1.json"
        try runs.workspace.edit(file, "\"cost_micro_dollars\": 100", "\"cost_micro_dollars\": 1")
        #expect(try runs.rows().first?.evidence.asked == 1)
        #expect(try runs.report().problems.contains { $0.contains(file) && $0.contains("changed after") })
    }
}
