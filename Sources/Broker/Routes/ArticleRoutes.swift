internal import DataSources
internal import DossierAPI
internal import HTTPServer
internal import JSON
internal import JobQueue

/// `/api/v1/news`: headlines, articles, and what is found in them.
struct ArticleRoutes: Sendable {
    private static let sizes = 1...100
    private static let usualSize = 20
    private static let mostWords = 10

    let headlines: HeadlineReader
    let articles: KnownArticles
    let search: any ArticleSearchRepository
    let availability: ModelAvailability
    let health: HealthRoutes
    let now: @Sendable () -> Int64

    /// `GET /top-headlines?category=&page=&page_size=`
    func topHeadlines(_ call: Call) async throws(APIError) -> Reply {
        let page = try Page(call)
        let found = try await headlines.page(of: try category(call), offset: page.offset, count: page.size)
        return Reply(
            .array(found.articles.map { .object($0.json) }), pagination: page.json(of: found.total),
            cacheHit: found.isHit)
    }

    /// `GET /articles/{id}`
    func article(_ call: Call) async throws(APIError) -> Reply {
        Reply(try await articles.find(try call.articleID()).detail)
    }

    /// `GET /search?q=&category=&page=&page_size=`
    func find(_ call: Call) async throws(APIError) -> Reply {
        let page = try Page(call)
        let category = try category(call)
        let words = (call.request.query("q") ?? "").lowercased().split { !($0.isLetter || $0.isNumber) }.map(
            String.init)
        guard !words.isEmpty else { throw .invalid("q", "must hold at least one word") }
        guard words.count <= Self.mostWords else {
            throw .invalid("q", "must hold at most \(Self.mostWords) words")
        }
        do {
            // Headlines of today's lists stand first, unless they were taken in already.
            let listed = headlines.atHand.filter { headline in
                (category == nil || headline.category == category?.rawValue) && headline.holds(words)
            }
            let known = Set(try await articles.records.articles(ids: listed.map(\.id)).map(\.id))
            let fresh = listed.filter { !known.contains($0.id) }
            let shown = fresh.dropFirst(page.offset).prefix(page.size).map { ArticleLookup($0) }
            let stored = try await search.articles(
                holding: words, category: category?.rawValue, offset: max(0, page.offset - fresh.count),
                limit: page.size - shown.count)
            let total = try await search.articleCount(holding: words, category: category?.rawValue)
            return Reply(
                .array((shown + stored.map { ArticleLookup($0) }).map { .object($0.json) }),
                pagination: page.json(of: total + fresh.count))
        } catch {
            throw APIError(error)
        }
    }

    /// `GET /availability`: whether summaries and answers can be expected now.
    func availability(_ call: Call) async throws(APIError) -> Reply {
        let problem = await isWorkerAlive() ? availability.problem : "no_worker"
        let isAvailable = problem == nil
        return Reply([
            "available": .bool(isAvailable), "summary": .bool(isAvailable), "chat": .bool(isAvailable),
            "reason": JSON(problem), "checked_at": JSON(Timestamp(milliseconds: now()).iso8601),
        ])
    }

    private func isWorkerAlive() async -> Bool { (try? await health.ready()) != nil }

    private func category(_ call: Call) throws(APIError) -> NewsAPIClient.Category? {
        guard let word = call.request.query("category"), !word.isEmpty else { return nil }
        guard let category = NewsAPIClient.Category(rawValue: word.lowercased()) else {
            let all = NewsAPIClient.Category.allCases.map(\.rawValue).joined(separator: ", ")
            throw .invalid("category", "must be one of \(all)")
        }
        return category
    }

    /// A page of a list, as a request names it.
    private struct Page {
        let number: Int
        let size: Int

        init(_ call: Call) throws(APIError) {
            number = try call.queryInteger("page", in: 1...1_000_000, default: 1)
            size = try call.queryInteger("page_size", in: sizes, default: usualSize)
        }

        var offset: Int { (number - 1) * size }

        func json(of total: Int) -> JSON {
            [
                "page": JSON(number), "per_page": JSON(size), "total_items": JSON(total),
                "total_pages": JSON((total + size - 1) / size), "has_next": JSON(offset + size < total),
                "has_prev": JSON(number > 1),
            ]
        }
    }
}

extension Headline {
    /// Whether all of the words begin words of the headline.
    fileprivate func holds(_ words: [String]) -> Bool {
        let own = [title, description ?? "", excerpt ?? ""].joined(separator: " ").lowercased()
            .split { !($0.isLetter || $0.isNumber) }
        return words.allSatisfy { word in own.contains { $0.hasPrefix(word) } }
    }
}
