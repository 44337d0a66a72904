import JobQueue
import Records

/// All that Dossier keeps, whichever database holds it.
typealias Store = JobStore & FleetStore & BudgetStore & StoreAdministration & StoreHealth & AccountRepository
    & BundleRepository & DocumentRepository & NewsRepository & ArticleSearchRepository & ConversationRepository
    & PassageRepository
    & ExplanationRepository & PreferencesRepository & ArticleSignalRepository & BriefRepository
    & WatchlistRepository & RateCountRepository & StoreTallies
