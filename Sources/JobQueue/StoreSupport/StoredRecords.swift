package import Records

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

extension RecordsError {
    /// What a store's failure means for records.
    package init(_ error: StoreError) {
        if case .invalidText(let field) = error {
            self = .invalidText(field: field)
        } else {
            self = .unavailable(reason: error.description)
        }
    }
}

extension Texts {
    /// - Throws: `invalidText` for the first field that holds a NUL.
    package static func refuseNUL(inRecord fields: [(name: String, text: String?)]) throws(RecordsError) {
        do {
            try refuseNUL(fields)
        } catch {
            throw RecordsError(error)
        }
    }
}
