internal import Basics
internal import JSON
package import JobQueue
package import SQLSupport

extension SQLiteStore: RecordDatabase {
    package func read<Value: Sendable>(
        _ query: RecordQuery, _ parameters: [RecordParameter],
        row: @escaping @Sendable (inout SQLiteRow) throws -> Value
    ) async throws(StoreError) -> [Value] {
        let values = parameters.values(now: clock())
        return try await readers.perform { try $0.runScript(query.rawValue, values, row: row) }
    }

    package func write<Value: Sendable>(
        _ query: RecordQuery, _ parameters: [RecordParameter],
        row: @escaping @Sendable (inout SQLiteRow) throws -> Value
    ) async throws(StoreError) -> [Value] {
        try await writer.perform { transaction in
            try transaction.database.runScript(query.rawValue, parameters.values(now: transaction.now), row: row)
        }
    }

    package func replaceCommonPassages(
        of kind: Passage.Kind, with passages: [Passage]
    ) async throws(StoreError) {
        for passage in passages { try Texts.rejectNUL(passage.texts) }
        try await writer.perform { transaction in
            let database = transaction.database
            let kept = SQLiteValue.list(passages.map { "\($0.source)/\($0.part)" })
            try database.runScript("passages_delete_common", [.text(kind.rawValue), kept])
            for passage in passages { try database.apply(.passage(passage)) }
            try database.runScript("passage_vectors_forget", [])
        }
    }
}

extension [RecordParameter] {
    fileprivate func values(now: Timestamp) -> [SQLiteValue] {
        map { parameter in
            switch parameter {
            case .integer(let value): .integer(value)
            case .text(let text, _): .text(text)
            case .job(let id): id.map { .id($0) } ?? .null
            case .integers(let values): .text(JSON.array(values.map { JSON($0) }).compact)
            case .texts(let texts, _):
                .text(texts.map { texts in JSON.array(texts.map { $0.map { JSON($0) } ?? .null }).compact })
            case .bytes(let bytes): .bytes(bytes)
            case .now: .timestamp(now)
            }
        }
    }
}

/// The statements of `SQL/Records`: a name has one statement or several, which run one after the other with the same
/// parameters. A `;` at the end of a line separates them.
enum RecordScript {
    static let files = NamedQueries([
        PackageResources.access_sql,
        PackageResources.accounts_sql,
        PackageResources.articles_sql,
        PackageResources.conversations_sql,
        PackageResources.deletions_sql,
        PackageResources.documents_sql,
        PackageResources.erasures_sql,
        PackageResources.exports_sql,
        PackageResources.ledger_sql,
        PackageResources.operations_sql,
        PackageResources.operators_sql,
        PackageResources.passages_sql,
        PackageResources.pauses_sql,
        PackageResources.plans_sql,
        PackageResources.preferences_sql,
        PackageResources.recall_sql,
        PackageResources.sessions_sql,
        PackageResources.stories_sql,
        PackageResources.webhooks_sql,
    ])

    static func statements(named name: String) -> [String] {
        (files.texts[name] ?? "").split(separator: ";\n").map(String.init)
    }
}

extension SQLiteConnection {
    /// Runs the statements of a script and reads the rows that any of them returns.
    func runScript<Value>(
        _ name: String, _ values: [SQLiteValue], row: (inout SQLiteRow) throws -> Value
    ) throws -> [Value] {
        var found: [Value] = []
        for statement in try script(name) {
            // A statement has as many parameters as the highest number in its text.
            try statement.run(Array(values.prefix(statement.parameterCount))) { found.append(try row(&$0)) }
        }
        return found
    }

    func runScript(_ name: String, _ values: [SQLiteValue]) throws {
        _ = try runScript(name, values) { _ in }
    }

    /// Writes a record within the transaction that is open.
    func apply(_ change: RecordChange) throws {
        switch change {
        case .document(let document):
            try runScript(
                "document_store",
                [
                    .text(document.key), .text(document.text), .timestamp(document.storedAt),
                    .timestamp(document.keptUntil),
                ])
        case .articleSignal(let signal):
            try runScript(
                "record_article_signal",
                [
                    .text(signal.url), .text(signal.signal), .timestamp(signal.madeAt),
                    .timestamp(signal.madeAt - ArticleSignal.lifetime), .user(signal.user),
                ])
        case .brief(let brief):
            try runScript("record_brief", [.user(brief.user), .text(brief.items), .timestamp(brief.generatedAt)])
        case .storyExplanation(let explanation):
            try runScript(
                "record_story_explanation",
                [
                    .text(explanation.story), .text(explanation.holdings), .text(explanation.version),
                    .text(explanation.body), .text(explanation.provenance), .timestamp(explanation.createdAt),
                ])
        case .passage(let passage):
            try runScript(
                "record_passage",
                [
                    .text(passage.kind.rawValue), .text(passage.source), .integer(passage.part),
                    .user(passage.owner), .text(passage.title), .text(passage.url), .text(passage.text),
                    .text(passage.terms), .timestamp(passage.writtenAt), .text(SHA256.hex(passage.titledText)),
                ])
        case .passageVector(let vector):
            try runScript(
                "record_passage_vector", [.text(vector.digest), .text(vector.model), .text(vector.components)])
        case .turn(let turn):
            try runScript(
                "record_conversation_turn",
                [
                    .text(turn.job), .user(turn.user), .text(turn.conversation), .text(turn.subject),
                    .text(turn.question), .text(turn.answer), .text(turn.citations), .timestamp(turn.askedAt),
                    .timestamp(turn.answeredAt),
                ])
        case .recallCard(let card):
            try runScript(
                "recall_cards_store", [.text("[\(card.storedBody)]"), .integer(RecallCard.mostPerUser)])
        case .article(let article):
            try runScript(
                "record_article",
                [
                    .text(article.id), .text(article.url), .text(article.title), .text(article.description),
                    .text(article.source), .text(article.author), .text(article.image), .text(article.language),
                    .text(article.category), .timestamp(article.publishedAt), .timestamp(article.fetchedAt),
                    .text(article.day), .integer(article.fingerprint.bits), .integer(article.fingerprint.words),
                    .text(article.duplicateOf), .text(article.text), .list(article.tickers),
                ])
        case .articleVector(let vector):
            try runScript(
                "record_article_vector", [.text(vector.article), .text(vector.model), .text(vector.components)])
        case .story(let story):
            try runScript(
                "record_story",
                [
                    .text(story.key), .text(story.day), .text(story.title), .integer(story.impact.rank),
                    .text(story.confidence.rawValue), .text(story.storedTickers.compact), .timestamp(story.createdAt),
                    .timestamp(story.updatedAt), .list(story.absorbed), .text(story.storedMembers.compact),
                    .list(story.shownTickers),
                ])
        case .storyImpact(let rating):
            try runScript(
                "record_story_impact",
                [.text(rating.story), .integer(rating.impact.rank), .integer(rating.articles)])
        case .newsSource(let state):
            try runScript(
                "record_news_source",
                [
                    .text(state.source), .text(state.etag), .text(state.lastModified), .timestamp(state.askedAt),
                    .integer(state.failures), .text(state.problem),
                ])
        case .newsRetention(let retention):
            try runScript(
                "record_news_retention",
                [.timestamp(retention.arrivedBefore), .text(retention.storiesBefore), .integer(retention.limit)])
        case .userExport(let export):
            try runScript(
                "record_user_export",
                [
                    JobID(export.job).map { .id($0) } ?? .null, .user(export.user), .integer(export.epoch),
                    .timestamp(export.madeAt), .integer(export.lines), .integer(export.bytes), .integer(export.parts),
                ])
        }
    }
}
