package import JobQueue

/// Where a story stands in a feed: stories of today and yesterday first, and within those the most important; then those
/// of the day before, and so on.
///
/// `<` is "stands before". Counted from the moment at which a reader began to read, a story's place never changes.
package struct FeedKey: Sendable, Hashable, Comparable {
    /// 0 for the stories of the day on which the reader began and of the day before, then a day each.
    package var window: Int
    package var importance: Int
    /// When the story began, in milliseconds since 1970.
    package var createdAt: Int64
    package var group: Int64

    package init(window: Int, importance: Int, createdAt: Int64, group: Int64) {
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
