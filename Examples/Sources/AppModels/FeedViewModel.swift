public import DossierClient
public import Observation

/// A list with pull to refresh and further pages: the feeds, headlines, reports.
///
/// ```swift
/// let feed = FeedViewModel(dossier, .personalizedFeed())
/// let headlines = FeedViewModel(dossier, .headlines(.business, pageSize: 10))  // on a watch
/// ```
@MainActor @Observable
public final class FeedViewModel<Item: Codable & Sendable & Identifiable> where Item.ID: Sendable {
    /// What the screen shows.
    public private(set) var state = ViewState.idle
    /// Each item once, in the server's order.
    public private(set) var items: [Item] = []
    /// Whether the screen should say that the items are old.
    public private(set) var isOld = false
    /// Why the last refresh or page did not come, beside items that stay as they are.
    public private(set) var notice: ErrorPresentation?
    /// Whether there is another page.
    public var hasMore: Bool { next != nil }

    private let dossier: Dossier
    private let listing: Listing<Item>
    private var next: PageCursor?
    private var isLoadingMore = false
    /// Grows with each first page, so that a page of an older list is dropped.
    private var edition = 0

    /// Makes the model of a list; nothing is read yet.
    public init(_ dossier: Dossier, _ listing: Listing<Item>) {
        self.dossier = dossier
        self.listing = listing
    }

    /// For the first appearance: what is stored at once, then what is new.
    public func load() async {
        guard state == .idle else { return }
        state = .loading
        let isRevalidating = await readFirstPage(.cacheFirst)
        // Joins the refresh that is under way.
        if isRevalidating { await readFirstPage(.networkFirst) }
    }

    /// For pull to refresh: ends when the server has answered, or could not.
    public func refresh() async {
        if items.isEmpty { state = .loading }
        await readFirstPage(.networkOnly)
    }

    /// For the appearance of an item: reads the next page when it is the last one.
    public func loadMore(after item: Item) async {
        guard item.id == items.last?.id, let cursor = next, !isLoadingMore else { return }
        isLoadingMore = true
        defer { isLoadingMore = false }
        let edition = edition
        do {
            let page = try await dossier.page(of: listing, after: cursor)
            guard edition == self.edition else { return }
            let known = Set(items.map(\.id))
            items += page.items.filter { !known.contains($0.id) }
            next = page.next
            notice = nil
        } catch {
            if edition == self.edition { notice = ErrorPresentation(error) }
        }
    }

    /// Whether the page came from the cache while a newer one is being read.
    @discardableResult
    private func readFirstPage(_ policy: CachePolicy) async -> Bool {
        edition += 1
        let edition = edition
        do {
            let page = try await dossier.page(of: listing, policy: policy)
            guard edition == self.edition else { return false }
            var known: Set<Item.ID> = []
            items = page.items.filter { known.insert($0.id).inserted }
            next = page.next
            isOld = page.isOld
            notice = nil
            state = items.isEmpty ? .empty : .loaded
            return page.isRevalidating
        } catch {
            guard edition == self.edition else { return false }
            // A cancellation has nothing to show: the screen was left, or another refresh began.
            notice = ErrorPresentation(error)
            if items.isEmpty { state = notice.map(ViewState.failed) ?? .idle }
            return false
        }
    }
}
