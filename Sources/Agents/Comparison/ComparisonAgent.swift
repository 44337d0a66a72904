internal import Basics
package import DataSources
internal import DossierAPI
internal import JSON
package import JobQueue
internal import LanguageModels
internal import Prompts

/// Puts companies side by side as one persona reads them, or one company as several personas read it.
///
/// Code makes the table from the same facts and scores as reports. A model explains it in a short text; a text that does
/// not pass its checks is left out, and the table says so.
package struct ComparisonAgent: Agent {
    /// The number of jobs that read a company's facts at the same time in one process.
    private static let readersAtOnce = 8

    private let gatherer: FactGatherer
    private let models: ModelCalls
    private let readers = AsyncSemaphore(permits: readersAtOnce)

    /// - Parameters:
    ///   - companies: The source of filings.
    ///   - market: The source of quotes; `nil` where none is set up.
    ///   - history: The prices over time, whose last close stands in for a missing quote.
    ///   - models: The models that write.
    ///   - now: The time.
    package init(
        companies: any CompanyFactsSource, market: (any MarketDataSource)?, history: PriceHistory? = nil,
        models: ModelCalls, now: @escaping @Sendable () -> Timestamp
    ) {
        gatherer = FactGatherer(companies: companies, market: market, history: history, now: now)
        self.models = models
    }

    package func run(_ context: JobContext) async throws(AgentError) -> AgentResult {
        let input = try context.input { try ComparisonInput($0, personas: context.bundle.personas) }
        var columns: [ComparisonColumn] = []
        for (place, ticker) in input.tickers.enumerated() {
            context.progress("gather", fraction: Double(place) / Double(input.tickers.count))
            columns += try await self.columns(of: ticker, by: input.personas, in: context)
        }
        context.progress("score")
        let table = ComparisonTable(columns, by: input.tickers.count > 1 ? .companies : .personas)
        let text = try await text(on: table, in: context)
        context.progress("store")
        return AgentResult(result(table, text, context))
    }

    private func columns(
        of ticker: String, by personas: [Persona], in context: JobContext
    ) async throws(AgentError) -> [ComparisonColumn] {
        let columns = try await readers.withPermit { () async throws(AgentError) in
            let facts = try await gatherer.gather(ticker, in: context)
            return personas.map { ComparisonColumn(CompanyReview(of: facts, by: $0)) }
        }
        guard let columns else { throw .interrupted }
        return columns
    }

    // MARK: The text

    /// The text on a table, or that there is none.
    private enum Text {
        case written(CheckedAnswer)
        /// With the answers that did not pass.
        case leftOut(CheckedAnswer)
    }

    /// The text on a table. What its calls cost is kept in either case.
    private func text(on table: ComparisonTable, in context: JobContext) async throws(AgentError) -> Text {
        let rule = ComparisonFigureRule(table, language: context.language ?? .english)
        let question = PromptQuestion(
            step: "compare", stage: "compare", prompt: try context.prompt("compare"), input: table.promptInput,
            material: CheckMaterial(facts: table.facts, quotable: table.quotable), expectedCharacters: 1800,
            userMessage: "We could not write a text on this comparison.", rules: { rule.failures(in: $0) })
        do throws(AgentError) {
            return .written(try await models.ask(question, in: context))
        } catch {
            guard case .failed(let failure) = error, !failure.isTransient else { throw error }
            _ = try await context.journal.step("table-alone", input: [:]) { ([:], failure.effects) }
            return .leftOut(CheckedAnswer(failure.answers))
        }
    }

    private static let noText = "No text on this table passed its checks, so the table stands alone."

    // MARK: The result

    private func result(
        _ table: ComparisonTable, _ text: Text, _ context: JobContext
    ) -> JSON {
        var body = table.json
        let answer: CheckedAnswer
        switch text {
        case .written(let written):
            answer = written
            body["text"] = written.content
            body["text_note"] = .null
        case .leftOut(let failed):
            answer = failed
            body["text"] = .null
            body["text_note"] = JSON(Self.noText)
        }
        let check = FigureCheck(facts: table.facts, language: context.language ?? .english)
        let mentions = check.mentions(in: body["text"] ?? .null)
        return [
            "comparison": .object(body),
            "mentions": .array(mentions.map { $1.json(at: $0, figure: table.entries[$1.fact].id) }),
            "provenance": context.provenance(of: [answer]),
        ]
    }
}

/// The input of a `comparison` job.
struct ComparisonInput: Sendable {
    let tickers: [String]
    let personas: [Persona]

    init(_ input: JSONField, personas known: [String: Persona]) throws(JSONFieldError) {
        tickers = try input["tickers"].strings()
        var personas: [Persona] = []
        for field in try input["personas"].array() {
            guard let persona = known[try field.string()] else {
                throw field.failure("is not a persona of the job's bundle")
            }
            personas.append(persona)
        }
        self.personas = personas
    }
}

extension ComparisonTable {
    /// The variables of `prompts/comparison.prompt`.
    fileprivate var promptInput: JSON {
        var seen: Set<String> = []
        let personas = columns.map(\.persona).filter { seen.insert($0.id).inserted }
        return [
            "by": JSON(kind.rawValue), "columns": .array(columns.map(\.promptJSON)),
            "personas": .array(personas.map { ["name": JSON($0.name), "approach": JSON($0.approach)] }),
            "facts": .array(
                entries.map { entry in
                    var line = entry.line.promptJSON
                    line["id"] = JSON(entry.id)
                    line["label"] = JSON(entry.label)
                    return line
                }),
            "notes": JSON(notes),
        ]
    }
}
