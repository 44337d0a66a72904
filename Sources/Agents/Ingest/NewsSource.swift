internal import DataSources

/// One list of news that a run asks for.
enum NewsSource: Sendable, Hashable {
    case feed(IngestSettings.FeedInput)
    /// NewsAPI's top headlines of a category.
    case headlines(category: String, country: String)
    /// NewsAPI's articles on a question.
    case search(String)
    /// FMP's news of some symbols.
    case stocks([String])

    /// What the source is called in results and records.
    var name: String {
        switch self {
        case .feed(let order): order.url
        case .headlines(let category, _): "newsapi:\(category)"
        case .search(let question): "newsapi:search:\(question)"
        case .stocks(let symbols): "fmp:\(symbols.joined(separator: ","))"
        }
    }

    /// How many new articles' pages are read at most.
    var pages: Int {
        if case .feed(let order) = self { order.pages } else { 0 }
    }

    /// How many symbols one request names.
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
