/// What an article did to the stories of its day.
package enum StoryChange: Sendable, Hashable {
    /// The article began a story.
    case began(StoryID, article: String)
    case joined(StoryID, article: String)
    /// The later story became part of the earlier one, which keeps its name.
    case merged(StoryID, into: StoryID)
}
