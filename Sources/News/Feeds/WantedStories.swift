package import JobQueue

/// The stories that readers will want explained, the most wanted first: those about what users hold, and the most
/// important of all.
package struct WantedStories: Sendable {
    /// What a story about a holding counts above others of its importance: as much as a level of impact.
    private static let holdingBonus = 20

    private let records: any FeedRecords

    package init(_ records: any FeedRecords) { self.records = records }

    /// The stories of today and yesterday, as feeds show them first; each once, as the group that all users see where
    /// that is known.
    ///
    /// `held` are the tickers that users hold, the most held first, `perTicker` is the number of stories about one of
    /// them, and `top` the number of stories for all users.
    package func groups(
        at time: Timestamp, held: [String], perTicker: Int, top: Int
    ) async throws(StoreError) -> [NewsStoryGroup] {
        let windows = FeedWindows(records: records, begun: time)
        let common = Self.ranked(try await windows.common(0), bonus: 0)
        var stories: [String: (group: NewsStoryGroup, want: Int)] = [:]
        for (group, want) in common.prefix(top) { stories[group.story.key] = (group, want) }
        let groups = Dictionary(common.map { ($0.group.story.key, $0.group) }) { first, _ in first }
        var taken: [String: Int] = [:]
        for (group, want) in Self.ranked(try await windows.held(0, tickers: held), bonus: Self.holdingBonus) {
            let tickers = group.story.held(of: held, mentions: false)
            guard tickers.contains(where: { taken[$0, default: 0] < perTicker }) else { continue }
            for ticker in tickers { taken[ticker, default: 0] += 1 }
            stories[group.story.key] = (groups[group.story.key] ?? group, want)
        }
        return Self.sorted(stories.values.map { ($0.group, $0.want) }).map(\.group)
    }

    private static func ranked(
        _ groups: [NewsStoryGroup], bonus: Int
    ) -> [(group: NewsStoryGroup, want: Int)] {
        sorted(groups.map { ($0, $0.importance + bonus) })
    }

    /// The most wanted first; of equal ones the latest, then the higher number, as in feeds.
    private static func sorted(
        _ stories: [(group: NewsStoryGroup, want: Int)]
    ) -> [(group: NewsStoryGroup, want: Int)] {
        stories.sorted { left, right in
            (left.want, left.group.story.updatedAt.milliseconds, left.group.id)
                > (right.want, right.group.story.updatedAt.milliseconds, right.group.id)
        }
    }
}
