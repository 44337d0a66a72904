/// Two ranked streams in one page: what is about one's holdings and what is not.
package struct FeedMix<Element: Sendable>: Sendable {
    /// In the order in which they are shown.
    package private(set) var items: [Element] = []
    /// How many of each stream are shown.
    package private(set) var counts = (own: 0, general: 0)
    /// Whether there is another page.
    package private(set) var hasMore = false

    /// Fills a page.
    ///
    /// Of ten items `rules.holdingsOfTen` are one's own. Where one stream has too few, the other takes its places; but
    /// general items take those of one's own only where the rules fill up. They are spread evenly.
    /// `own` is what is about holdings, from the first that was not shown yet on, `general` what is not.
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
