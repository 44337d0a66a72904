import DataSources
import JobQueue
import JSON
import Learning
import SQLSupport
import SQLiteStore
import TestSupport
import Testing

@testable import Agents

/// The cards that an analysis makes, their answers, and what they say to the next analysis.
@Suite struct RecallAgentTests {
    private static let questions = AnalyzeAgentTests.asked(quoted(AnalyzeAgentTests.open), AnalyzeAgentTests.choice)

    private static func quoted(_ question: JSON) -> JSON {
        var question = question
        question["quote"] = "The gradient of the loss tells in which direction"
        return question
    }

    private static func grade(_ verdict: String, quote: String = "The gradient of the loss tells") -> JSON {
        ["verdict": JSON(verdict), "reason": "You name the direction of the step.", "quote": JSON(quote)]
    }

    private func analyze(_ fixture: ConversationFixture, user: UserID = 1, _ model: ScriptedModel) async throws -> JSON
    {
        let agent = AnalyzeAgent(
            reader: ScriptedReader(AnalyzeAgentTests.text), cards: fixture.store,
            models: ModelCalls(try model.router()), now: { 5 })
        return try await fixture.finish("analyze", AnalyzeAgentTests.order, user: user, agent)
    }

    private func analyzed(_ fixture: ConversationFixture, user: UserID = 1) async throws -> JSON {
        try await analyze(
            fixture, user: user, ScriptedModel(.json(AnalyzeAgentTests.analysis()), .json(Self.questions)))
    }

    private func open(_ result: JSON) throws -> String {
        try #require(result["recall_questions"]?.array?.first { $0["type"] == "open" }?["card_id"]?.string)
    }

    private func answer(
        _ fixture: ConversationFixture, _ card: String, user: UserID = 1, rating: String? = nil, _ model: ScriptedModel
    ) async throws -> JSON {
        var input: JSON = ["card_id": JSON(card), "answer": "Because the error falls that way."]
        input["rating"] = rating.map { JSON($0) }
        let agent = RecallAgent(cards: fixture.store, models: ModelCalls(try model.router()))
        return try await fixture.finish("recall", input, user: user, agent)
    }

    @Test func theQuestionsOfAnAnalysisBecomeCardsOfTheUser() async throws {
        try await ConversationFixture.run { fixture in
            let result = try await analyzed(fixture)
            let cards = try await fixture.store.latestRecallCards(of: 1, limit: 9).compactMap(LearningCard.init)
            let ids = result["recall_questions"]?.array?.compactMap { $0["card_id"]?.string } ?? []
            #expect(cards.map(\.id).sorted() == ids.sorted() && ids.count == 2)
            let card = try #require(cards.first { $0.question.form == .mcq })
            #expect(card.question.concept == "learning rate" && card.question.answer == "The error grows.")
            #expect(card.question.options.count == 4 && card.question.source.url == "https://learn.example/a")
            #expect(card.question.sourceSpan == AnalyzeAgentTests.choice["quote"]?.string)
            #expect(JSON(card.question.analysis) == result["trace_id"])
            #expect(card.schedule == CardSchedule(due: 5) && card.answers == 0)
            #expect(try await fixture.store.recallCardCount(of: 2) == 0)
        }
    }

    @Test func anAnalysisThatIsIgnoredMakesNoCards() async throws {
        try await ConversationFixture.run { fixture in
            let model = ScriptedModel(.json(AnalyzeAgentTests.analysis(score: 0.1)))
            let result = try await analyze(fixture, model)
            #expect(result["decision"] == "ignored")
            #expect(try await fixture.store.recallCardCount(of: 1) == 0)
        }
    }

    @Test func aSecondAnalysisOfATextAddsNoCardForAQuestionThatTheUserHas() async throws {
        try await ConversationFixture.run { fixture in
            let first = try await analyzed(fixture)
            let second = try await analyzed(fixture)
            #expect(first["recall_questions"]?[0]?["card_id"] != .null)
            #expect(second["recall_questions"]?.array?.map { $0["card_id"] } == [.null, .null])
            #expect(try await fixture.store.recallCardCount(of: 1) == 2)
            _ = try await analyzed(fixture, user: 2)
            #expect(try await fixture.store.recallCardCount(of: 2) == 2)
        }
    }

    @Test func anAnswerIsGradedAgainstThePassageAndSchedulesTheCard() async throws {
        try await ConversationFixture.run { fixture in
            let card = try open(try await analyzed(fixture))
            let model = ScriptedModel(.json(Self.grade("right")))
            let result = try await answer(fixture, card, model)
            #expect(result["verdict"] == "right" && result["rating"] == "good" && result["counted"] == true)
            #expect(result["sentence"] == "The gradient of the loss tells")
            #expect(result["reason"] == "You name the direction of the step.")
            #expect(model.prompt(0).contains("The gradient of the loss tells in which direction"))
            let stored = try await fixture.store.recallCards([card], of: 1)
            let after = try #require(stored.first.flatMap(LearningCard.init))
            #expect(after.answers == 1 && after.schedule.phase == .learning(step: 1))
            #expect(after.schedule.memory?.stability == 2.3065)
        }
    }

    @Test func anAnswerToACardThatIsNotDueIsNotCounted() async throws {
        try await ConversationFixture.run { fixture in
            let card = try open(try await analyzed(fixture))
            _ = try await answer(fixture, card, ScriptedModel(.json(Self.grade("right"))))
            let before = try await fixture.store.recallCards([card], of: 1)
            let result = try await answer(fixture, card, ScriptedModel(.json(Self.grade("wrong"))))
            #expect(result["verdict"] == "wrong" && result["counted"] == false)
            #expect(try await fixture.store.recallCards([card], of: 1) == before)
        }
    }

    @Test(arguments: [
        ("right", "easy", "easy"), ("right", "hard", "hard"), ("partly", "easy", "hard"), ("wrong", "easy", "again"),
    ])
    func theRatingOfALearnerCountsForARightAnswerAlone(verdict: String, felt: String, counted: String) async throws {
        try await ConversationFixture.run { fixture in
            let card = try open(try await analyzed(fixture))
            let result = try await answer(fixture, card, rating: felt, ScriptedModel(.json(Self.grade(verdict))))
            #expect(result["rating"] == JSON(counted))
        }
    }

    @Test func theCardOfAnotherUserIsNotFound() async throws {
        try await ConversationFixture.run { fixture in
            let card = try open(try await analyzed(fixture))
            let input: JSON = ["card_id": JSON(card), "answer": "Because."]
            let job = try await fixture.base.job("recall", input, user: 2)
            let agent = RecallAgent(cards: fixture.store, models: ModelCalls(try ScriptedModel().router()))
            #expect(try await fixture.base.failure(job, agent).error.code == "BIZ_2005")
        }
    }

    @Test func aGradeWithAQuotationThatThePassageDoesNotHoldGoesBackOnceAndThenFails() async throws {
        try await ConversationFixture.run { fixture in
            let card = try open(try await analyzed(fixture))
            let bad = ScriptedModel.Reply.json(Self.grade("right", quote: "Nobody knows why"))
            let job = try await fixture.base.job("recall", ["card_id": JSON(card), "answer": "Because."])
            let model = ScriptedModel(bad, bad)
            let agent = RecallAgent(cards: fixture.store, models: ModelCalls(try model.router()))
            #expect(try await fixture.base.failure(job, agent).error.code == "BIZ_2003")
            #expect(model.prompt(1).contains("word for word"))
            #expect(try await fixture.store.recallCards([card], of: 1).first?.revision == 0)
        }
    }

    @Test func whatAUserForgotIsHardInTheNextAnalysisUnlessTheRequestSaysOtherwise() async throws {
        try await ConversationFixture.run { fixture in
            let card = try open(try await analyzed(fixture))
            _ = try await answer(fixture, card, ScriptedModel(.json(Self.grade("wrong"))))
            let again = ScriptedModel(.json(AnalyzeAgentTests.analysis()), .json(Self.questions))
            let result = try await analyze(fixture, again)
            #expect(result["history"]?["weak"] == ["gradient descent"])
            #expect(again.prompt(0).contains("learning rates") && again.prompt(0).contains("gradient descent"))
            #expect(result["concept_details"]?[0]?["standing"] == "weak")
            let claimed = Learner(known: ["gradient descent"], weak: []).adding(
                LearnerHistory(known: [], weak: ["gradient descent", "momentum"], questions: []))
            #expect(claimed.known == ["gradient descent"] && claimed.weak == ["momentum"])
        }
    }
}
