package import JSON
package import JobQueue

/// Reads `/v1/feed/story-groups`: a day's stories for everybody and for each holding, and both in one list.
package struct StoryGroupsFeed: Sendable {
    private let records: any FeedRecords
    private let explanations: any FeedExplanations

    package init(_ records: any FeedRecords, explanations: any FeedExplanations) {
        self.records = records
        self.explanations = explanations
    }

    /// What is asked for.
    package struct Question: Sendable, Hashable {
        /// The number of the account.
        package var user: Int64
        /// `2026-01-04`
        package var date: String
        package var globalLimit: Int
        package var tickerLimit: Int

        package init(user: Int64, date: String, globalLimit: Int, tickerLimit: Int) {
            self.user = user
            self.date = date
            self.globalLimit = globalLimit
            self.tickerLimit = tickerLimit
        }
    }

    /// The answer as the news documents print it; `now` in milliseconds since 1970.
    package func answer(_ question: Question, now: Int64) async throws(StoreError) -> JSON {
        let tickers = try await records.preferences(of: question.user).holdings.map(\.ticker)
        let global =
            question.globalLimit == 0
            ? [] : try await records.globalGroups(on: question.date, limit: question.globalLimit)
        let held =
            tickers.isEmpty || question.tickerLimit == 0
            ? [] : try await records.tickerGroups(on: question.date, tickers: tickers, limit: question.tickerLimit)
        let explained = try await explanations.explanations(of: held + global, holdings: tickers)
        func resource(_ group: NewsStoryGroup) -> StoryGroupResource {
            StoryGroupResource(group, explanation: explained[group.id])
        }
        var byTicker: JSONObject = [:]
        for ticker in tickers {
            let groups = held.filter { $0.ticker == ticker }
            if !groups.isEmpty { byTicker[ticker] = .array(groups.map { resource($0).json() }) }
        }
        let groups = Dictionary((held + global).map { ($0.id, $0) }) { first, _ in first }
        var groupsOfTicker: [TickerSymbol: [StoryGroup]] = [:]
        for group in held.map(StoryGroup.init) {
            if let ticker = group.primaryTicker { groupsOfTicker[ticker, default: []].append(group) }
        }
        let merged = MergedFeed.merge(
            global: global.map(StoryGroup.init), byTicker: groupsOfTicker,
            holdings: tickers.compactMap { TickerSymbol($0) })
        return [
            "date": JSON(question.date), "user_id": JSON(question.user), "user_holdings": JSON(tickers),
            "generated_at": JSON(FeedTimestamp.milliseconds(now)),
            "global": .array(global.map { resource($0).json() }), "by_ticker": .object(byTicker),
            "merged_feed": .array(
                merged.compactMap { item in
                    groups[item.group.id].map { resource($0).json(rankReason: item.reason) }
                }),
        ]
    }
}
