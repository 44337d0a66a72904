/// What a model of embeddings made of an article's title and description. An article has one vector at most, the first.
package struct ArticleVector: Hashable, Sendable, Codable {
    /// The article's id.
    package var article: String
    /// The model; vectors of different models cannot be compared.
    package var model: String
    /// The vector's parts as 32-bit numbers, eight hexadecimal digits each.
    package var components: String

    package init(article: String, model: String, components: String) {
        self.article = article
        self.model = model
        self.components = components
    }

    package init(article: String, model: String, values: [Float]) {
        self.init(article: article, model: model, components: VectorComponents.text(of: values))
    }

    /// The vector's parts.
    package var values: [Float] { VectorComponents.values(of: components) }
}

extension ArticleVector: StoredRecord {
    package static var noun: String { "article_vector" }
    package var naturalKey: String { article }
    package var texts: [(name: String, text: String?)] {
        [
            ("article_vector.article", article), ("article_vector.model", model),
            ("article_vector.components", components),
        ]
    }
}
