/// The names under which articles come.
package enum Publishers {
    /// Whether a name is that of a site which lists the articles of others, so that it says nothing of who wrote one.
    package static func isAggregator(_ name: String) -> Bool {
        let key = name.lowercased().filter { $0.isLetter || $0.isNumber }
        return key.isEmpty || aggregators.contains(key) || key.contains("googlenews")
    }

    private static let aggregators: Set<String> = [
        "google", "newsgooglecom", "yahoo", "yahoocom", "yahoofinance", "yahoonews", "financeyahoocom", "msn", "msncom",
        "msnmoney", "bingnews", "applenews", "flipboard", "feedly", "feedburner", "newsapi", "newsbreak", "smartnews",
        "reddit", "hackernews", "biztoc", "finviz", "upday", "pocket",
    ]
}
