package import DataSources
internal import DossierAPI
internal import JobQueue
internal import JSON
internal import Observability

/// Lists of headlines by category: from NewsAPI through the cache where a key is set, else from the stored articles.
struct HeadlineReader: Sendable {
    /// A page of a list.
    struct Page: Sendable {
        var articles: [ArticleResource]
        var total: Int
        /// Whether the list came from the cache; `nil` when it came from the store.
        var isHit: Bool?
    }

    /// The most that NewsAPI gives at once. Pages of any size are cut out of this list without a further request.
    private static let listSize = 100
    /// The time that an article stays readable by id after it was in a list.
    private static let lifetime: Duration = .seconds(7 * 86_400)

    let newsAPI: NewsAPIClient?
    let records: any ArticleRepository & DocumentRepository
    let cache: DocumentCache<DataSourceError>
    let now: @Sendable () -> Timestamp
    let logger: Logger

    func page(
        of category: NewsAPIClient.Category?, offset: Int, count: Int
    ) async throws(APIError) -> Page {
        if let newsAPI {
            do throws(DataSourceError) {
                let (all, isHit) = try await list(category, newsAPI)
                let shown = Array(all.dropFirst(offset).prefix(count))
                return Page(articles: await asStored(shown), total: all.count, isHit: isHit)
            } catch {
                // The stored articles are the fallback.
                logger.warning("cannot read headlines", ["reason": "\(error)"])
            }
        }
        return try await stored(category, offset: offset, count: count)
    }

    /// The articles as their own page shows them: as stored, where they were taken in.
    private func asStored(_ headlines: [Headline]) async -> [ArticleResource] {
        let stored = (try? await records.articles(ids: headlines.map(\.id))) ?? []
        let known = Dictionary(stored.map { ($0.id, $0) }) { first, _ in first }
        return headlines.map { headline in
            known[headline.id].map { ArticleResource($0, listed: headline) } ?? ArticleResource(headline)
        }
    }

    /// The headlines of all lists in this process's cache, each once, latest first.
    var cached: [Headline] {
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
            let page = try await newsAPI.topHeadlines(category: category, pageSize: Self.listSize)
            let timestamp = now()
            var seen: Set<String> = []
            let headlines = page.items.compactMap {
                Headline($0, category: category?.rawValue, now: timestamp.milliseconds)
            }
            .filter { seen.insert($0.id).inserted }
            let kept = await withKeptTexts(headlines)
            await withDiscardingTaskGroup { group in
                for headline in kept { group.addTask { await keep(headline, at: timestamp) } }
            }
            return .array(headlines.map(\.json))
        }
        return (Self.headlines(value.json), value.isHit)
    }

    /// The headlines with the texts of pages that were read for them since they were listed first.
    private func withKeptTexts(_ headlines: [Headline]) async -> [Headline] {
        let known = (try? await records.headlines(headlines.map(\.id))) ?? []
        let texts = Dictionary(known.map { ($0.id, $0.text) }) { first, _ in first }
        return headlines.map { headline in
            var headline = headline
            headline.take(text: texts[headline.id] ?? nil)
            return headline
        }
    }

    /// Stores a headline, so that it stays readable by id after the list has changed. Failures do not matter: the next
    /// list stores it again.
    private func keep(_ headline: Headline, at timestamp: Timestamp) async {
        try? await records.store(
            CachedDocument(
                key: Headline.documentKey(headline.id), text: headline.json.compact, storedAt: timestamp,
                keptUntil: timestamp + Self.lifetime))
    }

    private static func key(_ category: NewsAPIClient.Category?) -> CacheKey {
        CacheKey(.news, "top-headlines/\(category?.rawValue ?? "all")")
    }

    private static func headlines(_ json: JSON) -> [Headline] {
        (json.array ?? []).compactMap { try? Headline(JSONField($0)) }
    }

    // MARK: Stored articles

    private func stored(
        _ category: NewsAPIClient.Category?, offset: Int, count: Int
    ) async throws(APIError) -> Page {
        var question = ArticleQuery()
        question.category = category?.rawValue
        question.offset = offset
        question.limit = count
        do {
            let articles = try await records.articles(question)
            return Page(
                articles: articles.map { ArticleResource($0) }, total: try await records.articleCount(question),
                isHit: nil
            )
        } catch {
            throw APIError(error)
        }
    }
}

/// A broker's sources of news, and whether its workers have a model.
package struct NewsSources: Sendable {
    /// `nil` without a key for NewsAPI: lists then consist of stored articles.
    package var newsAPI: NewsAPIClient?
    /// Whether the workers have a model; `nil` when this process does not know.
    package var modelsAreConfigured: Bool?

    package init(newsAPI: NewsAPIClient? = nil, modelsAreConfigured: Bool? = nil) {
        self.newsAPI = newsAPI
        self.modelsAreConfigured = modelsAreConfigured
    }
}
