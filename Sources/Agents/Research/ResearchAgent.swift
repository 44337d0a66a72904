package import DataSources
internal import JSON
internal import JobQueue
internal import LanguageModels
package import Prompts

/// Writes a report on a company in the voice of an investor, resting on its filings.
///
/// Gather the figures, score them by the persona's checklist, let a model explain the score, and hold its text against
/// the figures: what they do not contain must not stand in the report.
package struct ResearchAgent: Agent {
    package let name = "research"

    /// What `jobs/research.yaml` must give.
    package static let requirements = BundleRules.Agent(
        prompts: ["draft", "repair"], stages: ["gather", "score", "draft", "verify", "store"])

    /// Jobs that hold a company's facts at the same time: enough to keep the pace that the SEC allows. Where thousands
    /// begin at the same moment, each would otherwise hold its facts while all the others read theirs.
    private static let readersAtOnce = 16

    private let gatherer: FactGatherer
    private let models: ModelCalls
    private let readers = AsyncSemaphore(limit: readersAtOnce, reserve: 0)

    /// - Parameters:
    ///   - companies: The filings.
    ///   - market: Prices; `nil` where no source of prices is set up.
    ///   - models: Who writes.
    ///   - now: Milliseconds since 1970.
    package init(
        companies: any CompanyFactsSource, market: (any MarketDataSource)?, models: ModelCalls,
        now: @escaping @Sendable () -> Int64
    ) {
        gatherer = FactGatherer(companies: companies, market: market, now: now)
        self.models = models
    }

    package func run(_ context: JobContext) async throws(AgentError) -> AgentResult {
        try await ResearchRun(context, gatherer: gatherer, models: models, readers: readers).result()
    }
}

/// What a research job asks for, read from its input and its bundle.
struct ResearchInput: Sendable {
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
