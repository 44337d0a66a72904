internal import Articles
package import DataSources
internal import JobQueue

/// Asks the sources of an ingest job for their lists of news.
package struct NewsFetcher: Sendable {
    let feeds: FeedFetcher
    let headlines: NewsAPIClient?
    let stocks: FMPClient?
    let pages: any ContentReader

    /// Makes a fetcher. A service without a key is `nil`, and its sources are skipped.
    package init(feeds: FeedFetcher, headlines: NewsAPIClient?, stocks: FMPClient?, pages: any ContentReader) {
        self.feeds = feeds
        self.headlines = headlines
        self.stocks = stocks
        self.pages = pages
    }

    /// The answer of a source.
    enum Answer: Sendable {
        case listed([FoundArticle], FeedState)
        /// Nothing new since the state that was given.
        case unchanged
        /// There is no key for the service.
        case noKey(variable: String)
        /// The reason may be shown to users: it contains no text of a server.
        case failed(String)
    }

    /// The number of sources that are requested at once.
    private static let atOnce = 8

    /// Asks all sources. A failure of one does not affect the others.
    func ask(_ sources: [NewsSource], states: [String: NewsSourceState]) async -> [NewsSource: Answer] {
        await withTaskGroup(of: (NewsSource, Answer).self) { group in
            var answers: [NewsSource: Answer] = [:]
            for (place, source) in sources.enumerated() {
                if place >= Self.atOnce, let (done, answer) = await group.next() { answers[done] = answer }
                group.addTask { (source, await ask(source, state: states[source.name])) }
            }
            for await (done, answer) in group { answers[done] = answer }
            return answers
        }
    }

    private func ask(_ source: NewsSource, state: NewsSourceState?) async -> Answer {
        switch source {
        case .feed(let feed): return await read(feed, state)
        case .headlines(let category, let country):
            guard let headlines else { return .noKey(variable: "NEWS_API_KEY") }
            return await list(category: category) { () async throws(DataSourceError) in
                try await headlines.topHeadlines(
                    category: NewsAPIClient.Category(rawValue: category), country: country, pageSize: 100)
            }
        case .search(let question):
            guard let headlines else { return .noKey(variable: "NEWS_API_KEY") }
            return await list { () async throws(DataSourceError) in try await headlines.everything(query: question) }
        case .stocks(let symbols):
            guard let stocks else { return .noKey(variable: "FMP_API_KEY") }
            return await list(category: "business") { () async throws(DataSourceError) in
                try await stocks.stockNews(of: symbols, limit: 250)
            }
        }
    }

    private func read(_ settings: IngestSettings.FeedInput, _ state: NewsSourceState?) async -> Answer {
        do {
            switch try await feeds.feed(
                at: settings.url, since: FeedState(etag: state?.etag, lastModified: state?.lastModified))
            {
            case .unchanged: return .unchanged
            case .changed(let feed, let state):
                return .listed(feed.items.compactMap { FoundArticle($0, in: feed, settings: settings) }.bounded, state)
            }
        } catch {
            return .failed(error.description)
        }
    }

    private func list(
        category: String? = nil, _ ask: @Sendable () async throws(DataSourceError) -> NewsPage
    ) async -> Answer {
        do throws(DataSourceError) {
            return .listed(
                try await ask().items.compactMap { FoundArticle($0, category: category) }.bounded, FeedState())
        } catch {
            return .failed(error.description)
        }
    }

    /// The articles with the texts of their pages where these can be read; at most `limit` pages are fetched.
    func withPages(_ articles: [FoundArticle], limit: Int) async -> [FoundArticle] {
        let wanted = articles.indices.filter { articles[$0].text == nil }.prefix(limit)
        guard !wanted.isEmpty else { return articles }
        return await withTaskGroup(of: (Int, String?).self) { group in
            for place in wanted {
                let link = articles[place].link
                group.addTask { (place, (try? await pages.read(link))?.text) }
            }
            var articles = articles
            for await case (let place, let text?) in group { articles[place].take(page: text) }
            return articles
        }
    }
}

extension [FoundArticle] {
    /// Each address once, and no more than one run takes from a source.
    fileprivate var bounded: [FoundArticle] {
        var seen: Set<String> = []
        return Array(filter { seen.insert($0.url).inserted }.prefix(ArticleIntake.longestList))
    }
}

/// One list of news that a run fetches.
enum NewsSource: Sendable, Hashable {
    case feed(IngestSettings.FeedInput)
    /// NewsAPI's top headlines of a category.
    case headlines(category: String, country: String)
    /// NewsAPI's articles on a question.
    case search(String)
    /// FMP's news of some symbols.
    case stocks([String])

    /// The source's name in results and records.
    var name: String {
        switch self {
        case .feed(let feed): feed.url
        case .headlines(let category, _): "newsapi:\(category)"
        case .search(let question): "newsapi:search:\(question)"
        case .stocks(let symbols): "fmp:\(symbols.joined(separator: ","))"
        }
    }

    /// The largest number of new articles whose pages are read.
    var pages: Int {
        if case .feed(let feed) = self { feed.pages } else { 0 }
    }

    /// The number of symbols in one request.
    private static let symbolsAtOnce = 50

    /// All sources of a run, each once.
    static func all(_ settings: IngestSettings, held: [String]) -> [NewsSource] {
        var sources: [NewsSource] = settings.feeds.map { .feed($0) }
        sources += settings.categories.map { .headlines(category: $0, country: settings.country) }
        sources += settings.searches.map { .search($0) }
        var seen: Set<String> = []
        let symbols = (settings.tickers + held).compactMap { try? Ticker($0).text }.filter { seen.insert($0).inserted }
        for start in stride(from: 0, to: symbols.count, by: symbolsAtOnce) {
            sources.append(.stocks(Array(symbols[start..<min(start + symbolsAtOnce, symbols.count)])))
        }
        var names: Set<String> = []
        return sources.filter { names.insert($0.name).inserted }
    }
}
