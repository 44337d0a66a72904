/// Articles that tell of the same thing.
package struct Story: Sendable, Hashable {
    package struct Member: Sendable, Hashable {
        package var article: StoryArticle
        /// How close the article is to the story as a whole, 0 to 1; 1 for an article alone.
        package var similarity: Double

        package init(article: StoryArticle, similarity: Double) {
            self.article = article
            self.similarity = similarity
        }
    }

    package var id: StoryID
    /// In the order of their arrival.
    package var members: [Member]
    /// The stories that became part of this one, in the order in which they did.
    package var absorbed: [StoryID]

    package init(id: StoryID, members: [Member], absorbed: [StoryID] = []) {
        self.id = id
        self.members = members
        self.absorbed = absorbed
    }
}
