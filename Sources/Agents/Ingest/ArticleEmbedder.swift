internal import JSON
internal import JobQueue
package import LanguageModels

/// Makes vectors of articles by a model of a provider.
package struct ArticleEmbedder: Sendable {
    private let model: EmbeddingModel

    package init(_ model: EmbeddingModel) { self.model = model }

    /// How many articles go in one call.
    var articlesAtOnce: Int { EmbeddingModel.textsAtOnce }

    /// The vectors of articles, with what the call cost. A failed call has no vectors and says why.
    func vectors(of articles: [NewsArticle], call: String) async -> (output: JSON, effects: [Effect]) {
        let texts = articles.map {
            EmbeddingText([$0.title, $0.description].compactMap(\.self).joined(separator: "\n"), for: .clustering)
        }
        do throws(ModelError) {
            let answer = try await model.vectors(of: texts)
            var effects: [Effect] = zip(articles, answer.vectors).map { article, values in
                .record(
                    .articleVector(ArticleVector(article: article.id, model: model.description.id, values: values)))
            }
            effects.append(.recordModelCall(ModelCall(id: call, of: model.description, answer)))
            return (["vectors": JSON(articles.count)], effects)
        } catch {
            return (["vectors": 0, "problem": JSON(error.description)], [])
        }
    }
}
