internal import Basics
internal import DossierAPI
internal import JSON
internal import JobQueue

/// Questions whose answers somebody waits for: about an article, and about investing. Both remember what was said.
struct TalkRoutes: Sendable {
    static let chat = "chat"
    static let education = "education"

    let waiting: AwaitedJobs
    let conversations: ConversationRoutes
    let availability: ModelAvailability

    /// `POST /api/v1/news/articles/{id}/chat`
    func chat(_ call: Call) async throws(APIError) -> Reply {
        let body = try call.body()
        try body.allowOnly(["question", "message", "conversation_id", "form_factor"])
        let article = try call.articleID()
        var input: JSON = [
            "article_id": JSON(article), "form_factor": body["form_factor"].optional?.value ?? "phone",
        ]
        try await addQuestion(of: body, about: "article:\(article)", to: &input, call)
        return try await answer(Self.chat, input, body, call)
    }

    /// `POST /api/v1/education/chat`
    func education(_ call: Call) async throws(APIError) -> Reply {
        let body = try call.body()
        try body.allowOnly(["question", "message", "conversation_id"])
        var input: JSON = [:]
        try await addQuestion(of: body, about: "education", to: &input, call)
        return try await answer(Self.education, input, body, call)
    }

    /// The question, which a chat calls a message, and the conversation in which it is asked.
    private func addQuestion(
        of body: JSONField, about subject: String, to input: inout JSON, _ call: Call
    ) async throws(APIError) {
        let field = body["question"].optional == nil && body["message"].optional != nil ? "message" : "question"
        do {
            input["question"] = JSON(try body[field].string())
            guard let given = try body["conversation_id"].optional?.string() else { return }
            let id = try await conversations.continued(given, about: subject, call)
            input["conversation_id"] = JSON(id)
        } catch let error as JSONFieldError {
            throw .invalid(error)
        } catch {
            throw error as? APIError ?? .internal
        }
    }

    private func answer(
        _ kind: String, _ input: JSON, _ body: JSONField, _ call: Call
    ) async throws(APIError) -> Reply {
        var options = Submitter.Options()
        options.uniqueKey = "\(kind)/" + SHA256.hex(input.canonical)
        options.idempotency = try waiting.jobs.idempotency(call, body)
        do {
            let (job, result) = try await waiting.result(of: kind, input: input, options: options, call: call)
            availability.note(nil)
            var answer = result
            answer["job_id"] = JSON(job.id.description)
            return Reply(answer)
        } catch {
            availability.note(error)
            throw error
        }
    }
}
