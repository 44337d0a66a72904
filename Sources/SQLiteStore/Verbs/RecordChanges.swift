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
        }
    }
}
