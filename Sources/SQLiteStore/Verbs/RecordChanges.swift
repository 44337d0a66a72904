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
        case .storyExplanation(let explanation):
            try run(
                .explanationUpsert, .text(explanation.story), .text(explanation.holdings), .text(explanation.version),
                .text(explanation.body), .text(explanation.provenance), .integer(explanation.createdAt))
        }
    }
}
