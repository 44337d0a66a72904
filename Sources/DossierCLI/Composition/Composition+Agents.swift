import Agents
import Broker
import DataSources
import News
import HTTP
import JSON
import LanguageModels
import Observability
import Prompts
import JobQueue

extension Composition {
    /// What agents reach the outside by.
    struct Dependencies: Sendable {
        var companies: any CompanyFactsSource
        var market: (any MarketDataSource)?
        /// What users point at.
        var content: any ContentReader
        var articles: ArticleFinder
        var stories: any StoryReader
        /// Finds what answers rest on by its meaning; `nil` where nothing makes vectors.
        var meaning: MeaningSearch?
        var records: any ConversationRepository & PassageRepository & ExplanationRepository & ArticleSearchRepository
        /// What briefs are made of; without it there are none.
        var feeds: (any FeedRecords)?
        var models: ModelCalls
        /// `nil` where nothing is taken in.
        var news: News?

        /// What takes news in.
        struct News: Sendable {
            var desk: NewsFetcher
            var stored: any NewsRepository
            var held: any HeldTickers
            var embedder: ArticleEmbedder?
        }

        /// Nobody to ask, for whoever goes through the journal of a job again: all that an agent needs stands there.
        static func silent(_ catalogue: ModelCatalogue) -> Dependencies {
            let router = ModelRouter(catalogue, configuration: ModelsConfiguration(), transport: HTTPClient())
            return Dependencies(
                companies: NoFilings(), market: nil, content: NoContent(), articles: { _ in nil }, stories: NoStories(),
                records: NoRecords(), models: ModelCalls(router))
        }
    }

    /// Every agent there is: what a worker runs, and what makes cases of its jobs.
    static func agents(_ outside: Dependencies) -> [any Agent] {
        var agents: [any Agent] = [
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
                passages: outside.records, articles: outside.records, meaning: outside.meaning,
                conversations: outside.records, models: outside.models, now: Logger.systemMilliseconds),
        ]
        if let feeds = outside.feeds { agents.append(BriefAgent(records: feeds)) }
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

extension Composition {
    /// Articles that were taken in, and those of lists of headlines.
    static func articles(in records: any ArticleRepository & DocumentRepository) -> ArticleFinder {
        { id throws(StoreError) in
            if let article = try await records.article(id: id) { return ReadableArticle(article) }
            guard let document = try await records.document(Headline.documentKey(id)),
                let json = try? JSON(parsing: document.text), let headline = try? Headline(JSONField(json))
            else { return nil }
            return ReadableArticle(headline)
        }
    }

    /// Whom a broker asks for news.
    func newsSources(over transport: HTTPClient, hasWorker: Bool) -> NewsSources {
        let hasModel = settings.anthropic.key != nil || settings.gemini.key != nil || settings.openAI.baseURL != nil
        return NewsSources(
            newsAPI: settings.newsKey.map { NewsAPIClient(key: $0, base: settings.newsBaseURL, transport: transport) },
            modelsAreConfigured: hasWorker ? hasModel : nil)
    }
}

private struct NoStories: StoryReader {
    func material(ofGroup id: Int64) async throws(StoreError) -> StoryMaterial? { nil }

    func articles(of material: StoryMaterial) async throws(StoreError) -> [ArticleMaterial] { [] }
}

private struct NoRecords: ConversationRepository, PassageRepository, ExplanationRepository, ArticleSearchRepository {
    func articles(
        holding words: [String], category: String?, offset: Int, limit: Int
    ) async throws(StoreError) -> [NewsArticle] { [] }

    func articleCount(holding words: [String], category: String?) async throws(StoreError) -> Int { 0 }

    func articles(holdingAnyOf words: [String], limit: Int) async throws(StoreError) -> [NewsArticle] { [] }

    func explanations(_ keys: [ExplanationKey]) async throws(StoreError) -> [StoryExplanation] { [] }

    func deleteExplanations(createdBefore timestamp: Int64, limit: Int) async throws(StoreError) -> Int { 0 }

    func turns(of conversation: String, user: Int64, last count: Int) async throws(StoreError) -> [ConversationTurn] {
        []
    }

    func conversations(of user: Int64, offset: Int, count: Int) async throws(StoreError) -> [ConversationEntry] { [] }

    func conversationCount(of user: Int64) async throws(StoreError) -> Int { 0 }

    func passages(holding terms: [String], for user: Int64, limit: Int) async throws(StoreError) -> [Passage] { [] }

    func replaceCommonPassages(of kind: Passage.Kind, with passages: [Passage]) async throws(StoreError) {}
}
