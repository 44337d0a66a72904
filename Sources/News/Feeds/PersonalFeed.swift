package import JobQueue

/// Reads `/v1/personalized-feed`: stories about a user's holdings and, depending on the user's focus, others.
package struct PersonalFeed: Sendable {
    /// Windows that the feed goes back: four days.
    static let windows = 3

    private let records: any FeedRecords
    private let explanations: any FeedExplanations

    package init(_ records: any FeedRecords, explanations: any FeedExplanations) {
        self.records = records
        self.explanations = explanations
    }

    /// A page for an account, from the beginning or from a cursor of this feed.
    package func page(
        for user: UserID, limit: Int, after cursor: FeedCursor?, now: Timestamp
    ) async throws(StoreError) -> FeedPage<PersonalSignal> {
        let preferences = try await records.preferences(of: user)
        let begun = cursor?.begun ?? now
        let (lastOwn, lastGeneral) = (cursor?.last.first ?? nil, cursor?.last.last ?? nil)
        let streams = try await streams(
            PersonalStreams(of: preferences, after: lastOwn, lastGeneral), limit: limit,
            from: FeedWindows(records: records, begun: begun))
        let (own, general) = (streams.own, streams.general)
        let mix = FeedMix(own: own, general: general, limit: limit, rules: streams.rules)
        var page = try await show(mix.items, to: user, holding: streams.tickers)
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

    /// The streams as far back as a page of the given size needs.
    private func streams(
        _ empty: PersonalStreams, limit: Int, from windows: FeedWindows
    ) async throws(StoreError) -> PersonalStreams {
        var streams = empty
        for window in streams.firstWindow..<max(streams.firstWindow, Self.windows) {
            let common = try await windows.common(window)
            let held = try await windows.held(window, tickers: streams.tickers)
            streams.take(common: common, held: held, window: window)
            if streams.areEnough(for: limit) { break }
        }
        return streams
    }

    private func show(
        _ items: [PersonalStreams.Item], to user: UserID, holding tickers: [String]
    ) async throws(StoreError) -> FeedPage<PersonalSignal> {
        let stories = try await FeedStory.read(items.map(\.group), from: records)
        let explained = try await explanations.explanations(
            of: stories.compactMap { $0?.group }, for: user, holdings: tickers)
        return FeedPage(
            items: zip(items, stories).compactMap { item, story in
                story.map { PersonalSignal(of: $0, held: item.held, explanation: explained[$0.group.id]) }
            })
    }
}

/// The stories about a user's holdings and the others, each in its order.
struct PersonalStreams: Sendable {
    struct Item: Sendable {
        var group: NewsStoryGroup
        var key: FeedKey
        /// The holdings that it is about; none for general news.
        var held: [String]
    }

    let tickers: [String]
    let rules: FocusRules
    private let lastOwn: FeedKey?
    private let lastGeneral: FeedKey?
    private(set) var own: [Item] = []
    private(set) var general: [Item] = []

    /// Streams without any story yet, which begin after these places.
    init(of preferences: Preferences, after lastOwn: FeedKey? = nil, _ lastGeneral: FeedKey? = nil) {
        tickers = preferences.holdings.map(\.ticker)
        rules = FocusRules(preferences.focus, holdsAnything: !preferences.holdings.isEmpty)
        self.lastOwn = lastOwn
        self.lastGeneral = lastGeneral
    }

    /// The first window that either stream still needs.
    var firstWindow: Int { min(lastOwn?.window ?? 0, lastGeneral?.window ?? 0) }

    /// Adds the stories of the next window: the common ones, and those about the tickers.
    mutating func take(common: [NewsStoryGroup], held groups: [NewsStoryGroup], window: Int) {
        var seen: Set<String> = []
        let about = (groups + common).filter { !held($0).isEmpty && seen.insert($0.story.key).inserted }
        let others = common.filter { held($0).isEmpty && $0.story.impact >= rules.leastGeneralImpact }
        own += ranked(about, window, after: lastOwn)
        general += ranked(others, window, after: lastGeneral)
    }

    /// Whether a page of the given size needs nothing older.
    func areEnough(for limit: Int) -> Bool {
        (tickers.isEmpty || own.count > rules.ownQuota(of: limit)) && own.count + general.count > limit
    }

    private func ranked(_ groups: [NewsStoryGroup], _ window: Int, after last: FeedKey?) -> [Item] {
        PlacedGroup.ranked(groups, window: window, after: last).map {
            Item(group: $0.group, key: $0.key, held: held($0.group))
        }
    }

    private func held(_ group: NewsStoryGroup) -> [String] {
        group.story.held(of: tickers, mentions: rules.countsMentions)
    }
}

/// The effects of `focused`, `balanced` and `broad`.
package struct FocusRules: Sendable, Hashable {
    /// The number of items about holdings among ten of the personalized feed, if there are enough.
    package var holdingsOfTen: Int
    /// General stories below this impact are left out.
    package var leastGeneralImpact: ImpactLevel
    /// Whether a story that only mentions a holding counts as one about it.
    package var countsMentions: Bool
    /// Whether general stories take the places that stories about holdings leave free.
    package var fillsUp: Bool

    /// A user without holdings gets all of the general news with every focus.
    package init(_ profile: FocusProfile, holdsAnything: Bool = true) {
        switch holdsAnything ? profile : .balanced {
        case .focused:
            self.init(holdingsOfTen: 9, leastGeneralImpact: .moderate, countsMentions: false, fillsUp: false)
        case .balanced:
            self.init(holdingsOfTen: 7, leastGeneralImpact: .veryLow, countsMentions: false, fillsUp: true)
        case .broad:
            self.init(holdingsOfTen: 5, leastGeneralImpact: .veryLow, countsMentions: true, fillsUp: true)
        }
    }

    /// The number of items of a page that are about holdings, if there are enough; at least one.
    package func ownQuota(of limit: Int) -> Int { min(limit, max(1, (limit * holdingsOfTen + 5) / 10)) }

    private init(holdingsOfTen: Int, leastGeneralImpact: ImpactLevel, countsMentions: Bool, fillsUp: Bool) {
        self.holdingsOfTen = holdingsOfTen
        self.leastGeneralImpact = leastGeneralImpact
        self.countsMentions = countsMentions
        self.fillsUp = fillsUp
    }
}
