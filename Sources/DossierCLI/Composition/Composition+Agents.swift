import Agents
import DataSources
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
        var records: any ConversationRepository & PassageRepository
        var models: ModelCalls
        /// `nil` where nothing is taken in.
        var news: News?

        /// What takes news in.
        struct News: Sendable {
            var desk: NewsDesk
            var stored: any NewsRepository
            var held: (any HeldTickers)?
            var embedder: ArticleEmbedder?
        }

        /// Nobody to ask, for whoever goes through the journal of a job again: all that an agent needs stands there.
        static func silent(_ catalogue: ModelCatalogue) -> Outside {
            let router = ModelRouter(catalogue, configuration: ModelsConfiguration(), transport: HTTPClient())
            return Outside(
                companies: NoFilings(), market: nil, content: NoContent(), articles: { _ in nil }, records: NoRecords(),
                models: ModelCalls(router))
        }
    }

    /// Every agent there is: what a worker runs, and what makes cases of its jobs.
    static func agents(_ outside: Outside) -> [any Agent] {
        var agents: [any Agent] = [
            ResearchAgent(
                companies: outside.companies, market: outside.market, models: outside.models,
                now: Logger.systemMilliseconds),
            DrillAgent(),
            AnalyzeAgent(reader: outside.content, models: outside.models),
            ExplanationAgent(models: outside.models),
            InterpretAgent(reader: outside.content, models: outside.models),
            SummaryAgent(
                find: outside.articles, reader: outside.content, models: outside.models, now: Logger.systemMilliseconds),
            ArticleChatAgent(
                find: outside.articles, reader: outside.content, conversations: outside.records,
                models: outside.models, now: Logger.systemMilliseconds),
            EducationAgent(
                passages: outside.records, conversations: outside.records, models: outside.models,
                now: Logger.systemMilliseconds),
        ]
        if let news = outside.news {
            agents.append(
                IngestAgent(
                    desk: news.desk, news: news.stored, held: news.held, embedder: news.embedder,
                    now: Logger.systemMilliseconds))
        }
        return agents
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

private struct NoRecords: ConversationRepository, PassageRepository {
    func turns(of conversation: String, user: Int64, last count: Int) async throws(RecordsError) -> [ConversationTurn] {
        []
    }

    func conversations(of user: Int64, offset: Int, count: Int) async throws(RecordsError) -> [ConversationEntry] { [] }

    func passages(holding terms: [String], for user: Int64, limit: Int) async throws(RecordsError) -> [Passage] { [] }

    func replaceCommonPassages(of kind: Passage.Kind, with passages: [Passage]) async throws(RecordsError) {}
}
