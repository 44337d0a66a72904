internal import Prompts
internal import JobQueue

extension Passage {
    /// Characters of an article that are read.
    private static let beginning = 1200

    /// The beginning of an article, which everybody may see.
    init(_ article: NewsArticle) {
        let whole = [article.description, article.text].compactMap(\.self).joined(separator: "\n\n")
        let text = Excerpt(of: whole.isEmpty ? article.title : whole, limit: Self.beginning).text
        self.init(
            kind: .article, source: article.id, part: 0, title: "\(article.title) (\(article.source))",
            url: article.url,
            text: text, terms: ContentWords(article.title + "\n" + text).terms,
            writtenAt: article.publishedAt)
    }
}
