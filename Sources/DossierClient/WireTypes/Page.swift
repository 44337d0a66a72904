/// One page of a list.
public struct Page<Item: Codable & Sendable>: Codable, Sendable {
    /// In the server's order.
    public let items: [Item]
    /// Leads to the next page; `nil` on the last one.
    public let next: PageCursor?
    /// Number of items on all pages; `nil` where the server does not count.
    public let totalItems: Int?
}

/// The position behind a page. Opaque: a page number, a cursor or both.
public struct PageCursor: OpenEnum {
    /// As it is on the wire.
    public let rawValue: String
    /// Takes any text.
    public init(rawValue: String) { self.rawValue = rawValue }
}
