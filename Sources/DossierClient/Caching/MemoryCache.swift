internal import Foundation

/// Decoded answers in memory, of which the least recently used go first.
final class MemoryCache {
    struct Item {
        let value: any Sendable
        let storedAt: Date
        let tag: String?
        /// Bytes of the encoded value.
        let size: Int
    }

    private let limit: Int
    private var items: [AnswerKey: (item: Item, use: Int)] = [:]
    private var size = 0
    private var uses = 0

    init(limit: Int) { self.limit = limit }

    subscript(key: AnswerKey) -> Item? {
        guard let found = items[key] else { return nil }
        uses += 1
        items[key] = (found.item, uses)
        return found.item
    }

    func store(_ item: Item, for key: AnswerKey) {
        remove { $0 == key }
        guard item.size <= limit else { return }
        uses += 1
        items[key] = (item, uses)
        size += item.size
        guard size > limit else { return }
        for (key, found) in items.sorted(by: { $0.value.use < $1.value.use }) where size > limit {
            items[key] = nil
            size -= found.item.size
        }
    }

    func remove(where isMeant: (AnswerKey) -> Bool) {
        for (key, found) in items where isMeant(key) {
            items[key] = nil
            size -= found.item.size
        }
    }
}
