import Broker
import Foundation
import HTTP
import JSON
import JobQueue
import SQLiteStore
import TestSupport
import Testing

/// Chats about an article and about investing, each of which waits for its job.
@Suite(.serialized, .timeLimit(.minutes(10))) struct ChatTests {
    private static let chat = "/api/v1/news/articles/a1/chat"

    // MARK: As an app reads it

    struct Envelope<Payload: Decodable>: Decodable {
        let success: Bool
        let data: Payload
    }

    struct Citation: Decodable {
        let kind: String
        let id: String
        let title: String
        let url: String?
        let quote: String
    }

    struct ChatAnswer: Decodable {
        let conversationId: String
        let articleId: String
        let formFactor: String
        let answer: String
        let inArticle: Bool
        let citations: [Citation]
        let jobId: String
    }

    struct EducationAnswer: Decodable {
        let conversationId: String
        let answer: String
        let known: Bool
        let citations: [Citation]
        let jobId: String
    }

    struct Message: Decodable {
        let role: String
        let text: String
        let citations: [Citation]
        let at: String
        let jobId: String
    }

    struct Conversation: Decodable {
        let id: String
        let subject: String
        let articleId: String?
        let messages: [Message]
    }

    private static let citations: JSON = [
        ["kind": "article", "id": "a1", "title": "T", "url": nil, "quote": "raised its rate"]
    ]

    /// Answers the next question of a user as a worker does.
    private func serve(_ worker: FakeWorker, in conversation: String?, user: UserID = 1) async throws -> (JobID, String)
    {
        let lease = try await worker.next()
        let job = try #require(try await worker.store.job(lease.job, of: nil))
        let id = conversation ?? lease.job.description
        let isChat = job.kind == "chat"
        let turn = ConversationTurn(
            job: lease.job.description, conversation: id, user: user, subject: isChat ? "article:a1" : "education",
            question: job.input["question"]?.string ?? "", answer: "So it is.", citations: Self.citations.compact,
            askedAt: 0, answeredAt: 1)
        var result: JSON = ["conversation_id": JSON(id), "answer": "So it is.", "citations": Self.citations]
        if isChat {
            result["article_id"] = "a1"
            result["form_factor"] = job.input["form_factor"]
            result["in_article"] = true
        } else {
            result["known"] = true
        }
        try await worker.store.complete(lease, with: result, effects: [.record(.turn(turn))])
        return (lease.job, id)
    }

    @Test func aConversationAboutAnArticleContinuesAndCanBeRead() async throws {
        try await TestService.with { service in
            let worker = try await FakeWorker(service)
            async let first = service.wait(Self.chat, #"{"question": "By how much?", "form_factor": "watch"}"#)
            let (job, id) = try await serve(worker, in: nil)
            let one = try await first
            #expect(one.status == 200)
            let answer = try one.camelCased(Envelope<ChatAnswer>.self).data
            #expect(answer.conversationId == id && answer.jobId == job.description && answer.formFactor == "watch")
            #expect(answer.citations.first?.quote == "raised its rate" && answer.inArticle)

            async let second = service.wait(
                Self.chat, #"{"message": "And why?", "conversation_id": "\#(id.uppercased())"}"#)
            let (next, _) = try await serve(worker, in: id)
            #expect(try await second.status == 200)
            let input = try #require(try await service.store.job(next, of: nil)).input
            #expect(input["conversation_id"] == JSON(id) && input["form_factor"] == "phone")

            let read = try await service.ask(.get, "/api/v1/conversations/\(id)")
            let whole = try PlainAnswer(response: read.response).camelCased(Envelope<Conversation>.self).data
            #expect(whole.messages.map(\.role) == ["user", "assistant", "user", "assistant"])
            #expect(whole.messages.map(\.text) == ["By how much?", "So it is.", "And why?", "So it is."])
            #expect(whole.subject == "article" && whole.articleId == "a1")
            #expect(whole.messages[1].citations.count == 1 && whole.messages[0].citations.isEmpty)
            let list = try await service.ask(.get, "/api/v1/conversations")
            #expect(list["data"]?.array?.count == 1 && list["data"]?[0]?["turns"] == 2)
            #expect(list["pagination"]?["total_items"] == 1 && list["pagination"]?["total_pages"] == 1)
            #expect(try await service.credits() == "10 granted, 10 left, 0 held, 0 used")
        }
    }

    @Test func anAnswerAboutInvestingHasSources() async throws {
        try await TestService.with { service in
            let worker = try await FakeWorker(service)
            async let asking = service.wait("/api/v1/education/chat", #"{"question": "What is a moat?"}"#)
            let (job, id) = try await serve(worker, in: nil)
            let answer = try await asking.camelCased(Envelope<EducationAnswer>.self).data
            #expect(answer.known && answer.jobId == job.description && answer.conversationId == id)
            // A conversation about an article cannot continue as one about investing, nor the reverse.
            let crossed = try await service.wait(Self.chat, #"{"question": "?", "conversation_id": "\#(id)"}"#)
            #expect(crossed.status == 404)
        }
    }

    @Test func anotherUsersConversationIsNotFound() async throws {
        try await TestService.with { service in
            let worker = try await FakeWorker(service)
            async let asking = service.wait("/api/v1/education/chat", #"{"question": "What is a moat?"}"#)
            let (_, id) = try await serve(worker, in: nil)
            #expect(try await asking.status == 200)
            let reading = try await service.ask(.get, "/api/v1/conversations/\(id)", headers: ["X-User-ID": "2"])
            #expect(reading.status == 404 && reading["error"]?["code"] == "BIZ_2005")
            let going = try await service.wait(
                "/api/v1/education/chat", #"{"question": "What did they ask?", "conversation_id": "\#(id)"}"#, user: "2"
            )
            #expect(going.status == 404 && going.json["error"]?["code"] == "BIZ_2005")
            let list = try await service.ask(.get, "/api/v1/conversations", headers: ["X-User-ID": "2"])
            #expect(list["data"] == [])
            let unknown = try await service.ask(.get, "/api/v1/conversations/nonsense")
            #expect(unknown.status == 404)
        }
    }

    @Test func invalidFieldsOfAQuestionAreNamed() async throws {
        try await TestService.with { service in
            for (path, body, field) in [
                (Self.chat, "{}", "question"), (Self.chat, #"{"question": " "}"#, "question"),
                (Self.chat, #"{"question": "?", "form_factor": "fridge"}"#, "form_factor"),
                (Self.chat, #"{"question": "?", "form": "watch"}"#, "form"),
                ("/api/v1/education/chat", #"{"question": 7}"#, "question"),
                ("/api/v1/education/chat", #"{"question": "\#(String(repeating: "x", count: 2001))"}"#, "question"),
            ] {
                let answer = try await service.wait(path, body)
                #expect(answer.status == 422, "\(body.prefix(60))")
                #expect(answer.json["error"]?["details"]?["field"] == JSON(field), "\(answer.json.compact.prefix(300))")
            }
        }
    }

    @Test func turnsOfOneConversationRunInOrder() async throws {
        try await TestService.with { service in
            let worker = try await FakeWorker(service)
            async let asking = service.wait("/api/v1/education/chat", #"{"question": "What is a moat?"}"#)
            let (_, id) = try await serve(worker, in: nil)
            #expect(try await asking.status == 200)
            for question in ["One?", "Two?"] {
                _ = try await service.submit(
                    "education", input: ["question": JSON(question), "conversation_id": JSON(id)])
            }
            let all = try await service.store.claim(for: worker.id, upTo: [.interactive: 9]).jobs
            #expect(all.map { $0.input["question"] } == ["One?"])
            let waiting = try await service.ask(.get, "/api/v1/jobs?status=pending")
            #expect(waiting["data"]?[0]?["blocked_by"]?["reason"] == "job")
        }
    }

    @Test func atTheDeadlineOfTheKindTheErrorNamesTheJob() async throws {
        try await TestService.with {
            $0.timeout = .milliseconds(300)
        } _: { service in
            _ = try await FakeWorker(service)
            let answer = try await service.wait("/api/v1/education/chat", #"{"question": "What is a moat?"}"#)
            #expect(answer.status == 504 && answer.json["error"]?["code"] == "SYS_5003")
            let id = try #require(answer.json["error"]?["details"]?["job_id"]?.string)
            let job = try await service.ask(.get, "/api/v1/jobs/\(id)")
            #expect(job["data"]?["status"] == "cancelled")
        }
    }

    @Test func anArticleThatTheWorkerDoesNotFindIsA404() async throws {
        try await TestService.with { service in
            let worker = try await FakeWorker(service)
            async let asking = service.wait(Self.chat, #"{"question": "Why?"}"#)
            let lease = try await worker.next()
            let error = JobError(code: "BIZ_2005", message: "There is no article.", userMessage: "It is gone.")
            try await service.store.fail(lease, with: JobFailure(error: error, next: .giveUp))
            #expect(try await asking.status == 404)
        }
    }
}
