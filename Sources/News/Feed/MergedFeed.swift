/// Everybody's stories and those of a user's holdings in one list.
package enum MergedFeed {
    /// A group with the reason for which it stands in the list.
    package struct Item: Sendable, Hashable {
        package var group: StoryGroup
        /// `Global impact` or `User holds GOOGL`.
        package var reason: String
    }

    /// Each story once, the highest impact first; within an impact the latest change first, then the higher number.
    ///
    /// A story in both scopes stands here as the ticker's, since what one holds says more than that it is large. Of two
    /// holdings in one story, the one that stands first in `holdings` gives the reason. Groups of tickers that are not
    /// held are left out. Two groups are one story when they have the same `story` or share most of their articles.
    package static func merge(
        global: [StoryGroup], byTicker: [TickerSymbol: [StoryGroup]], holdings: [TickerSymbol]
    ) -> [Item] {
        var kept: [Item] = []
        var stories: Set<StoryID> = []
        var keptAt: [String: [Int]] = [:]
        func take(_ group: StoryGroup, _ reason: String) {
            guard !stories.contains(group.story), !isCovered(group) else { return }
            stories.insert(group.story)
            for article in group.articles { keptAt[article.url, default: []].append(kept.count) }
            kept.append(Item(group: group, reason: reason))
        }
        func isCovered(_ group: StoryGroup) -> Bool {
            var shared: [Int: Int] = [:]
            for article in group.articles { for place in keptAt[article.url] ?? [] { shared[place, default: 0] += 1 } }
            return shared.contains { place, count in
                2 * count > min(group.articles.count, kept[place].group.articles.count)
            }
        }
        for holding in holdings {
            for group in byTicker[holding] ?? [] { take(group, "User holds \(holding)") }
        }
        for group in global { take(group, "Global impact") }
        return kept.sorted { isBefore($0.group, $1.group) }
    }

    /// The order of every list of groups.
    package static func isBefore(_ left: StoryGroup, _ right: StoryGroup) -> Bool {
        (right.impact, right.updatedAt, right.id) < (left.impact, left.updatedAt, left.id)
    }
}
