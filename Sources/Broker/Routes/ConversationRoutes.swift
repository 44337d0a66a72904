internal import DossierAPI
internal import HTTPServer
internal import JSON
internal import JobQueue

/// `/api/v1/conversations`: what a user asked and was answered.
struct ConversationRoutes: Sendable {
    /// Turns that are shown of one conversation, the last ones.
    private static let shown = 200

    let repository: any ConversationRepository

    func list(_ call: Call) async throws(APIError) -> Reply {
        let perPage = try call.queryInteger("per_page", in: 1...100, default: 20)
        let page = try call.queryInteger("page", in: 1...1_000_000, default: 1)
        let found: [ConversationEntry]
        let total: Int
        do {
            found = try await repository.conversations(
                of: call.user.rawValue, offset: (page - 1) * perPage, count: perPage)
            total = try await repository.conversationCount(of: call.user.rawValue)
        } catch {
            throw APIError(error)
        }
        let entries = found.map { entry -> JSON in
            [
                "id": JSON(entry.id), "subject": Subject(entry.subject).kind,
                "article_id": Subject(entry.subject).article,
                "title": JSON(entry.title), "created_at": JSON(Timestamp(milliseconds: entry.createdAt).iso8601),
                "updated_at": JSON(Timestamp(milliseconds: entry.updatedAt).iso8601), "turns": JSON(entry.turns),
            ]
        }
        return Reply(
            .array(entries),
            pagination: [
                "page": JSON(page), "per_page": JSON(perPage), "total_items": JSON(total),
                "total_pages": JSON((total + perPage - 1) / perPage), "has_next": JSON(page * perPage < total),
                "has_prev": JSON(page > 1),
            ])
    }

    func one(_ call: Call) async throws(APIError) -> Reply {
        guard let id = call.request.parameters["id"].flatMap({ JobID($0) })?.description else {
            throw .noConversation
        }
        let turns = try await turns(of: id, last: Self.shown, call)
        guard let first = turns.first, let last = turns.last else { throw .noConversation }
        return Reply([
            "id": JSON(id), "subject": Subject(first.subject).kind, "article_id": Subject(first.subject).article,
            "updated_at": JSON(Timestamp(milliseconds: last.answeredAt).iso8601),
            "messages": .array(turns.flatMap(Self.messages)),
        ])
    }

    /// The id of a user's conversation about a subject, to go on with.
    ///
    /// - Throws: `404` when the user has no such conversation, whoever else has.
    func continued(_ id: String, about subject: String, _ call: Call) async throws(APIError) -> String {
        guard let id = JobID(id)?.description,
            try await turns(of: id, last: 1, call).first?.subject == subject
        else { throw .noConversation }
        return id
    }

    private func turns(of id: String, last count: Int, _ call: Call) async throws(APIError) -> [ConversationTurn] {
        do {
            return try await repository.turns(of: id, user: call.user.rawValue, last: count)
        } catch {
            throw APIError(error)
        }
    }

    private static func messages(_ turn: ConversationTurn) -> [JSON] {
        [
            [
                "role": "user", "text": JSON(turn.question), "citations": [],
                "at": JSON(Timestamp(milliseconds: turn.askedAt).iso8601), "job_id": JSON(turn.job),
            ],
            [
                "role": "assistant", "text": JSON(turn.answer),
                "citations": (try? JSON(parsing: turn.citations)) ?? [],
                "at": JSON(Timestamp(milliseconds: turn.answeredAt).iso8601), "job_id": JSON(turn.job),
            ],
        ]
    }
}

/// What a conversation is about, as the API names it.
private struct Subject {
    let kind: JSON
    let article: JSON

    /// - Parameter text: `article:ID` or `education`.
    init(_ text: String) {
        let isArticle = text.hasPrefix("article:")
        kind = isArticle ? "article" : JSON(text)
        article = isArticle ? JSON(String(text.dropFirst("article:".count))) : .null
    }
}

extension APIError {
    static let noConversation = notFound("The conversation")
}
