import Agents
import DataSources
import Feeds
import HTTP
import LanguageModels
import Logging
import Prompts
import Records

extension Composition {
    /// What agents reach the outside by.
    struct Outside: Sendable {
        var companies: any CompanyFactsSource
        var market: (any MarketDataSource)?
        /// What users point at.
        var content: any ContentReader
        var articles: ArticleFinder
        var stories: any StoryReader
        var records: any ConversationRepository & PassageRepository & ExplanationRepository
        /// What briefs are made of; without it there are none.
        var feeds: (any FeedRecords)?
        var models: ModelCalls

        /// Nobody to ask, for whoever goes through the journal of a job again: all that an agent needs stands there.
        static func silent(_ catalogue: ModelCatalogue) -> Outside {
            let router = ModelRouter(catalogue, configuration: ModelsConfiguration(), transport: HTTPClient())
            return Outside(
                companies: NoFilings(), market: nil, content: NoContent(), articles: { _ in nil }, stories: NoStories(),
                records: NoRecords(), models: ModelCalls(router))
        }
    }

    /// Every agent there is: what a worker runs, and what makes cases of its jobs.
    static func agents(_ outside: Outside) -> [any Agent] {
        [
            ResearchAgent(
                companies: outside.companies, market: outside.market, models: outside.models,
                now: Logger.systemMilliseconds),
            DrillAgent(),
            AnalyzeAgent(reader: outside.content, models: outside.models),
            ExplanationAgent(
                stories: outside.stories, explanations: outside.records, models: outside.models,
                now: Logger.systemMilliseconds),
            InterpretAgent(reader: outside.content, models: outside.models),
            SummaryAgent(
                find: outside.articles, reader: outside.content, models: outside.models, now: Logger.systemMilliseconds),
            ArticleChatAgent(
                find: outside.articles, reader: outside.content, conversations: outside.records,
                models: outside.models, now: Logger.systemMilliseconds),
            EducationAgent(
                passages: outside.records, conversations: outside.records, models: outside.models,
                now: Logger.systemMilliseconds),
        ] + (outside.feeds.map { [BriefAgent(records: $0)] } ?? [])
    }
}

private struct NoFilings: CompanyFactsSource {
    func fundamentals(_ ticker: String) async throws(DataSourceError) -> CompanyFundamentals {
        throw .forbidden(.edgar, hint: "a job's journal is read without asking anybody")
    }
}

private struct NoContent: ContentReader {
    func read(_ url: String) async throws(FetchError) -> Content { throw .unreachable }
}

private struct NoStories: StoryReader {
    func material(ofGroup id: Int64) async throws(RecordsError) -> StoryMaterial? { nil }

    func articles(of material: StoryMaterial) async throws(RecordsError) -> [ArticleMaterial] { [] }
}

private struct NoRecords: ConversationRepository, PassageRepository, ExplanationRepository {
    func explanations(_ keys: [ExplanationKey]) async throws(RecordsError) -> [StoryExplanation] { [] }

    func deleteExplanations(createdBefore moment: Int64, limit: Int) async throws(RecordsError) -> Int { 0 }

    func turns(of conversation: String, user: Int64, last count: Int) async throws(RecordsError) -> [ConversationTurn] {
        []
    }

    func conversations(of user: Int64, offset: Int, count: Int) async throws(RecordsError) -> [ConversationEntry] { [] }

    func passages(holding terms: [String], for user: Int64, limit: Int) async throws(RecordsError) -> [Passage] { [] }

    func replaceCommonPassages(of kind: Passage.Kind, with passages: [Passage]) async throws(RecordsError) {}
}
