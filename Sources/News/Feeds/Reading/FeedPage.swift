/// A page of a feed.
package struct FeedPage<Item: Sendable>: Sendable {
    package var items: [Item]
    /// Where the next page begins; `nil` behind the last one.
    package var next: FeedCursor?
}
