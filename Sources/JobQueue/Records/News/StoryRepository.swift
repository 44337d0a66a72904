/// Reads the stories of days. Jobs write them, as `RecordChange.story`.
package protocol StoryRepository: Sendable {
    /// The groups of a day that everybody sees: the highest impact first, then the latest change, then the higher number.
    func globalGroups(on day: String, limit: Int) async throws(StoreError) -> [NewsStoryGroup]

    /// The groups of a day for those who hold the tickers, at most `limit` for each: by the order of the tickers, then
    /// as `globalGroups` has them.
    func tickerGroups(
        on day: String, tickers: [String], limit: Int
    ) async throws(StoreError) -> [NewsStoryGroup]

    /// A group by its number, even when its story became part of another one.
    func storyGroup(id: Int64) async throws(StoreError) -> NewsStoryGroup?

    /// The number of a story's group that everybody sees, by the story's key.
    func globalGroup(ofStory key: String) async throws(StoreError) -> Int64?

    /// The stories of a day that became part of no other, by the time at which they began and then by key.
    func stories(on day: String) async throws(StoreError) -> [NewsStory]
}

/// A story as everybody sees it, or those who hold a ticker.
package struct NewsStoryGroup: Hashable, Sendable {
    /// The number of the group, the same for as long as it is kept and never given again.
    package var id: Int64
    /// `nil` for everybody's.
    package var ticker: String?
    package var story: NewsStory
    /// The number of the group in which it went on, when its story became part of another one. It has no articles then.
    package var mergedInto: Int64?

    package init(id: Int64, ticker: String?, story: NewsStory, mergedInto: Int64? = nil) {
        self.id = id
        self.ticker = ticker
        self.story = story
        self.mergedInto = mergedInto
    }
}
