import Basics
import Broker
import Foundation
import HTTP
import JSON
import JobQueue
import Learning
import SQLSupport
import SQLiteStore
import TestSupport
import Testing

/// Recall cards over HTTP: what is due, answers, concepts, export and import.
@Suite(.serialized, .timeLimit(.minutes(10))) struct RecallTests {
    private static let due = "/api/v1/recall/due"

    private static func question(_ text: String, _ form: RecallQuestion.Form = .mcq) -> RecallQuestion {
        RecallQuestion(
            form: form, question: text, options: form == .mcq ? ["It falls.", "It rises."] : [], answer: "It rises.",
            concept: "gross margin", sourceSpan: "When costs fall, the margin rises.",
            source: .init(url: "https://a.example/", title: "Margins", kind: "article"), analysis: "j")
    }

    /// Stores a card that has been due for an hour.
    private func add(
        _ question: RecallQuestion, of user: UserID = 1, to service: TestService
    ) async throws -> LearningCard {
        let time = Timestamp(milliseconds: WallClock.milliseconds()) - .seconds(3600)
        let card = LearningCard(question, of: user, at: time)
        #expect(try await service.store.store([card.record]) == [card.id])
        return card
    }

    private func answers(_ card: LearningCard) -> String { "/api/v1/recall/\(card.id)/answers" }

    // MARK: Due cards

    @Test func dueCardsAreShownWithoutTheirAnswersToTheirUserAlone() async throws {
        try await TestService.with { service in
            let card = try await add(Self.question("What happens to a margin?"), to: service)
            let list = try await service.ask(.get, Self.due)
            let due = try #require(list["data"]?[0])
            #expect(due["id"] == JSON(card.id) && due["state"] == "new" && due["options"]?.array?.count == 2)
            #expect(due["answer"] == nil && due["source_span"] == nil)
            #expect(list["pagination"]?["total_items"] == 1)
            let other = ["X-User-ID": "2"] as HTTPHeaders
            #expect(try await service.ask(.get, Self.due, headers: other)["data"] == [])
            for (method, path) in [(HTTPMethod.get, ""), (.delete, "")] {
                let answer = try await service.ask(method, "/api/v1/recall/\(card.id)\(path)", headers: other)
                #expect(answer.status == 404 && answer["error"]?["code"] == "BIZ_2005")
            }
            let grading = try await service.ask(
                .post, answers(card), ["answer": "It rises."], headers: other)
            #expect(grading.status == 404)
            #expect(try await service.ask(.get, "/api/v1/recall/export", headers: other)["data"]?["cards"] == [])
            #expect(try await service.ask(.get, "/api/v1/recall/\(card.id)")["data"]?["answer"] == "It rises.")
        }
    }

    @Test func dueCardsHavePages() async throws {
        try await TestService.with { service in
            for number in 0..<3 { _ = try await add(Self.question("Number \(number)?"), to: service) }
            let page = try await service.ask(.get, Self.due + "?per_page=2&page=2")
            #expect(page["data"]?.array?.count == 1 && page["pagination"]?["has_prev"] == true)
            let wrong = try await service.ask(.get, Self.due + "?per_page=101")
            #expect(wrong.status == 422 && wrong["error"]?["details"]?["field"] == "per_page")
        }
    }

    // MARK: Answers

    @Test func aChoiceIsGradedAtOnceAndScheduled() async throws {
        try await TestService.with { service in
            let card = try await add(Self.question("What happens to a margin?"), to: service)
            let answer = try await service.ask(.post, answers(card), ["answer": "It rises."])
            let data = try #require(answer["data"])
            #expect(data["verdict"] == "right" && data["rating"] == "good" && data["counted"] == true)
            #expect(data["sentence"] == "When costs fall, the margin rises.")
            #expect(data["source"]?["url"] == "https://a.example/")
            #expect(try await service.ask(.get, Self.due)["data"] == [])
            let read = try await service.ask(.get, "/api/v1/recall/\(card.id)")
            #expect(read["data"]?["schedule"]?["stability"] == 2.3065)
            #expect(read["data"]?["reviews"]?.array?.count == 1)
            #expect(try await service.credits() == "10 granted, 10 left, 0 held, 0 used")
        }
    }

    @Test func anAnswerIsCountedOnce() async throws {
        try await TestService.with { service in
            let card = try await add(Self.question("What happens to a margin?"), to: service)
            let key = ["Idempotency-Key": "one"] as HTTPHeaders
            let answers = try await withThrowingTaskGroup(of: Answer.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        try await service.ask(.post, self.answers(card), ["answer": "It falls."], headers: key)
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers.allSatisfy { $0.status == 200 && $0["data"]?["counted"] == true })
            #expect(Set(answers.map { $0["data"]?["due_at"] }).count == 1)
            let stored = try await service.store.recallCards([card.id], of: 1)
            #expect(stored.first.flatMap(LearningCard.init)?.answers == 1)
            let other = try await service.ask(.post, self.answers(card), ["answer": "It rises."], headers: key)
            #expect(other.status == 409)
            // Without the key it is another answer, to a card that is not due any more.
            let practice = try await service.ask(.post, self.answers(card), ["answer": "It rises."])
            #expect(practice["data"]?["verdict"] == "right" && practice["data"]?["counted"] == false)
            #expect(try await service.store.recallCards([card.id], of: 1) == stored)
        }
    }

    @Test func simultaneousAnswersWithoutAKeyAreCountedOnce() async throws {
        try await TestService.with { service in
            let card = try await add(Self.question("What happens to a margin?"), to: service)
            let counted = try await withThrowingTaskGroup(of: Bool.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        let answer = try await service.ask(.post, self.answers(card), ["answer": "It rises."])
                        return answer["data"]?["counted"] == true
                    }
                }
                return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(counted == 1)
        }
    }

    @Test func anAnswerInOwnWordsWaitsForItsJob() async throws {
        try await TestService.with { service in
            let worker = try await FakeWorker(service)
            let card = try await add(Self.question("Why does a margin rise?", .open), to: service)
            async let asking = service.ask(.post, answers(card), ["answer": "Costs fall.", "rating": "easy"])
            let lease = try await worker.next()
            let job = try #require(try await service.store.job(lease.job, of: nil))
            #expect(job.kind == "recall" && job.input["card_id"] == JSON(card.id) && job.input["rating"] == "easy")
            let after = card.reviewed(
                CardReview(id: lease.job.description, rating: .easy, answeredAt: job.createdAt))
            let grade = AnswerGrade(verdict: .right, rating: .easy, reason: "You name the costs.", sentence: "s")
            try await service.store.complete(
                lease, with: grade.json(of: after, isCounted: true), effects: [.record(.recallCard(after.record))])
            let answer = try await asking
            #expect(answer["data"]?["reason"] == "You name the costs." && answer["data"]?["job_id"] != nil)
            #expect(try await service.ask(.get, Self.due)["data"] == [])
        }
    }

    @Test func aLearnerMayRateAnOpenAnswerWithoutAModel() async throws {
        try await TestService.with { service in
            let card = try await add(Self.question("Why does a margin rise?", .open), to: service)
            let answer = try await service.ask(.post, answers(card), ["rating": "again"])
            #expect(answer["data"]?["verdict"] == "wrong" && answer["data"]?["answer"] == "It rises.")
            let concepts = try await service.ask(.get, "/api/v1/recall/concepts")
            #expect(concepts["data"]?[0]?["standing"] == "weak" && concepts["data"]?[0]?["lapses"] == 1)
        }
    }

    static let wrong: [(RecallQuestion.Form, JSON, String)] = [
        (.mcq, ["answer": "It rises"], "answer"), (.mcq, [:], "answer"), (.mcq, ["answer": 1], "answer"),
        (.mcq, ["answer": "It rises.", "rating": "best"], "rating"), (.mcq, ["rating": "good"], "answer"),
        (.open, [:], "answer"), (.open, ["answer": " \n"], "answer"),
        (.open, ["answer": JSON(String(repeating: "a", count: 2001))], "answer"),
        (.open, ["answer": "Costs.", "rating": "again"], "rating"), (.open, ["answers": "Costs."], "answers"),
    ]

    @Test(arguments: wrong.indices) func aWrongAnswerBodyIsRefusedByField(index: Int) async throws {
        let (form, body, field) = Self.wrong[index]
        try await TestService.with { service in
            let card = try await add(Self.question("Why?", form), to: service)
            let answer = try await service.ask(.post, answers(card), body)
            #expect(answer.status == 422 && answer["error"]?["details"]?["field"] == JSON(field))
        }
    }

    // MARK: Export and import

    @Test func anExportOfOneUserIsTheImportOfAnother() async throws {
        try await TestService.with { service in
            let first = try await add(Self.question("One?"), to: service)
            _ = try await add(Self.question("Two?", .open), to: service)
            _ = try await service.ask(.post, answers(first), ["answer": "It rises."])
            let part = try await service.ask(.get, "/api/v1/recall/export?limit=1")
            let cursor = try #require(part["data"]?["next_cursor"]?.string)
            let rest = try await service.ask(.get, "/api/v1/recall/export?limit=1&cursor=\(cursor)")
            #expect(rest["data"]?["next_cursor"] == .null && rest["data"]?["cards"]?.array?.count == 1)
            let whole = try #require(try await service.ask(.get, "/api/v1/recall/export")["data"])
            let other = ["X-User-ID": "2"] as HTTPHeaders
            let added = try await service.ask(.post, "/api/v1/recall/import", whole, headers: other)
            #expect(added["data"] == ["added": 2, "updated": 0, "unchanged": 0])
            let again = try await service.ask(.post, "/api/v1/recall/import", whole, headers: other)
            #expect(again["data"] == ["added": 0, "updated": 0, "unchanged": 2])
            let theirs = try await service.ask(.get, "/api/v1/recall/export", headers: other)
            let schedules = { (export: JSON?) in export?["cards"]?.array?.map { $0["schedule"] } }
            #expect(schedules(theirs["data"]) == schedules(whole))
            // The card was reviewed only there since: the answer that was counted stays.
            let back = try await service.ask(.post, "/api/v1/recall/import", theirs["data"] ?? [:])
            #expect(back["data"] == ["added": 0, "updated": 0, "unchanged": 2])
        }
    }

    private static let card: JSON = [
        "type": "mcq", "question": "Q?", "options": ["a", "b"], "answer": "a", "concept": "c", "source_span": "s",
        "source": ["url": "https://a.example/"],
        "schedule": [
            "state": "review", "step": 0, "stability": 3.5, "difficulty": 5, "last_review": "2026-01-01T00:00:00Z",
            "due": "2026-01-05T00:00:00Z",
        ],
        "reviews": [["rating": "good", "answered_at": "2026-01-01T00:00:00Z"]],
    ]

    static let faults: [(JSON, String)] = [
        (["type": "cloze"], "cards[0].type"), (["options": ["a"]], "cards[0].options"),
        (["answer": "c"], "cards[0].answer"), (["question": ""], "cards[0].question"),
        (["concept": JSON(String(repeating: "c", count: 121))], "cards[0].concept"),
        (["source": ["url": "file:///etc/passwd"]], "cards[0].source.url"), (["id": "x"], "cards[0].id"),
        (["colour": "red"], "cards[0].colour"), (["type": "open"], "cards[0].options"),
        (["reviews": [["rating": "good", "answered_at": "2999-01-01T00:00:00Z"]]], "cards[0].reviews[0].answered_at"),
        (["reviews": [["rating": "5", "answered_at": "2026-01-01T00:00:00Z"]]], "cards[0].reviews[0].rating"),
        (["schedule": ["state": "review", "due": "2026-01-05T00:00:00Z"]], "cards[0].schedule.last_review"),
        (["schedule": ["state": "new", "due": "2026-01-05T00:00:00Z"]], "cards[0].schedule.state"),
        (
            [
                "schedule": [
                    "state": "review", "stability": 0, "difficulty": 5, "last_review": "2026-01-01T00:00:00Z",
                    "due": "2026-01-05T00:00:00Z",
                ]
            ], "cards[0].schedule.stability"
        ),
    ]

    @Test(arguments: faults.indices) func aFaultOfAnImportIsNamedByItsPlace(index: Int) async throws {
        let (change, field) = Self.faults[index]
        try await TestService.with { service in
            var card = Self.card
            for (name, value) in change.object ?? [:] { card[name] = value }
            let answer = try await service.ask(.post, "/api/v1/recall/import", ["cards": [card]])
            #expect(answer.status == 422 && answer["error"]?["details"]?["field"] == JSON(field), "\(answer.json)")
            #expect(try await service.store.recallCardCount(of: 1) == 0)
        }
    }

    @Test func anImportIsBounded() async throws {
        try await TestService.with { service in
            let many = JSON.array(Array(repeating: Self.card, count: 501))
            let answer = try await service.ask(.post, "/api/v1/recall/import", ["cards": many])
            #expect(answer.status == 422 && answer["error"]?["details"]?["field"] == "cards")
            let twice = try await service.ask(.post, "/api/v1/recall/import", ["cards": [Self.card, Self.card]])
            #expect(twice.status == 422 && twice["error"]?["details"]?["field"] == "cards[1]")
            let other = try await service.ask(
                .post, "/api/v1/recall/import", ["cards": [Self.card], "algorithm": "SM-2"])
            #expect(other.status == 422 && other["error"]?["details"]?["field"] == "algorithm")
            let one = try await service.ask(.post, "/api/v1/recall/import", ["cards": [Self.card]])
            #expect(one["data"]?["added"] == 1)
        }
    }

    @Test func aDeletedCardIsGone() async throws {
        try await TestService.with { service in
            let card = try await add(Self.question("One?"), to: service)
            #expect(try await service.ask(.delete, "/api/v1/recall/\(card.id)").status == 200)
            #expect(try await service.ask(.delete, "/api/v1/recall/\(card.id)").status == 404)
            #expect(try await service.ask(.get, "/api/v1/recall/not-a-card").status == 404)
        }
    }
}
