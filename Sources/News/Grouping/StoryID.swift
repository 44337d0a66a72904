/// The name of a story: the id of the article that began it.
package struct StoryID: Sendable, Hashable, Comparable, CustomStringConvertible {
    package let text: String

    package init(_ text: String) { self.text = text }

    package var description: String { text }

    package static func < (left: StoryID, right: StoryID) -> Bool { left.text < right.text }
}
