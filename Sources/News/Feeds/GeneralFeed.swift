package import Basics
package import JobQueue
internal import JSON

/// Reads `/v1/feed`: the common stories, ranked, with the models' interpretations that the reader asked for.
package struct GeneralFeed: Sendable {
    /// Windows that the feed goes back.
    static let windows = 7

    private let records: any FeedRecords

    package init(_ records: any FeedRecords) { self.records = records }

    /// A page, from the beginning or from a cursor of this feed, in the reader's language, else in the given one.
    package func page(
        for user: UserID, limit: Int, after cursor: FeedCursor?, now: Timestamp, in language: Language? = nil
    ) async throws(StoreError) -> FeedPage<Signal> {
        let begun = cursor?.begun ?? now
        let last = cursor?.last.first ?? nil
        let source = FeedWindows(records: records, begun: begun)
        var found: [PlacedGroup] = []
        for window in 0..<Self.windows where window >= last?.window ?? 0 {
            found += PlacedGroup.ranked(try await source.common(window), window: window, after: last)
            if found.count > limit { break }
        }
        let shown = found.prefix(limit)
        let stories = try await FeedStory.read(shown.map(\.group), from: records)
        let preferences = try await records.preferences(of: user)
        let holdings = preferences.holdings.map(\.ticker)
        let signals = try await records.interpretations(
            of: stories.compactMap { $0?.lead.url }, for: [user])
        var page = FeedPage(
            items: stories.compactMap { story in
                story.map {
                    Signal(
                        of: $0, held: $0.group.story.held(of: holdings, mentions: true), holdings: holdings,
                        interpretation: signals[InterpretationKey(user, $0.lead.url)],
                        language: preferences.language ?? language ?? .english)
                }
            })
        if found.count > limit { page.next = FeedCursor(begun: begun, last: [shown.last?.key]) }
        return page
    }
}

/// A group with its place.
struct PlacedGroup: Sendable {
    var group: NewsStoryGroup
    var key: FeedKey

    /// The groups of a window in order, after a given place.
    static func ranked(_ groups: [NewsStoryGroup], window: Int, after last: FeedKey?) -> [PlacedGroup] {
        groups.map { PlacedGroup(group: $0, key: FeedKey(of: $0, window: window)) }
            .filter { placed in last.map { $0 < placed.key } ?? true }
            .sorted { $0.key < $1.key }
    }
}

extension FeedStory {
    /// The stories of groups, all their articles in one question; `nil` for one without any.
    static func read(
        _ groups: [NewsStoryGroup], from articles: any ArticleRepository
    ) async throws(StoreError) -> [FeedStory?] {
        let ids = groups.flatMap(\.shownArticles)
        let found = ids.isEmpty ? [] : try await articles.articles(ids: ids)
        let known = Dictionary(found.map { ($0.id, $0) }) { first, _ in first }
        return groups.map { FeedStory($0, articles: known) }
    }
}

/// The user who asked for an interpretation, and the address of its article.
struct InterpretationKey: Hashable {
    var user: UserID
    var url: String

    init(_ user: UserID, _ url: String) { (self.user, self.url) = (user, url) }
}

extension ArticleSignalRepository {
    /// The models' interpretations of articles that these users asked for.
    func interpretations(
        of urls: [String], for users: [UserID]
    ) async throws(StoreError) -> [InterpretationKey: JSON] {
        let urls = urls.filter { $0.utf8.count <= ArticleSignal.longestURL }
        if urls.isEmpty || users.isEmpty { return [:] }
        var found: [InterpretationKey: JSON] = [:]
        for signal in try await signals(of: urls, for: users) {
            found[InterpretationKey(signal.user, signal.url)] = try? JSON(parsing: signal.signal)
        }
        return found
    }
}
