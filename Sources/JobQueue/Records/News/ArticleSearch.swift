/// Finds articles by their words.
package protocol ArticleSearchRepository: Sendable {
    /// Articles whose title, description or text holds all of the words in some inflection, and that are nobody's
    /// duplicate: the latest published first, of equal times the higher id first. Words are English ones, of letters and
    /// digits; others are passed over. Without a category they are those of every category.
    func articles(
        holding words: [String], category: String?, offset: Int, limit: Int
    ) async throws(StoreError) -> [NewsArticle]

    /// How many articles hold all of the words.
    func articleCount(holding words: [String], category: String?) async throws(StoreError) -> Int

    /// Articles that hold at least one of the words, those that fit best first.
    func articles(holdingAnyOf words: [String], limit: Int) async throws(StoreError) -> [NewsArticle]
}
