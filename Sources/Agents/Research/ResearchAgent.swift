internal import Basics
package import DataSources
internal import JSON
package import JobQueue
internal import LanguageModels
internal import Prompts

/// Writes a report on a company in the voice of an investor, resting on its filings.
///
/// The agent gathers the figures, scores them by the persona's checklist, has a model explain the score, and checks the
/// text against the figures: a number that they do not contain must not appear in the report.
package struct ResearchAgent: Agent {
    /// The number of jobs that keep a company's facts in memory at the same time, enough for the rate that the SEC
    /// allows. When thousands begin at the same time, each would otherwise hold its facts while all the others read
    /// theirs.
    private static let readersAtOnce = 16

    /// The step in which the filings of a report are chosen.
    package static let filingsStep = "filings"
    /// The step in which an item of a filing is read for all reports.
    package static let readingStep = "read"

    private let gatherer: FactGatherer
    private let filings: FilingReader?
    private let models: ModelCalls
    private let readers = AsyncSemaphore(permits: readersAtOnce)

    /// - Parameters:
    ///   - companies: The source of filings.
    ///   - market: The source of quotes; `nil` where none is set up.
    ///   - history: The prices over time, whose last close stands in for a missing quote.
    ///   - library: The text of filings; `nil` for reports that rest on figures alone.
    ///   - models: The models that write.
    ///   - now: The time.
    package init(
        companies: any CompanyFactsSource, market: (any MarketDataSource)?, history: PriceHistory? = nil,
        library: FilingLibrary? = nil, models: ModelCalls, now: @escaping @Sendable () -> Timestamp
    ) {
        self.init(
            companies: companies, market: market, history: history, library: library, readings: nil, models: models,
            now: now)
    }

    init(
        companies: any CompanyFactsSource, market: (any MarketDataSource)?, history: PriceHistory? = nil,
        library: FilingLibrary? = nil, readings: FilingReadings?, models: ModelCalls,
        now: @escaping @Sendable () -> Timestamp
    ) {
        gatherer = FactGatherer(companies: companies, market: market, history: history, now: now)
        filings = library.map { FilingReader($0, readings: readings) }
        self.models = models
    }

    package func run(_ context: JobContext) async throws(AgentError) -> AgentResult {
        let input = try context.input { try ResearchInput($0, personas: context.bundle.personas) }
        context.progress("gather")
        var briefing: FilingBriefing?
        if let filings { briefing = try await filings.briefing(input.ticker, for: input.persona, in: context) }
        let claims = ClaimRules(
            briefing?.passages ?? [], names: briefing?.names ?? [], language: context.language ?? .english)
        let settings = QuestionSettings(
            step: "draft", repairStep: "repair", stage: "draft", checkStage: "verify",
            prompt: try context.prompt("draft"), repairPrompt: try context.prompt("repair"),
            expectedCharacters: 6000, largestFraction: 0.98, answerName: "report",
            userMessage: "We could not write a report that holds against the filings. Nothing was charged.",
            rules: { claims.failures(in: $0) }, optionalList: ClaimRules.path)
        let question = ReportQuestion(
            input: input, settings: settings, context: context, gatherer: gatherer, briefing: briefing, readers: readers
        )
        return try await models.ask(question, in: context)
    }
}

/// The input of a `research` job.
struct ResearchInput: Sendable {
    let ticker: String
    let persona: Persona

    init(_ input: JSONField, personas: [String: Persona]) throws(JSONFieldError) {
        ticker = try input["ticker"].string()
        let id = try input["persona"].string()
        guard let persona = personas[id] else { throw input["persona"].failure("is not a persona of the job's bundle") }
        self.persona = persona
    }
}

/// The question that asks a model for the report.
///
/// A company's facts are large and a model writes for minutes, so they are not kept in memory meanwhile: they are read
/// from the journal again when an answer is checked. A class, since each async function on the way to the model would
/// hold a copy of a structure.
private final class ReportQuestion: CheckedQuestion {
    let settings: QuestionSettings
    private let input: ResearchInput
    private let context: JobContext
    private let gatherer: FactGatherer
    /// What the filings say; jobs on the same company share it.
    private let briefing: FilingBriefing?
    /// Limits the number of jobs that keep their facts in memory at the same time.
    private let readers: AsyncSemaphore

    init(
        input: ResearchInput, settings: QuestionSettings, context: JobContext, gatherer: FactGatherer,
        briefing: FilingBriefing?, readers: AsyncSemaphore
    ) {
        self.input = input
        self.settings = settings
        self.context = context
        self.gatherer = gatherer
        self.briefing = briefing
        self.readers = readers
    }

    /// A job that has an answer goes first, since thousands may be about to begin.
    func withSubject<Value>(
        hasAnswer: Bool, _ body: (CompanyReview) throws(AgentError) -> Value
    ) async throws(AgentError) -> Value {
        let value = try await readers.withPermit(priority: hasAnswer ? .high : .normal) {
            () async throws(AgentError) in
            let facts = try await hasAnswer ? gatherer.facts(in: context) : gatherer.gather(input.ticker, in: context)
            if !hasAnswer { context.progress("score") }
            var review = gatherer.review(of: facts, by: input.persona, in: context)
            review.passages = briefing?.passages ?? []
            review.hasCompanyPassages = [settings.prompt, settings.repairPrompt].allSatisfy {
                $0.takes("company_passages")
            }
            return try body(review)
        }
        guard let value else { throw .interrupted }
        return value
    }

    func output(_ answer: CheckedAnswer, about review: CompanyReview) -> AgentResult {
        context.progress("store")
        let result = ResearchReport(review: review, answer: answer, briefing: briefing, context: context).result
        let passages = ReportPassages(report: result["report"] ?? .null, job: context.job)
        return AgentResult(result, records: passages.records)
    }
}
