internal import DataSources
internal import DossierAPI
internal import JSON
internal import Observability
internal import JobQueue

/// Lists of headlines by category: NewsAPI's where a key is set, through the cache, else the articles that were taken in.
struct HeadlineReader: Sendable {
    /// A page of a list.
    struct Page: Sendable {
        var articles: [ArticleLookup]
        var total: Int
        /// Whether no source had to be asked; `nil` when the list is our own.
        var isHit: Bool?
    }

    /// As many as NewsAPI gives at once. Pages of any size are cut out of these, so that turning pages asks nobody.
    private static let listed = 100
    /// How long an article stays readable after it stood in a list.
    private static let kept: Int64 = 7 * 86_400_000

    let newsAPI: NewsAPIClient?
    let records: any ArticleRepository & DocumentRepository
    let cache: DocumentCache<DataSourceError>
    let now: @Sendable () -> Int64
    let logger: Logger

    func page(
        of category: NewsAPIClient.Category?, offset: Int, count: Int
    ) async throws(APIError) -> Page {
        if let newsAPI {
            do throws(DataSourceError) {
                let (all, isHit) = try await list(category, newsAPI)
                return Page(
                    articles: all.dropFirst(offset).prefix(count).map { ArticleLookup($0) }, total: all.count,
                    isHit: isHit)
            } catch {
                // What was taken in is better than nothing.
                logger.warning("headlines cannot be read", ["reason": "\(error)"])
            }
        }
        return try await stored(category, offset: offset, count: count)
    }

    /// Headlines of the lists that this process has at hand, each once, the latest first.
    var atHand: [Headline] {
        var seen: Set<String> = []
        let keys = [Self.key(nil)] + NewsAPIClient.Category.allCases.map(Self.key)
        return keys.compactMap { cache.known($0) }.flatMap { Self.headlines($0.json) }
            .filter { seen.insert($0.id).inserted }
            .sorted { ($1.publishedAt, $1.id) < ($0.publishedAt, $0.id) }
    }

    // MARK: NewsAPI

    private func list(
        _ category: NewsAPIClient.Category?, _ newsAPI: NewsAPIClient
    ) async throws(DataSourceError) -> (all: [Headline], isHit: Bool) {
        let value = try await cache.value(for: Self.key(category)) { () async throws(DataSourceError) in
            let page = try await newsAPI.topHeadlines(category: category, pageSize: Self.listed)
            let timestamp = now()
            var seen: Set<String> = []
            let headlines = page.items.compactMap { Headline($0, category: category?.rawValue, now: timestamp) }
                .filter { seen.insert($0.id).inserted }
            await withDiscardingTaskGroup { group in
                for headline in headlines { group.addTask { await keep(headline, at: timestamp) } }
            }
            return .array(headlines.map(\.json))
        }
        return (Self.headlines(value.json), value.isHit)
    }

    /// Each stays readable by its id when the list has gone on. A store that is away gets it with the next list.
    private func keep(_ headline: Headline, at timestamp: Int64) async {
        try? await records.store(
            CachedDocument(
                key: Headline.documentKey(headline.id), text: headline.json.compact, storedAt: timestamp,
                keptUntil: timestamp + Self.kept))
    }

    private static func key(_ category: NewsAPIClient.Category?) -> CacheKey {
        CacheKey(.news, "top-headlines/\(category?.rawValue ?? "all")")
    }

    private static func headlines(_ json: JSON) -> [Headline] {
        (json.array ?? []).compactMap { try? Headline(JSONField($0)) }
    }

    // MARK: What was taken in

    private func stored(
        _ category: NewsAPIClient.Category?, offset: Int, count: Int
    ) async throws(APIError) -> Page {
        var question = ArticleQuestion()
        question.category = category?.rawValue
        question.offset = offset
        question.limit = count
        do {
            let articles = try await records.articles(question)
            return Page(
                articles: articles.map { ArticleLookup($0) }, total: try await records.articleCount(question), isHit: nil
            )
        } catch {
            throw APIError(error)
        }
    }
}
