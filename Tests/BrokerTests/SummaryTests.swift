import DossierAPI
import Broker
import Foundation
import HTTP
import JSON
import JobQueue
import SQLiteStore
import TestSupport
import Testing

/// `POST /api/v1/news/articles/{id}/summary`, which waits for its job.
@Suite(.serialized, .timeLimit(.minutes(10))) struct SummaryTests {
    private static let path = "/api/v1/news/articles/a1/summary"

    struct Envelope: Decodable {
        let success: Bool
        let data: Summary
    }

    struct Summary: Decodable {
        let articleId: String
        let formFactor: String
        let summary: String
        let paragraphs: [String]
        let sentiment: String?
        let source: String
        let fallbackReason: String?
        let suggestedQuestions: [String]
    }

    private static let result: JSON = [
        "article_id": "a1", "summary": "One.\n\nTwo.", "paragraphs": ["One.", "Two."], "sentiment": "neutral",
    ]

    private func with(
        _ change: (inout BrokerConfiguration) -> Void = { _ in }, _ body: (TestService, FakeWorker) async throws -> Void
    ) async throws {
        try await TestService.with(change) { service in
            let worker = try await FakeWorker(service)
            let job = try await service.submit("note", input: [:])
            let article = HeadlineTests.article(1, category: "science")
            try await service.store.complete(
                try await worker.claim(job), with: 1, effects: [.record(.article(article))])
            try await body(service, worker)
        }
    }

    private func complete(_ lease: Lease, _ form: String, _ service: TestService) async throws {
        let document = CachedDocument(
            key: CachedDocument.summaryKey(article: "a1", form: form), text: Self.result.compact, storedAt: 1,
            keptUntil: Timestamp(milliseconds: .max))
        try await service.store.complete(lease, with: Self.result, effects: [.record(.document(document))])
    }

    @Test func aJobAboutAnArticleHasItsTitleAsSubject() async throws {
        try await with { service, _ in
            let title = HeadlineTests.article(1, category: "science").title
            let input: JSON = ["article_id": "a1", "form_factor": "phone"]
            let known = try await service.ask(.post, "/api/v1/jobs", ["kind": "summary", "input": input])
            #expect(known["data"]?["subject"]?.string == title && !title.isEmpty)
            let other: JSON = ["article_id": "a2", "form_factor": "phone", "question": "My secret?"]
            let unknown = try await service.ask(.post, "/api/v1/jobs", ["kind": "chat", "input": other])
            #expect(unknown["data"]?["subject"] == "Article a2")
        }
    }

    @Test func aSummaryIsMadeOnceForAllUsers() async throws {
        try await with { service, worker in
            async let one = service.wait(Self.path, #"{"form_factor": "phone"}"#, user: "1")
            let lease = try await worker.next()
            async let two = service.wait(Self.path, "", user: "2")
            // The second user's job shares the first one's run.
            _ = try await service.onlyJob(user: "2")
            #expect(try await service.store.claim(for: worker.id, upTo: [.interactive: 9]).jobs.isEmpty)
            try await complete(lease, "phone", service)
            for answer in [try await one, try await two] {
                #expect(answer.status == 200, "\(answer.json.compact)")
                let summary = try answer.camelCased(Envelope.self).data
                #expect(summary.paragraphs == ["One.", "Two."] && summary.sentiment == "neutral")
                #expect(summary.source == "model" && summary.fallbackReason == nil && summary.formFactor == "phone")
                #expect(summary.suggestedQuestions.count == 4)
            }
            // Later requests get the stored summary without a job.
            let later = try await service.wait(Self.path, #"{"form_factor": "phone"}"#, user: "3")
            #expect(try later.camelCased(Envelope.self).data.summary == "One.\n\nTwo.")
            #expect(try await service.ask(.get, "/api/v1/jobs", headers: ["X-User-ID": "3"])["data"] == [])
            // The form for a watch has its own summary.
            async let watch = service.wait(Self.path, #"{"form_factor": "watch"}"#, user: "3")
            try await complete(try await worker.next(), "watch", service)
            #expect(try await watch.status == 200)
        }
    }

    @Test(arguments: [
        ("EXT_4004", "model_unavailable"), ("EXT_4001", "model_unavailable"), ("SYS_5001", "model_unavailable"),
        ("BIZ_2003", "no_usable_summary"), ("SYS_5003", "deadline"),
    ])
    func theArticleReplacesASummaryThatFails(code: String, reason: String) async throws {
        try await with { service, worker in
            async let asking = service.wait(Self.path, #"{"form_factor": "phone"}"#)
            let error = JobError(code: ErrorCode(rawValue: code), message: "It failed.", userMessage: "It failed.")
            try await service.store.fail(
                try await worker.next(), with: JobFailure(error: error, next: .giveUp))
            let answer = try await asking
            #expect(answer.status == 200)
            let summary = try answer.camelCased(Envelope.self).data
            #expect(summary.source == "original" && summary.fallbackReason == reason && summary.sentiment == nil)
            #expect(summary.paragraphs == ["The first paragraph of a1.", "A second sentence."])
        }
    }

    @Test("A summary that failed is not tried again for ten minutes, at any broker and for any user")
    func aFailedSummaryIsNotTriedAgainAtOnce() async throws {
        try await with { service, worker in
            async let asking = service.wait(Self.path, "{}")
            let error = JobError(code: .claude, message: "It failed.", userMessage: "It failed.")
            try await service.store.fail(try await worker.next(), with: JobFailure(error: error, next: .giveUp))
            _ = try await asking
            for user in ["1", "2"] {
                let answer = try await service.wait(Self.path, "{}", user: user)
                let summary = try answer.camelCased(Envelope.self).data
                #expect(summary.source == "original" && summary.fallbackReason == "model_unavailable")
            }
            #expect(try await service.store.claim(for: worker.id, upTo: [.interactive: 9]).jobs.isEmpty)
            service.time.stop(at: service.time.now + 601_000)
            async let again = service.wait(Self.path, "{}")
            try await complete(try await worker.next(), "phone", service)
            #expect(try await again.camelCased(Envelope.self).data.source == "model")
        }
    }

    @Test("A reader who used up the day's shared work gets the article and sets off no summary")
    func theAllowanceOfSharedWorkEndsSummaries() async throws {
        var plans = Plans().overridden(startingCredits: nil, requestsPerMinute: 0)
        plans.standard.sharedWorkPerDay = 0
        try await with({ $0.plans = CurrentPlans(plans) }) { service, worker in
            let answer = try await service.wait(Self.path, "{}")
            let summary = try answer.camelCased(Envelope.self).data
            #expect(summary.source == "original" && summary.fallbackReason == "daily_limit")
            #expect(try await service.store.claim(for: worker.id, upTo: [.interactive: 9]).jobs.isEmpty)
        }
    }

    @Test func atTheTimeoutTheArticleReplacesTheSummaryWhileOthersWait() async throws {
        try await with({ $0.timeout = .milliseconds(300) }) { service, worker in
            let answer = try await service.wait(Self.path, "{}")
            let summary = try answer.camelCased(Envelope.self).data
            #expect(summary.source == "original" && summary.fallbackReason == "deadline")
            // The shared job goes on for later requests.
            try await complete(try await worker.next(), "phone", service)
            let later = try await service.wait(Self.path, "{}")
            #expect(try later.camelCased(Envelope.self).data.source == "model")
        }
    }

    @Test func invalidFieldsAreNamed() async throws {
        try await with { service, _ in
            let missing = try await service.wait("/api/v1/news/articles/none/summary", "{}")
            #expect(missing.status == 404)
            for body in [#"{"form_factor": "fridge"}"#, #"{"form_factor": 1}"#, #"{"size": 1}"#] {
                let refused = try await service.wait(Self.path, body)
                #expect(refused.status == 422, "\(body)")
            }
        }
    }
}
