public import DataSources

/// Whom a broker asks for news, and what it knows of the models that its workers ask.
public struct NewsSources: Sendable {
    /// `nil` where no key of NewsAPI is set: lists are made of the articles that were taken in.
    public var newsAPI: NewsAPIClient?
    /// Whether the workers have a model to ask; `nil` when this process does not know.
    public var modelsAreConfigured: Bool?

    public init(newsAPI: NewsAPIClient? = nil, modelsAreConfigured: Bool? = nil) {
        self.newsAPI = newsAPI
        self.modelsAreConfigured = modelsAreConfigured
    }
}
