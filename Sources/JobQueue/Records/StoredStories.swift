/// The stories that the service keeps, as explanations are written from them.
package struct StoredStories: StoryReader {
    private let records: any StoryRepository & ArticleRepository

    package init(_ records: any StoryRepository & ArticleRepository) { self.records = records }

    /// A story that became part of another one stands for that one.
    package func material(ofGroup id: Int64) async throws(StoreError) -> StoryMaterial? {
        var group = try await records.storyGroup(id: id)
        // One way is gone at most a few times; a circle is nobody's intention.
        for _ in 0..<8 {
            guard let next = group?.mergedInto else { break }
            group = try await records.storyGroup(id: next)
        }
        guard let group, group.mergedInto == nil, !group.story.members.isEmpty else { return nil }
        var material = StoryMaterial(group.story)
        material.group = group.ticker == nil ? group.id : try await records.globalGroup(ofStory: group.story.key)
        return material
    }

    package func articles(of material: StoryMaterial) async throws(StoreError) -> [ArticleMaterial] {
        try await records.articles(ids: material.reading).map { article in
            ArticleMaterial(
                title: article.title, publisher: article.source, url: article.url, publishedAt: article.publishedAt,
                text: article.text ?? article.description ?? article.title)
        }
    }
}

extension StoryMaterial {
    package init(_ story: NewsStory) {
        self.init(
            story: story.key, title: story.title, tickers: story.tickers.filter(\.isSubject).map(\.symbol),
            articles: story.members.map(\.article))
    }
}
