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
        case .articleSignal(let signal):
            try run(.articleSignalPut, .text(signal.url), .text(signal.signal), .integer(signal.madeAt))
            try run(.articleSignalForget, .integer(signal.madeAt - ArticleSignal.lifetime))
        case .brief(let brief):
            try run(.briefPut, .integer(brief.user), .text(brief.items), .integer(brief.generatedAt))
        }
    }
}
