import News
import JSON
import Basics
import JobQueue
import TestSupport
import Synchronization

/// A news day in memory that counts its queries.
final class FakeRecords: FeedRecords, FeedExplanations {
    struct State {
        var groups: [NewsStoryGroup] = []
        var articles: [String: NewsArticle] = [:]
        var preferences: [UserID: Preferences] = [:]
        var signals: [String: String] = [:]
        /// By the story and the holdings.
        var explanations: [String: JSON] = [:]
        /// The holdings of the last request for explanations.
        var askedFor: [String] = []
        var questions = 0
    }

    private let state = Mutex(State())

    /// The number of queries since this property was last read.
    var questions: Int {
        state.withLock { state in
            defer { state.questions = 0 }
            return state.questions
        }
    }

    func change(_ body: (inout State) -> Void) { state.withLock { body(&$0) } }

    /// Adds a story with the given number of articles, one minute apart, as a common group and one for each of its
    /// subjects.
    func add(
        _ name: String, impact: ImpactLevel = .moderate, title: String? = nil, tickers: [(String, Bool)] = [],
        articles count: Int = 1, at timestamp: Timestamp = Samples.timestamp - .seconds(3600), day: String? = nil
    ) {
        let articles = (0..<count).map { place in
            Samples.article("\(name)-\(place)", title: title ?? "\(name) reports earnings", source: "Paper \(place)")
        }
        var group = Samples.group(
            impact: impact, title: title ?? "\(name) reports earnings", tickers: tickers, articles: articles,
            created: timestamp)
        if let day { group.story.day = day }
        state.withLock { state in
            for article in articles { state.articles[article.id] = article }
            for ticker in [nil] + tickers.filter(\.1).map({ Optional($0.0) }) {
                group.id = Int64(state.groups.count + 1)
                group.ticker = ticker
                state.groups.append(group)
            }
        }
    }

    private func ask<Value>(_ body: (State) -> Value) -> Value {
        state.withLock { state in
            state.questions += 1
            return body(state)
        }
    }

    private static func best(_ groups: [NewsStoryGroup], limit: Int) -> [NewsStoryGroup] {
        Array(
            groups.sorted {
                ($1.story.impact, $1.story.updatedAt, $1.id) < ($0.story.impact, $0.story.updatedAt, $0.id)
            }.prefix(limit))
    }

    // MARK: Stories

    func globalGroups(on day: String, limit: Int) async throws(StoreError) -> [NewsStoryGroup] {
        ask { state in Self.best(state.groups.filter { $0.story.day == day && $0.ticker == nil }, limit: limit) }
    }

    func tickerGroups(on day: String, tickers: [String], limit: Int) async throws(StoreError) -> [NewsStoryGroup] {
        ask { state in
            tickers.flatMap { ticker in
                Self.best(state.groups.filter { $0.story.day == day && $0.ticker == ticker }, limit: limit)
            }
        }
    }

    func globalGroup(ofStory key: String) async throws(StoreError) -> Int64? { nil }

    func storyGroup(id: Int64) async throws(StoreError) -> NewsStoryGroup? {
        ask { state in state.groups.first { $0.id == id } }
    }

    func stories(on day: String) async throws(StoreError) -> [NewsStory] {
        ask { state in state.groups.filter { $0.story.day == day && $0.ticker == nil }.map(\.story) }
    }

    // MARK: Articles

    func article(id: String) async throws(StoreError) -> NewsArticle? { ask { $0.articles[id] } }

    func article(url: String) async throws(StoreError) -> NewsArticle? {
        ask { state in state.articles.values.first { $0.url == url } }
    }

    func articles(ids: [String]) async throws(StoreError) -> [NewsArticle] {
        ask { state in ids.compactMap { state.articles[$0] } }
    }

    func articles(_ query: ArticleQuery) async throws(StoreError) -> [NewsArticle] { [] }

    func articleCount(_ query: ArticleQuery) async throws(StoreError) -> Int { 0 }

    func arrivals(on day: String) async throws(StoreError) -> [NewsArticle] { ask { Array($0.articles.values) } }

    func fingerprints(since timestamp: Timestamp) async throws(StoreError) -> [FingerprintedArticle] { [] }

    func articleVectors(ids: [String]) async throws(StoreError) -> [String: ArticleVector] { [:] }

    func latestArticleVectors(of model: String, among limit: Int) async throws(StoreError) -> [ArticleVector] { [] }

    // MARK: The rest

    func preferences(of user: UserID) async throws(StoreError) -> Preferences {
        ask { $0.preferences[user] ?? Preferences() }
    }

    func change(
        preferencesOf user: UserID, _ change: PreferencesChange
    ) async throws(StoreError) -> Preferences { Preferences() }

    func heldTickers(limit: Int) async throws(StoreError) -> [String] { [] }

    func readerLanguages() async throws(StoreError) -> [Language] { [] }

    func heldTickers(by language: Language, limit: Int) async throws(StoreError) -> [String] { [] }

    func holderZones() async throws(StoreError) -> [String] { [] }

    func holders(in zones: [String], after user: UserID, limit: Int) async throws(StoreError) -> [Holder] { [] }

    func signals(of urls: [String], for users: [UserID]) async throws(StoreError) -> [ArticleSignal] {
        ask { state in
            guard users.contains(7) else { return [] }
            return state.signals.filter { urls.contains($0.key) }
                .map { ArticleSignal(user: 7, url: $0.key, signal: $0.value, madeAt: 0) }
        }
    }

    func explanations(
        of groups: [NewsStoryGroup], for user: UserID, holdings: [String]
    ) async throws(StoreError) -> [Int64: JSON] {
        change { $0.askedFor = holdings }
        return ask { state in
            Dictionary(
                groups.compactMap { group in state.explanations[group.story.key].map { (group.id, $0) } }
            ) { first, _ in first }
        }
    }
}
