extension Dossier {
    /// Reads a resource by the given cache policy. Equal reads at the same time share one request.
    ///
    /// ```swift
    /// let stock = try await dossier.read(.stock("AAPL"))
    /// let price = stock.quote?.price  // members of the value directly
    /// let old = stock.freshness >= .stale  // show a warning
    /// ```
    public func read<Value>(
        _ resource: Resource<Value>, policy: CachePolicy = .cacheFirst
    ) async throws -> Cached<Value> { try await core.reader.read(resource, policy) }

    /// The stored value at once, when there is one, then every newer value that any read of this client stores.
    ///
    /// Begins a refresh unless the cached value is fresh. Never ends by itself. A refresh that fails is thrown only
    /// when there was no value to show.
    public func values<Value>(of resource: Resource<Value>) -> Updates<Cached<Value>> {
        Updates { [core] in await core.reader.values(of: resource) }
    }

    /// Reads one page of a list.
    ///
    /// - Parameters:
    ///   - listing: The list.
    ///   - cursor: ``Page/next`` of the page before; `nil` for the first page.
    ///   - policy: When the cache is asked and when the network.
    /// - Returns: The page with its age.
    /// - Throws: ``DossierError``, or `CancellationError`.
    public func page<Item>(
        of listing: Listing<Item>, after cursor: PageCursor? = nil, policy: CachePolicy = .networkFirst
    ) async throws -> Cached<Page<Item>> { try await core.reader.read(listing.page(after: cursor), policy) }

    /// All items of a list, page after page, read as they are asked for; items that move between pages come once.
    public func items<Item>(of listing: Listing<Item>) -> Updates<Item> {
        Updates { [self] in
            let items = ListedItems(dossier: self, listing: listing)
            return UpdatesSource(next: { try await items.next() })
        }
    }
}

/// One pass over the pages of a list.
private actor ListedItems<Item: Codable & Sendable> {
    private let dossier: Dossier
    private let listing: Listing<Item>
    private var items: ArraySlice<Item> = []
    private var cursor: PageCursor?
    private var hasMore = true
    private var shown: Set<AnyHashable> = []

    init(dossier: Dossier, listing: Listing<Item>) {
        self.dossier = dossier
        self.listing = listing
    }

    func next() async throws -> Item? {
        while true {
            while let item = items.popFirst() {
                guard let id = Self.id(of: item) else { return item }
                if shown.insert(id).inserted { return item }
            }
            guard hasMore else { return nil }
            let page = try await dossier.page(of: listing, after: cursor)
            items = page.items[...]
            // A cursor that leads nowhere new must not make an endless list.
            hasMore = page.next != nil && page.next != cursor
            cursor = page.next
        }
    }

    private static func id(of item: Item) -> AnyHashable? {
        if let item = item as? any Identifiable { return identity(item) }
        return (item as? any Hashable).map { AnyHashable($0) }
    }

    private static func identity<Value: Identifiable>(_ value: Value) -> AnyHashable { AnyHashable(value.id) }
}
