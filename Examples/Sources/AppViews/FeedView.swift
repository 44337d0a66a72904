#if canImport(SwiftUI)
    public import AppModels
    public import DossierClient
    public import SwiftUI

    /// The personalized feed, with pull to refresh and further pages.
    public struct FeedView: View {
        @State private var feed: FeedViewModel<PersonalizedSignal>

        /// Shows the feed of a client.
        public init(_ dossier: Dossier) { _feed = State(initialValue: FeedViewModel(dossier, .personalizedFeed())) }

        /// The list, or what stands in for it.
        public var body: some View {
            List {
                if feed.isOld { Label("This may be out of date.", systemImage: "clock") }
                if let notice = feed.notice, !feed.items.isEmpty { ProblemLabel(notice) }
                ForEach(feed.items) { item in
                    VStack(alignment: .leading, spacing: 4) {
                        Text(item.title).font(.headline)
                        Text(item.shortSummary)
                        Text(item.rankReason).font(.caption).foregroundStyle(.secondary)
                    }
                    .task { await feed.loadMore(after: item) }
                }
            }
            .overlay { StateOverlay(feed.state) { await feed.refresh() } }
            .refreshable { await feed.refresh() }
            .task { await feed.load() }
        }
    }

    /// What stands in for content that is not there.
    struct StateOverlay: View {
        private let state: ViewState
        private let retry: () async -> Void

        init(_ state: ViewState, retry: @escaping () async -> Void) {
            self.state = state
            self.retry = retry
        }

        var body: some View {
            switch state {
            case .idle, .loaded: EmptyView()
            case .loading: ProgressView()
            case .empty: Text("Nothing here yet.").foregroundStyle(.secondary)
            case .failed(let problem): ProblemView(problem, retry: retry)
            }
        }
    }

    /// A problem as the whole screen, with what the user can do.
    struct ProblemView: View {
        private let problem: ErrorPresentation
        private let retry: () async -> Void

        init(_ problem: ErrorPresentation, retry: @escaping () async -> Void) {
            self.problem = problem
            self.retry = retry
        }

        var body: some View {
            VStack(spacing: 12) {
                Image(systemName: problem.systemImage).font(.largeTitle)
                Text(problem.title).font(.headline)
                Text(problem.message).multilineTextAlignment(.center)
                if problem.action == .retry || problem.action == .wait {
                    Button("Try Again") { Task { await retry() } }
                }
                if let code = problem.supportCode {
                    Text(code).font(.caption).foregroundStyle(.secondary)
                }
            }
            .padding()
        }
    }

    /// A problem beside content that stays.
    struct ProblemLabel: View {
        private let problem: ErrorPresentation

        init(_ problem: ErrorPresentation) { self.problem = problem }

        var body: some View { Label(problem.message, systemImage: problem.systemImage) }
    }
#endif
