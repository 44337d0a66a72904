package import DataSources
internal import JobQueue
internal import JSON
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

/// One research job on its way from the filings to its report.
///
/// A company's facts are large and a model writes for minutes, so they are not kept meanwhile: what was gathered stands
/// in the journal and is read again when an answer is to be held against it. A class, since each async function on the
/// way to the model would hold a copy of a structure.
final class ResearchRun: Sendable {
    /// The length of a usual draft, by which its progress is judged while it streams.
    private static let expectedCharacters = 6000.0

    private let order: ResearchInput
    private let context: JobContext
    private let gatherer: FactGatherer
    private let models: ModelCalls
    /// Lets so many jobs at once hold their facts.
    private let readers: AsyncSemaphore

    init(
        _ context: JobContext, gatherer: FactGatherer, models: ModelCalls, readers: AsyncSemaphore
    ) throws(AgentError) {
        order = try ResearchInput(context)
        self.context = context
        self.gatherer = gatherer
        self.models = models
        self.readers = readers
    }

    func result() async throws(AgentError) -> AgentResult {
        context.progress("gather")
        let (call, facts) = try await prepare()
        context.progress("draft")
        let first = try await models.ask("draft", call, in: context) { [context] count in
            context.progress("draft", fraction: min(0.98, Double(count) / Self.expectedCharacters))
        }
        context.progress("verify")
        switch try await judge(first, facts) {
        case .report(let result): return result
        case .repair(let question, let call): return try await repair(first, with: question, call, facts)
        }
    }

    /// The answer goes back once, with the reasons; a second one that is no better is no answer.
    private func repair(
        _ first: ModelCalls.Answer, with question: Question, _ call: PromptCall, _ facts: GatheredPlace
    ) async throws(AgentError) -> AgentResult {
        let second: ModelCalls.Answer
        do throws(AgentError) {
            second = try await models.ask("repair", call, in: context) { _ in }
        } catch {
            throw error.droppingStepsUnlessTransient(from: first.sequence)
        }
        context.progress("verify", fraction: 0.8)
        return try await judge(second, to: question, after: first, facts)
    }

    // MARK: With the facts at hand

    /// Gathers and scores; what the model is asked, and where the facts stand.
    private func prepare() async throws(AgentError) -> (PromptCall, GatheredPlace) {
        try await enter(withAnswer: false)
        defer { readers.leave() }
        let (facts, place) = try await gatherer.gather(order.ticker, in: context)
        context.progress("score")
        return (try call(Question(prompt: order.draft), CompanyReview(of: facts, by: order.persona)), place)
    }

    /// Indirect, so that little room is set aside for it while the model writes.
    private indirect enum Judgement {
        case report(AgentResult)
        case repair(Question, PromptCall)
    }

    private func judge(_ first: ModelCalls.Answer, _ facts: GatheredPlace) async throws(AgentError) -> Judgement {
        try await enter(withAnswer: true)
        defer { readers.leave() }
        let reading = try await readAgain(facts)
        let problems = problems(with: first, to: Question(prompt: order.draft), reading)
        guard !problems.isEmpty else { return .report(report(reading, [("draft", first)])) }
        guard problems.allSatisfy(\.isRepairable) else { throw Self.unusable(problems, from: first) }
        let question = Question(
            prompt: order.repair,
            added: ["draft": JSON(first.response.text), "failures": JSON(problems.map(\.description))])
        return .repair(question, try call(question, reading))
    }

    private func judge(
        _ second: ModelCalls.Answer, to question: Question, after first: ModelCalls.Answer, _ facts: GatheredPlace
    ) async throws(AgentError) -> AgentResult {
        try await enter(withAnswer: true)
        defer { readers.leave() }
        let reading = try await readAgain(facts)
        let problems = problems(with: second, to: question, reading)
        guard problems.isEmpty else { throw Self.unusable(problems, from: first) }
        return report(reading, [("draft", first), ("repair", second)])
    }

    /// Waits until facts may be read. Who has an answer goes first: those who only begin may be thousands.
    private func enter(withAnswer: Bool) async throws(AgentError) {
        guard await readers.enter(isInteractive: withAnswer) else { throw .interrupted }
    }

    private func readAgain(_ facts: GatheredPlace) async throws(AgentError) -> CompanyReview {
        CompanyReview(of: try await gatherer.facts(at: facts, in: context), by: order.persona)
    }

    // MARK: Asking and answering

    /// A prompt, which is filled in with what is known of the company and with values of its own.
    private struct Question {
        let prompt: LoadedPrompt
        var added: JSONObject = [:]

        func input(_ reading: CompanyReview) -> JSON {
            var input = reading.promptInput
            for (name, value) in added { input[name] = value }
            return input
        }
    }

    private func call(_ question: Question, _ reading: CompanyReview) throws(AgentError) -> PromptCall {
        try context.request(question.prompt, input: question.input(reading), material: reading.material)
    }

    private func problems(
        with answer: ModelCalls.Answer, to question: Question, _ reading: CompanyReview
    ) -> [CheckFailure] {
        question.prompt.problems(with: answer, input: question.input(reading), material: reading.material)
    }

    private func report(_ reading: CompanyReview, _ answers: [(step: String, answer: ModelCalls.Answer)]) -> AgentResult {
        context.progress("store")
        let draft = CheckedAnswer(content: answers.last?.answer.response.json ?? .null, answers: answers)
        let result = ReportAssembler(reading: reading, order: order, draft: draft, context: context).result
        let passages = ReportPassages(report: result["report"] ?? .null, job: context.job)
        return AgentResult(result, records: passages.records)
    }

    private static func unusable(_ failures: [CheckFailure], from first: ModelCalls.Answer) -> AgentError {
        .unusable(
            "report", failures,
            userMessage: "We could not write a report that holds against the filings. Nothing was charged.",
            dropStepsFrom: first.sequence)
    }
}
