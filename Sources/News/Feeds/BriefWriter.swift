internal import Basics
internal import JSON
package import JobQueue

/// Puts briefs together: the news of today and yesterday, a few items for each, in the shape of the feed's.
package struct BriefWriter: Sendable {
    /// Items of one brief.
    package static let itemLimit = 10

    private let records: any FeedRecords
    private let timestamp: Timestamp

    /// Later articles are left out, so that the same brief can be assembled again.
    package init(_ records: any FeedRecords, at timestamp: Timestamp) {
        self.records = records
        self.timestamp = timestamp
    }

    /// The briefs of these users, read with a few queries. `Holder.allUsers` is a user without holdings.
    package func briefs(of holders: [Holder]) async throws(StoreError) -> [Brief] {
        let windows = FeedWindows(records: records, begun: timestamp)
        let common = try await windows.common(0)
        let tickers = Set(holders.flatMap { $0.preferences.holdings.map(\.ticker) }).sorted()
        let held = try await windows.held(0, tickers: tickers)
        let items = holders.map { holder in
            var streams = PersonalStreams(of: holder.preferences)
            streams.take(common: common, held: held, window: 0)
            // Unimportant stories are left out, unless they are about a holding.
            let general = streams.general.filter { $0.group.importance >= SignalScore.threshold }
            return FeedMix(own: streams.own, general: general, limit: Self.itemLimit, rules: streams.rules).items
        }
        let known = try await stories(of: items.joined().map(\.group))
        let signals = try await records.interpretations(
            of: known.values.map(\.lead.url), for: holders.map(\.user))
        return zip(holders, items).map { holder, items in
            let shown = items.compactMap { item in
                known[item.group.story.key].map { story in
                    let interpretation = signals[InterpretationKey(holder.user, story.lead.url)]
                    return Signal(
                        of: story, held: item.held, holdings: holder.preferences.holdings.map(\.ticker),
                        interpretation: interpretation, language: holder.preferences.language ?? .english
                    ).json
                }
            }
            return Brief(user: holder.user, items: JSON.array(shown).compact, generatedAt: timestamp)
        }
    }

    private func stories(of groups: [NewsStoryGroup]) async throws(StoreError) -> [String: FeedStory] {
        var once: [String: NewsStoryGroup] = [:]
        for group in groups { once[group.story.key] = group }
        let stories = try await FeedStory.read(Array(once.values), from: records)
        return Dictionary(stories.compactMap { $0 }.map { ($0.group.story.key, $0) }) { first, _ in first }
    }
}
