/// A page of a feed.
public struct FeedPage<Item: Sendable>: Sendable {
    public var items: [Item]
    /// Where the next page begins; `nil` behind the last one.
    public var next: FeedCursor?
}
