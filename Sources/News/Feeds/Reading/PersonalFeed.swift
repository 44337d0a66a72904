package import JobQueue

/// Reads `/v1/personalized-feed`: stories about somebody's holdings and, as their focus has it, others.
package struct PersonalFeed: Sendable {
    /// Windows that the feed goes back: four days.
    static let windows = 3

    private let records: any FeedRecords
    private let explanations: any FeedExplanations

    package init(_ records: any FeedRecords, explanations: any FeedExplanations) {
        self.records = records
        self.explanations = explanations
    }

    /// A page for an account, by its number, from the beginning or from where a cursor of this feed stands; `now` in
    /// milliseconds since 1970.
    package func page(
        for user: Int64, limit: Int, after cursor: FeedCursor?, now: Int64
    ) async throws(StoreError) -> FeedPage<PersonalSignal> {
        let preferences = try await records.preferences(of: user)
        let begun = cursor?.begun ?? now
        let (lastOwn, lastGeneral) = (cursor?.last.first ?? nil, cursor?.last.last ?? nil)
        let streams = try await streams(
            PersonalStreams(of: preferences, after: lastOwn, lastGeneral), limit: limit,
            from: FeedWindows(records: records, begun: begun))
        let (own, general) = (streams.own, streams.general)
        let mix = FeedMix(own: own, general: general, limit: limit, rules: streams.rules)
        var page = try await show(mix.items, to: streams.tickers)
        if mix.hasMore {
            page.next = FeedCursor(
                begun: begun,
                last: [
                    own.prefix(mix.counts.own).last?.key ?? lastOwn,
                    general.prefix(mix.counts.general).last?.key ?? lastGeneral,
                ])
        }
        return page
    }

    /// The streams as far back as a page of so many items needs.
    private func streams(
        _ empty: PersonalStreams, limit: Int, from windows: FeedWindows
    ) async throws(StoreError) -> PersonalStreams {
        var streams = empty
        for window in streams.firstWindow..<max(streams.firstWindow, Self.windows) {
            let everybodys = try await windows.everybodys(window)
            let held = try await windows.held(window, tickers: streams.tickers)
            streams.take(everybodys: everybodys, held: held, window: window)
            if streams.areEnough(for: limit) { break }
        }
        return streams
    }

    private func show(
        _ items: [PersonalStreams.Item], to tickers: [String]
    ) async throws(StoreError) -> FeedPage<PersonalSignal> {
        let stories = try await FeedStory.read(items.map(\.group), from: records)
        let explained = try await explanations.explanations(
            of: stories.compactMap { $0?.group }, holdings: tickers)
        return FeedPage(
            items: zip(items, stories).compactMap { item, story in
                story.map { PersonalSignal(of: $0, held: item.held, explanation: explained[$0.group.id]) }
            })
    }
}
