internal import JSON
public import Records

/// Puts briefs together: the news of today and yesterday, a few items for each, in the shape of the feed's.
public struct BriefWriter: Sendable {
    /// Items of one brief.
    public static let itemLimit = 10

    private let records: any FeedRecords
    /// Milliseconds since 1970.
    private let moment: Int64

    /// What came later than the moment is left out, so that the same brief can be put together again.
    public init(_ records: any FeedRecords, at moment: Int64) {
        self.records = records
        self.moment = moment
    }

    /// The briefs of these users, all from a few questions. `Holder.everybody` is whoever holds nothing.
    public func briefs(of holders: [Holder]) async throws(RecordsError) -> [Brief] {
        let windows = FeedWindows(records: records, begun: moment)
        let everybodys = try await windows.everybodys(0)
        let tickers = Set(holders.flatMap { $0.preferences.holdings.map(\.ticker) }).sorted()
        let held = try await windows.held(0, tickers: tickers)
        let items = holders.map { holder in
            var streams = PersonalStreams(of: holder.preferences)
            streams.take(everybodys: everybodys, held: held, window: 0)
            // What is not worth knowing is left out, unless it is about a holding.
            let general = streams.general.filter { $0.group.importance >= SignalScore.threshold }
            return FeedMix(own: streams.own, general: general, limit: Self.itemLimit, rules: streams.rules).items
        }
        let known = try await stories(of: items.joined().map(\.group))
        let signals = try await records.interpretations(of: known.values.map(\.lead.url))
        return zip(holders, items).map { holder, items in
            let shown = items.compactMap { item in
                known[item.group.story.key].map { story in
                    Signal(of: story, held: item.held, interpretation: signals[story.lead.url]).json
                }
            }
            return Brief(user: holder.user, items: JSON.array(shown).compact, generatedAt: moment)
        }
    }

    private func stories(of groups: [NewsStoryGroup]) async throws(RecordsError) -> [String: FeedStory] {
        var once: [String: NewsStoryGroup] = [:]
        for group in groups { once[group.story.key] = group }
        let stories = try await FeedStory.read(Array(once.values), from: records)
        return Dictionary(stories.compactMap { $0 }.map { ($0.group.story.key, $0) }) { first, _ in first }
    }
}
