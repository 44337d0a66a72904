package import DataSources

/// Whom a broker asks for news, and what it knows of the models that its workers ask.
package struct NewsSources: Sendable {
    /// `nil` where no key of NewsAPI is set: lists are made of the articles that were taken in.
    package var newsAPI: NewsAPIClient?
    /// Whether the workers have a model to ask; `nil` when this process does not know.
    package var modelsAreConfigured: Bool?

    package init(newsAPI: NewsAPIClient? = nil, modelsAreConfigured: Bool? = nil) {
        self.newsAPI = newsAPI
        self.modelsAreConfigured = modelsAreConfigured
    }
}
