import SQLSupport
internal import JobQueue

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
        case .storyExplanation(let explanation):
            try run(
                .explanationUpsert, .text(explanation.story), .text(explanation.holdings), .text(explanation.version),
                .text(explanation.body), .text(explanation.provenance), .integer(explanation.createdAt))
        case .passage(let passage):
            try run(
                .passagePut, .text(passage.kind.rawValue), .text(passage.source), .integer(passage.part),
                .integer(passage.owner), .text(passage.title), .text(passage.url), .text(passage.text),
                .text(passage.terms), .integer(passage.writtenAt), .text(passage.digest))
        case .passageVector(let vector): try put(vector)
        case .turn(let turn):
            try run(
                .conversationTurnPut, .text(turn.job), .integer(turn.user), .text(turn.conversation),
                .text(turn.subject),
                .text(turn.question), .text(turn.answer), .text(turn.citations), .integer(turn.askedAt),
                .integer(turn.answeredAt))
        case .article(let article): try put(article)
        case .articleVector(let vector): try put(vector)
        case .story(let story): try put(story)
        case .newsSource(let state): try put(state)
        case .oldNews(let old): try forget(old)
        }
    }
}
