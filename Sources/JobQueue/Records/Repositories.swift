/// The repositories of every noun: what a store has beside its queue.
package typealias Repositories = AccountRepository & BundleRepository & DocumentRepository & NewsRepository
    & ArticleSearchRepository & ArticleSignalRepository & ExplanationRepository & ConversationRepository
    & PassageRepository & PassageVectorRepository & PreferencesRepository & BriefRepository & WatchlistRepository
    & RateCountRepository
