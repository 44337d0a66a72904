/// Articles that tell of the same thing.
public struct Story: Sendable, Hashable {
    public struct Member: Sendable, Hashable {
        public var article: StoryArticle
        /// How close the article is to the story as a whole, 0 to 1; 1 for an article alone.
        public var similarity: Double

        public init(article: StoryArticle, similarity: Double) {
            self.article = article
            self.similarity = similarity
        }
    }

    public var id: StoryID
    /// In the order of their arrival.
    public var members: [Member]
    /// The stories that became part of this one, in the order in which they did.
    public var absorbed: [StoryID]

    public init(id: StoryID, members: [Member], absorbed: [StoryID] = []) {
        self.id = id
        self.members = members
        self.absorbed = absorbed
    }
}
