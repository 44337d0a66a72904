/// A service whose wire format the simulator speaks.
package enum SimulatedService: String, Sendable, Hashable, CaseIterable {
    case claude
    case gemini
    /// OpenAI-compatible chat completions.
    case openai
    /// SEC EDGAR, both of its hosts.
    case sec
    /// NewsAPI, version 2.
    case newsAPI = "newsapi"
    /// Financial Modeling Prep's news of stocks.
    case fmp
    /// A site with a feed and its articles.
    case web
    case youTube = "youtube"
}
