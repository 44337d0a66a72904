internal import Basics
internal import DossierAPI
internal import HTTPServer
internal import JobQueue
internal import JSON

/// Chats about an article and about investing; each continues a stored conversation.
struct ChatRoutes: Sendable {
    static let chat = "chat"
    static let education = "education"

    let jobs: JobService
    let conversations: ConversationRoutes
    let availability: ModelAvailability

    /// `POST /api/v1/news/articles/{id}/chat`
    func chat(_ context: RequestContext) async throws(APIError) -> APIResponse {
        let body = try context.body()
        try body.allowOnly(["question", "message", "conversation_id", "form_factor", "language"])
        let article = try context.articleID()
        var input: JSON = [
            "article_id": JSON(article), "form_factor": body["form_factor"].optional?.value ?? "phone",
        ]
        try await addQuestion(of: body, about: "article:\(article)", to: &input, context)
        return try await jobs.answer(
            of: Self.chat, input: input, idempotency: try context.idempotency(body), availability, context)
    }

    /// `POST /api/v1/education/chat`
    func education(_ context: RequestContext) async throws(APIError) -> APIResponse {
        let body = try context.body()
        try body.allowOnly(["question", "message", "conversation_id", "language"])
        var input: JSON = [:]
        try await addQuestion(of: body, about: "education", to: &input, context)
        return try await jobs.answer(
            of: Self.education, input: input, idempotency: try context.idempotency(body), availability, context)
    }

    /// Adds the question, which a client may call `message`, and the conversation that it continues.
    private func addQuestion(
        of body: JSONField, about subject: String, to input: inout JSON, _ context: RequestContext
    ) async throws(APIError) {
        let field = body["question"].optional == nil && body["message"].optional != nil ? "message" : "question"
        do {
            input["question"] = JSON(try body[field].string())
            if let unread = body["message"].optional { _ = try unread.string() }
            if let language = body["language"].optional { input["language"] = JSON(try language.string()) }
            guard let given = try body["conversation_id"].optional?.string() else { return }
            let id = try await conversations.continued(given, about: subject, context)
            input["conversation_id"] = JSON(id)
        } catch let error as JSONFieldError {
            throw .invalid(error)
        } catch {
            throw error as? APIError ?? .internal
        }
    }
}

/// `/api/v1/conversations`: the user's questions and their answers.
struct ConversationRoutes: Sendable {
    /// The number of turns that one conversation shows, the last ones.
    private static let maxTurns = 200

    let repository: any ConversationRepository

    func list(_ context: RequestContext) async throws(APIError) -> APIResponse {
        let page = try Page(context)
        let found: [ConversationEntry]
        let total: Int
        do {
            found = try await repository.conversations(
                of: context.user, offset: page.offset, count: page.size)
            total = try await repository.conversationCount(of: context.user)
        } catch {
            throw APIError(error)
        }
        let entries = found.map { entry -> JSON in
            [
                "id": JSON(entry.id), "subject": Subject(entry.subject).kind,
                "article_id": Subject(entry.subject).article,
                "title": JSON(entry.title), "created_at": JSON(entry.createdAt.iso8601),
                "updated_at": JSON(entry.updatedAt.iso8601), "turns": JSON(entry.turns),
            ]
        }
        return APIResponse(.array(entries), pagination: page.json(total: total))
    }

    func one(_ context: RequestContext) async throws(APIError) -> APIResponse {
        guard let id = context.request.parameters["id"].flatMap({ JobID($0) })?.description else {
            throw .noConversation
        }
        let turns = try await turns(of: id, last: Self.maxTurns, context)
        guard let conversation = Self.json(id, turns) else { throw .noConversation }
        return APIResponse(conversation)
    }

    /// A conversation with its turns, oldest first; `nil` when there are none.
    static func json(_ id: String, _ turns: [ConversationTurn]) -> JSON? {
        guard let first = turns.first, let last = turns.last else { return nil }
        return [
            "id": JSON(id), "subject": Subject(first.subject).kind, "article_id": Subject(first.subject).article,
            "updated_at": JSON(last.answeredAt.iso8601),
            "messages": .array(turns.flatMap(messages)),
        ]
    }

    /// The id of the user's conversation about a subject, to continue it.
    ///
    /// - Throws: `404` when the user has no such conversation, also when another user has.
    func continued(_ id: String, about subject: String, _ context: RequestContext) async throws(APIError) -> String {
        guard let id = JobID(id)?.description,
            try await turns(of: id, last: 1, context).first?.subject == subject
        else { throw .noConversation }
        return id
    }

    private func turns(of id: String, last count: Int, _ context: RequestContext) async throws(APIError)
        -> [ConversationTurn]
    {
        do {
            return try await repository.turns(of: id, user: context.user, last: count)
        } catch {
            throw APIError(error)
        }
    }

    private static func messages(_ turn: ConversationTurn) -> [JSON] {
        [
            [
                "role": "user", "text": JSON(turn.question), "citations": [],
                "at": JSON(turn.askedAt.iso8601), "job_id": JSON(turn.job),
            ],
            [
                "role": "assistant", "text": JSON(turn.answer),
                "citations": (try? JSON(parsing: turn.citations)) ?? [],
                "at": JSON(turn.answeredAt.iso8601), "job_id": JSON(turn.job),
            ],
        ]
    }
}

/// The subject of a conversation in the API's terms.
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
