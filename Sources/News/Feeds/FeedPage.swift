package import JobQueue

/// A page of a feed.
package struct FeedPage<Item: Sendable>: Sendable {
    package var items: [Item]
    /// The start of the next page; `nil` after the last page.
    package var next: FeedCursor?
}

/// A position in a feed: the content of `next_cursor`.
///
/// It holds the time of the first page and the last story shown of each stream, so that no page repeats or omits a
/// story when stories arrive, grow or move down in the meantime. It is opaque to clients.
package struct FeedCursor: Sendable, Hashable {
    /// The time of the first page.
    package var begun: Timestamp
    /// The last story shown of each stream of the feed; `nil` where none was.
    package var last: [FeedKey?]

    /// The times of a cursor have eight digits at most: until the year 2059.
    private static let times = 0..<(pow36(8))
    /// The importance of a story has two digits at most.
    private static let importances = pow36(2)

    private static func pow36(_ digits: Int) -> Int64 { (0..<digits).reduce(1) { power, _ in power * 36 } }

    package init(begun: Timestamp, last: [FeedKey?]) {
        self.begun = begun
        self.last = last
    }

    /// Reads a cursor of a feed with the given number of streams.
    ///
    /// - Returns: `nil` for a text that is no cursor of such a feed.
    package init?(_ text: String, streams: Int) {
        guard text.utf8.count <= 60 * (streams + 1) else { return nil }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == streams + 1, let begun = Int64(parts[0], radix: 36), Self.times.contains(begun) else {
            return nil
        }
        self.begun = Timestamp(milliseconds: begun)
        last = []
        for part in parts.dropFirst() {
            if part == "-" {
                last.append(nil)
                continue
            }
            let numbers = part.split(separator: "-", omittingEmptySubsequences: false).map { Int64($0, radix: 36) }
            guard numbers.count == 4, let window = numbers[0], let importance = numbers[1],
                let createdAt = numbers[2], let group = numbers[3], (0..<Int64(GeneralFeed.windows)).contains(window),
                (0..<Self.importances).contains(importance), Self.times.contains(createdAt), group >= 0
            else { return nil }
            last.append(
                FeedKey(
                    window: Int(window), importance: Int(importance), createdAt: Timestamp(milliseconds: createdAt),
                    group: group))
        }
    }

    package var text: String {
        func word(_ number: some BinaryInteger) -> String { String(number, radix: 36) }
        let keys = last.map { key in
            key.map {
                [word($0.window), word($0.importance), word($0.createdAt.milliseconds), word($0.group)]
                    .joined(separator: "-")
            } ?? "-"
        }
        return ([word(begun.milliseconds)] + keys).joined(separator: ".")
    }
}

/// A story's place in a feed: stories of today and yesterday first, and within those the most important; then those
/// of the day before, and so on.
///
/// `<` is "comes before". Counted from the time of the first page, a story's place never changes.
package struct FeedKey: Sendable, Hashable, Comparable {
    /// 0 for the stories of the day of the first page and of the day before, then a day each.
    package var window: Int
    package var importance: Int
    /// The time at which the story began.
    package var createdAt: Timestamp
    package var group: Int64

    package init(window: Int, importance: Int, createdAt: Timestamp, group: Int64) {
        self.window = window
        self.importance = importance
        self.createdAt = createdAt
        self.group = group
    }

    /// The place of a group in its window.
    package init(of group: NewsStoryGroup, window: Int) {
        self.init(
            window: window, importance: group.importance, createdAt: group.story.createdAt, group: group.id)
    }

    package static func < (left: FeedKey, right: FeedKey) -> Bool {
        (left.window, right.importance, right.createdAt, right.group)
            < (right.window, left.importance, left.createdAt, left.group)
    }
}

/// Two ranked streams in one page: stories about the user's holdings and others.
package struct FeedMix<Element: Sendable>: Sendable {
    /// In the order in which they are shown.
    package private(set) var items: [Element] = []
    /// The number of items shown of each stream.
    package private(set) var counts = (own: 0, general: 0)
    /// Whether there is another page.
    package private(set) var hasMore = false

    /// Fills a page.
    ///
    /// Of ten items `rules.holdingsOfTen` are about the user's holdings. When one stream has too few items, the other
    /// takes its places, but general items do so only if `rules.fillsUp`. The items of both streams are spread evenly.
    /// `own` has the stories about holdings, from the first one not shown yet, `general` the others.
    package init(own: some Collection<Element>, general: some Collection<Element>, limit: Int, rules: FocusRules) {
        let quota = rules.ownQuota(of: limit)
        let generalQuota = rules.fillsUp ? limit - min(own.count, quota) : limit - quota
        let takenGeneral = min(general.count, generalQuota)
        let takenOwn = min(own.count, limit - takenGeneral)
        counts = (takenOwn, takenGeneral)
        hasMore = own.count > takenOwn || (rules.fillsUp && general.count > takenGeneral)
        let total = takenOwn + takenGeneral
        var (nextOwn, nextGeneral) = (own.makeIterator(), general.makeIterator())
        for place in 0..<total {
            let isGeneral = (place + 1) * takenGeneral / total > place * takenGeneral / total
            if let item = isGeneral ? nextGeneral.next() : nextOwn.next() { items.append(item) }
        }
    }
}
