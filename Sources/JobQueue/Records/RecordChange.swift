/// A record that a job writes. A step or a completion carries it, and the store writes it in the same transaction, once
/// the lease was checked. Each change is an upsert by a natural key, so that applying it again changes nothing.
package enum RecordChange: Sendable, Hashable {
    case document(CachedDocument)
    case articleSignal(ArticleSignal)
    case brief(Brief)
    case storyExplanation(StoryExplanation)
    /// A stored passage that was written later is kept.
    case passage(Passage)
    /// The first vector of a text is kept; a vector whose text no passage has any longer is ignored.
    case passageVector(PassageVector)
    case turn(ConversationTurn)
    /// Stored over the revision before the card's own.
    case recallCard(RecallCard)
    /// A stored article keeps the fields that other records depend on and gains the fields that were unknown.
    case article(NewsArticle)
    case articleVector(ArticleVector)
    /// The story as it now is; it takes over the articles of the stories that it absorbed.
    case story(NewsStory)
    case storyImpact(StoryImpactRating)
    case newsSource(NewsSourceState)
    /// Deletes articles and stories.
    case newsRetention(NewsRetention)
    /// The archive whose parts the job has stored in the epoch of its lease; parts of other epochs go.
    case userExport(UserExport)

    package var record: any StoredRecord {
        switch self {
        case .document(let document): document
        case .articleSignal(let signal): signal
        case .brief(let brief): brief
        case .storyExplanation(let explanation): explanation
        case .passage(let passage): passage
        case .passageVector(let vector): vector
        case .turn(let turn): turn
        case .recallCard(let card): card
        case .article(let article): article
        case .articleVector(let vector): vector
        case .story(let story): story
        case .storyImpact(let rating): rating
        case .newsSource(let state): state
        case .newsRetention(let retention): retention
        case .userExport(let export): export
        }
    }
}

/// A value that a store writes by its natural key.
///
/// PostgreSQL takes records as JSON: in their `Codable` form with names in snake case, which are the columns' names.
package protocol StoredRecord: Codable, Hashable, Sendable {
    /// The noun in the words of the schema: lower case letters and `_` only.
    static var noun: String { get }

    /// The key that no two records of the noun share; it also decides in which order rows are locked.
    var naturalKey: String { get }

    /// Every text that is stored, by the name of its field. A store refuses texts that hold a NUL.
    var texts: [(name: String, text: String?)] { get }
}

/// The repositories of all records, which a store has beside its queue.
package typealias Repositories = AccountRepository & BundleRepository & DocumentRepository & NewsRepository
    & ArticleSearchRepository & ArticleSignalRepository & ExplanationRepository & ConversationRepository
    & RecallRepository & PassageRepository & PassageVectorRepository & PreferencesRepository & BriefRepository
    & WatchlistRepository & RateCountRepository & SharedWorkRepository & UsageRepository & SessionRepository
    & APIKeyRepository & AuditRepository & CreditRepository & PlanRepository & MonthlyCreditRepository
    & UserDeletionRepository & ErasureRepository & ExportRepository & WebhookRepository & WorkerAdministration
    & JobAdministration & BatchStore & PauseRepository & OperationRepository
