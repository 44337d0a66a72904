package import JobQueue


extension CachedDocument {
    /// Reads the columns key, body, stored_at and kept_until.
    package init(_ row: inout some StoredRow) {
        self.init(key: row.text(), text: row.text(), storedAt: row.integer(), keptUntil: row.integer())
    }
}

extension StoryExplanation {
    /// Reads the columns story, version, holdings, body, provenance and created_at.
    package init(_ row: inout some StoredRow) {
        self.init(
            story: row.text(), version: row.text(), holdings: row.text(), body: row.text(), provenance: row.text(),
            createdAt: row.integer())
    }
}
