public import DataSources
internal import JSON
internal import JobQueue
internal import LanguageModels
public import Prompts

/// Writes a report on a company in the voice of an investor, resting on its filings.
///
/// Gather the figures, score them by the persona's checklist, let a model explain the score, and hold its text against
/// the figures: what they do not contain must not stand in the report.
public struct ResearchAgent: Agent {
    public let name = "research"

    /// What `jobs/research.yaml` must give.
    public static let requirements = BundleRules.Agent(
        prompts: ["draft", "repair"], stages: ["gather", "score", "draft", "verify", "store"])

    /// The length of a usual draft, by which its progress is judged while it streams.
    private static let expectedCharacters = 6000.0

    /// Jobs that read filings and score at the same time: enough to keep the pace that the SEC allows. Where thousands
    /// begin at the same moment, each would otherwise hold its facts while all the others read theirs.
    private static let readersAtOnce = 32

    private let gatherer: FactGatherer
    private let models: ModelCalls
    private let readers = CallGate(limit: readersAtOnce, reserve: 0)

    /// - Parameters:
    ///   - companies: The filings.
    ///   - market: Prices; `nil` where no source of prices is set up.
    ///   - models: Who writes.
    ///   - now: Milliseconds since 1970.
    public init(
        companies: any CompanyFactsSource, market: (any MarketDataSource)?, models: ModelCalls,
        now: @escaping @Sendable () -> Int64
    ) {
        gatherer = FactGatherer(companies: companies, market: market, now: now)
        self.models = models
    }

    public func run(_ context: JobContext) async throws(AgentError) -> AgentResult {
        let order = try ResearchOrder(context)
        context.progress("gather")
        let reading = try await read(order, in: context)
        context.progress("draft")
        let draft = try await write(reading, order, context)
        context.progress("store")
        let result = ReportAssembler(reading: reading, order: order, draft: draft, context: context).result
        let passages = ReportPassages(report: result["report"] ?? .null, job: context.job)
        return AgentResult(result, records: passages.records)
    }

    private func read(_ order: ResearchOrder, in context: JobContext) async throws(AgentError) -> Reading {
        guard await readers.enter(isInteractive: false) else { throw .interrupted }
        defer { readers.leave() }
        let facts = try await gatherer.gather(order.ticker, in: context)
        context.progress("score")
        return Reading(of: facts, by: order.persona)
    }

    // MARK: Draft and repair

    /// What the model wrote and passed all checks, and the answers that it took.
    struct Draft: Sendable {
        var content: JSON
        var answers: [(step: String, answer: ModelCalls.Answer)]
    }

    private func write(
        _ reading: Reading, _ order: ResearchOrder, _ context: JobContext
    ) async throws(AgentError) -> Draft {
        let request = try context.request(order.draft, input: reading.promptInput, material: reading.material)
        let first = try await models.ask("draft", request, in: context) { count in
            context.progress("draft", fraction: min(0.98, Double(count) / Self.expectedCharacters))
        }
        context.progress("verify")
        let problems = request.problems(with: first)
        guard !problems.isEmpty else {
            return Draft(content: first.response.json ?? .null, answers: [("draft", first)])
        }
        guard problems.allSatisfy(\.isMendable) else { throw Self.unusable(problems, from: first) }
        // The answer goes back once, with the reasons; a second one that is no better is no answer.
        var repairInput = reading.promptInput
        repairInput["draft"] = JSON(first.response.text)
        repairInput["failures"] = JSON(problems.map(\.description))
        let repair = try context.request(order.repair, input: repairInput, material: reading.material)
        let second: ModelCalls.Answer
        do throws(AgentError) {
            second = try await models.ask("repair", repair, in: context) { _ in }
        } catch {
            throw error.droppingStepsUnlessTransient(from: first.sequence)
        }
        context.progress("verify", fraction: 0.8)
        let remaining = repair.problems(with: second)
        guard remaining.isEmpty else { throw Self.unusable(remaining, from: first) }
        return Draft(
            content: second.response.json ?? .null, answers: [("draft", first), ("repair", second)])
    }

    private static func unusable(_ failures: [CheckFailure], from first: ModelCalls.Answer) -> AgentError {
        .failed(
            AgentFailure(
                JobError(
                    code: "BIZ_2003",
                    message: "The model's report did not pass its checks: \(names(of: failures)).",
                    userMessage: "We could not write a report that holds against the filings. Nothing was charged."),
                isTransient: false, dropStepsFrom: first.sequence))
    }

    /// Which checks failed and where, without a word of the model's text: that must not reach an error or a log.
    private static func names(of failures: [CheckFailure]) -> String {
        failures.map { $0.path.isEmpty ? $0.check : "\($0.check) at \($0.path)" }.uniqued().prefix(5)
            .joined(separator: ", ")
    }
}

/// What a research job asks for, read from its input and its bundle.
struct ResearchOrder: Sendable {
    let ticker: String
    let persona: Persona
    let draft: LoadedPrompt
    let repair: LoadedPrompt

    init(_ context: JobContext) throws(AgentError) {
        let input = JSONField(context.job.input)
        do {
            ticker = try input["ticker"].string()
            let id = try input["persona"].string()
            guard let persona = context.bundle.personas[id] else {
                throw input["persona"].failure("is not a persona of the job's bundle")
            }
            self.persona = persona
        } catch {
            throw .failed(AgentFailure(.internalFailure("the job's input: \(error)"), isTransient: false))
        }
        draft = try context.prompt("draft")
        repair = try context.prompt("repair")
    }
}
