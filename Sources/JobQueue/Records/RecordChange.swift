/// A record that a job writes: a step or a completion carries it, and the store applies it in the same fenced
/// transaction. Each is an upsert by its natural key, so that applying it again changes nothing.
package enum RecordChange: Sendable, Hashable {
    case document(CachedDocument)
    case articleSignal(ArticleSignal)
    case brief(Brief)
    case storyExplanation(StoryExplanation)
    /// A passage that was written later than this one stays.
    case passage(Passage)
    /// The first vector of a text stays; one whose text no passage has any longer is passed over.
    case passageVector(PassageVector)
    case turn(ConversationTurn)
    /// An article that is there keeps what others rest on; what was not known of it is added.
    case article(NewsArticle)
    case articleVector(ArticleVector)
    /// The story as it now is; it takes over the articles of those that it absorbed.
    case story(NewsStory)
    case newsSource(NewsSourceState)
    /// Forgets articles and stories.
    case oldNews(OldNews)

    /// What is written, whatever noun it is.
    package var record: any StoredRecord {
        switch self {
        case .document(let document): document
        case .articleSignal(let signal): signal
        case .brief(let brief): brief
        case .storyExplanation(let explanation): explanation
        case .passage(let passage): passage
        case .passageVector(let vector): vector
        case .turn(let turn): turn
        case .article(let article): article
        case .articleVector(let vector): vector
        case .story(let story): story
        case .newsSource(let state): state
        case .oldNews(let old): old
        }
    }
}

/// A value that a store writes by its natural key.
///
/// Stores that take records as JSON use its `Codable` form with names in snake case, which are the columns' names.
package protocol StoredRecord: Codable, Hashable, Sendable {
    /// The noun, in the words of the schema: lower case letters and `_` only.
    static var noun: String { get }

    /// What no two records of the noun share; it also decides in which order rows are locked.
    var naturalKey: String { get }

    /// Every text that is stored, by the name of its field: none may hold a NUL.
    var texts: [(name: String, text: String?)] { get }
}
