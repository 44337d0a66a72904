import DocumentNames
import DossierClient
import Foundation
import ScriptedServer
import Testing

/// The Swift of document 003, section 7, word for word but for its indentation.
private enum Document003 {
    // MARK: - Cache Policy
    enum CachePolicy {
        case cacheFirst  // Return cache, refresh in background
        case networkFirst  // Try network, fallback to cache
        case cacheOnly  // Only cache, no network
        case networkOnly  // Only network, no cache
        case staleWhileRevalidate(maxStale: TimeInterval)
    }

    // MARK: - Cache Keys
    enum CacheKey {
        case stock(ticker: String)
        case stockFundamentals(ticker: String)
        case newsFeed(page: Int)
        case newsArticle(id: String)
        case researchReport(id: String)
        case userProfile
        case watchlist

        var key: String {
            switch self {
            case .stock(let ticker): return "stock_\(ticker)"
            case .stockFundamentals(let ticker): return "fundamentals_\(ticker)"
            case .newsFeed(let page): return "news_feed_\(page)"
            case .newsArticle(let id): return "news_\(id)"
            case .researchReport(let id): return "report_\(id)"
            case .userProfile: return "user_profile"
            case .watchlist: return "watchlist"
            }
        }

        var defaultTTL: TimeInterval {
            switch self {
            case .stock: return 60  // 1 minute (prices change)
            case .stockFundamentals: return 86400  // 24 hours (quarterly data)
            case .newsFeed: return 300  // 5 minutes
            case .newsArticle: return 3600  // 1 hour
            case .researchReport: return 86400 * 7  // 7 days (static once generated)
            case .userProfile: return 600  // 10 minutes
            case .watchlist: return 300  // 5 minutes
            }
        }
    }
}

extension Document003.CachePolicy {
    /// The client's policy of the same name.
    fileprivate var client: DossierClient.CachePolicy {
        switch self {
        case .cacheFirst: .cacheFirst
        case .networkFirst: .networkFirst
        case .cacheOnly: .cacheOnly
        case .networkOnly: .networkOnly
        case .staleWhileRevalidate(let maxStale): .staleWhileRevalidate(maximumAge: .seconds(maxStale))
        }
    }
}

@Suite struct Document003Tests {
    @Test func theClientKeepsAnswersForAsLongAsTheDocumentSays() {
        let lifetimes: [(Document003.CacheKey, FreshnessPolicy)] = [
            (.stock(ticker: "AAPL"), Resource.stock("AAPL").freshness),
            (.stockFundamentals(ticker: "AAPL"), Resource.fundamentals("AAPL").freshness),
            (.newsFeed(page: 1), Listing.headlines().freshness), (.newsFeed(page: 1), Listing.feed().freshness),
            (.newsArticle(id: "1"), Resource.article("1").freshness),
            (.researchReport(id: "1"), Resource.report("1").freshness),
            (.userProfile, Resource.currentUser.freshness), (.watchlist, Resource.watchlist.freshness),
        ]
        for (key, freshness) in lifetimes { #expect(freshness.fresh == .seconds(key.defaultTTL), "\(key.key)") }
    }

    @Test func theClientHasTheDocumentsPolicies() {
        let policies: [(Document003.CachePolicy, CachePolicy)] = [
            (.cacheFirst, .cacheFirst), (.networkFirst, .networkFirst), (.cacheOnly, .cacheOnly),
            (.networkOnly, .networkOnly),
            (.staleWhileRevalidate(maxStale: 90), .staleWhileRevalidate(maximumAge: .seconds(90))),
        ]
        for (document, client) in policies { #expect(document.client == client) }
    }
}

/// Document 003's view model, section 4: the parts around its loop are the test's.
@MainActor @Suite(.timeLimit(.minutes(1))) struct Document003ResearchTests {
    @MainActor private final class AppState {
        @MainActor final class Research {
            var reports: [ResearchReport] = []
            var selectedPersona: Persona.ID = "buffett"
        }
        let research = Research()
        var globalError: ErrorPresentation?
    }

    @MainActor private final class ResearchViewModel {
        let appState = AppState()
        let researchRepository: ResearchRepository
        var generationTask: Task<Void, Never>?
        var currentReportId: String?
        var generationProgress = 0
        var generationStep: String?
        var isShowingCompletion = false

        init(_ repository: ResearchRepository) { researchRepository = repository }

        private func showCompletionAnimation() { isShowingCompletion = true }

        func generateAnalysis(stockId: String) {
            generationTask = Task {
                do {
                    for try await progress in researchRepository.generateAndAwaitReport(
                        stockId: stockId,
                        persona: appState.research.selectedPersona
                    ) {
                        switch progress {
                        case .started(let reportId):
                            currentReportId = reportId
                            generationProgress = 0

                        case .progress(_, let percent, let step):
                            generationProgress = percent
                            generationStep = step

                        case .completed(let report):
                            appState.research.reports.insert(report, at: 0)
                            generationProgress = 100
                            showCompletionAnimation()
                        }
                    }
                } catch {
                    appState.globalError = .init(error)
                }
            }
        }
    }

    @Test func aReportIsGeneratedWithProgress() async {
        let server = ScriptedServer()
        server.runJobs(result: ScriptedServer.report)
        let model = ResearchViewModel(ResearchRepository(.scripted(server)))
        model.generateAnalysis(stockId: "AAPL")
        await model.generationTask?.value
        #expect(model.currentReportId == "j1" && model.generationProgress == 100 && model.isShowingCompletion)
        #expect(model.appState.research.reports.map(\.prose.company.ticker) == ["AAPL"])
        #expect(model.appState.globalError == nil)
    }
}
