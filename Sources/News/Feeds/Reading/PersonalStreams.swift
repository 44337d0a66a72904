internal import JobQueue

/// What is about somebody's holdings and what is not, each in its order.
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

    /// Streams without any story yet, which begin behind these places.
    init(of preferences: Preferences, after lastOwn: FeedKey? = nil, _ lastGeneral: FeedKey? = nil) {
        tickers = preferences.holdings.map(\.ticker)
        rules = FocusRules(preferences.focus, holdsAnything: !preferences.holdings.isEmpty)
        self.lastOwn = lastOwn
        self.lastGeneral = lastGeneral
    }

    /// The first window that either stream still needs.
    var firstWindow: Int { min(lastOwn?.window ?? 0, lastGeneral?.window ?? 0) }

    /// Takes in the stories of the next window: everybody's, and those about some of the tickers.
    mutating func take(everybodys: [NewsStoryGroup], held groups: [NewsStoryGroup], window: Int) {
        var seen: Set<String> = []
        let about = (groups + everybodys).filter { !held($0).isEmpty && seen.insert($0.story.key).inserted }
        let others = everybodys.filter { held($0).isEmpty && $0.story.impact >= rules.leastGeneralImpact }
        own += ranked(about, window, after: lastOwn)
        general += ranked(others, window, after: lastGeneral)
    }

    /// Whether a page of so many items needs nothing older.
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
