internal import JSON

/// Documents in memory, up to a size; those that were used longest ago make room.
struct MemoryCache {
    struct Entry {
        let json: JSON
        let storedAt: Int64
        let size: Int
        var lastUse: UInt64
    }

    /// What an entry takes beside its text.
    private static let overhead = 200

    private let capacity: Int
    private var entries: [String: Entry] = [:]
    private var uses: UInt64 = 0
    private(set) var size = 0

    /// - Parameter capacity: Bytes of text; the values take several times as much.
    init(capacity: Int) { self.capacity = capacity }

    var count: Int { entries.count }

    mutating func entry(_ key: String) -> Entry? {
        guard let place = entries.index(forKey: key) else { return nil }
        uses += 1
        entries.values[place].lastUse = uses
        return entries.values[place]
    }

    /// Keeps a document unless a later one is there. One that would fill a quarter of the memory alone is not kept.
    mutating func keep(_ key: String, _ json: JSON, storedAt: Int64, textSize: Int) {
        if let known = entries[key] {
            guard known.storedAt <= storedAt else { return }
            size -= known.size
            entries[key] = nil
        }
        let taken = textSize + key.utf8.count + Self.overhead
        guard taken <= capacity / 4 else { return }
        uses += 1
        entries[key] = Entry(json: json, storedAt: storedAt, size: taken, lastUse: uses)
        size += taken
        if size > capacity { makeRoom() }
    }

    /// Down to nine tenths, so that sorting is seldom.
    private mutating func makeRoom() {
        for (key, entry) in entries.sorted(by: { $0.value.lastUse < $1.value.lastUse }) {
            guard size > capacity / 10 * 9 else { return }
            entries[key] = nil
            size -= entry.size
        }
    }
}
