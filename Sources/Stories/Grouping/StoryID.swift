/// The name of a story: the id of the article that began it.
public struct StoryID: Sendable, Hashable, Comparable, CustomStringConvertible {
    public let text: String

    public init(_ text: String) { self.text = text }

    public var description: String { text }

    public static func < (left: StoryID, right: StoryID) -> Bool { left.text < right.text }
}
