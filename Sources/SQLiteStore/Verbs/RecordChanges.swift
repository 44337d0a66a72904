internal import JobQueue
internal import Records

extension SQLiteConnection {
    /// Writes a record within the transaction that is open.
    func apply(_ change: RecordChange) throws {
        switch change {
        case .document(let document):
            try run(
                .documentUpsert, .text(document.key), .text(document.text), .integer(document.storedAt),
                .integer(document.keptUntil))
        case .article(let article): try put(article)
        case .articleVector(let vector): try put(vector)
        case .story(let story): try put(story)
        case .newsSource(let state): try put(state)
        case .oldNews(let old): try forget(old)
        }
    }
}
