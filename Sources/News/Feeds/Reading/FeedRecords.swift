package import JSON
package import JobQueue

/// All that feeds are read from, but explanations.
package typealias FeedRecords = StoryRepository & ArticleRepository & PreferencesRepository & ArticleSignalRepository

/// Finds explanations of stories, and has written what is missing.
package protocol FeedExplanations: Sendable {
    /// The explanations of stories for somebody's holdings, else for everybody, by the number of the group. What is not
    /// written yet is missing, and asked for: this waits for no model and costs the reader nothing.
    func explanations(
        of groups: [NewsStoryGroup], holdings: [String]
    ) async throws(StoreError) -> [Int64: JSON]
}
