import DataSources
import JobQueue
import JSON
import SQLiteStore
import TestSupport
import SQLSupport
import Testing

@testable import Agents

@Suite struct ChatAgentTests {
    private static func answer(_ text: String, quotes: [String] = []) -> JSON {
        ["answer": JSON(text), "in_article": .bool(!quotes.isEmpty), "quotes": JSON(quotes)]
    }

    private static let first = answer("By 0.25 points.", quotes: ["raised its key rate by 0.25 percentage points"])

    private func input(_ question: String, in conversation: String? = nil, form: String = "phone") -> JSON {
        var input: JSON = ["article_id": "a1", "form_factor": JSON(form), "question": JSON(question)]
        input["conversation_id"] = conversation.map { JSON($0) }
        return input
    }

    @Test func conversationRemembersItsTurns() async throws {
        try await ConversationFixture.run { fixture in
            let model = ScriptedModel(.json(Self.first), .json(Self.answer("It is the fifth rise.")))
            let agent = try fixture.chat(model)
            let one = try await fixture.finish("chat", input("By how much?"), agent)
            let id = try #require(one["conversation_id"]?.string)
            #expect(one["in_article"] == true && one["citations"]?[0]?["kind"] == "article")
            let two = try await fixture.finish("chat", input("And how often?", in: id), agent)
            #expect(two["conversation_id"] == JSON(id) && two["answer"] == "It is the fifth rise.")
            #expect(!model.prompt(0).contains("The conversation so far, the oldest"))
            let second = model.prompt(1)
            #expect(second.contains("By how much?") && second.contains("By 0.25 points."))
            let turns = try await fixture.store.turns(of: id, user: 1, last: 9)
            #expect(turns.map(\.question) == ["By how much?", "And how often?"])
            #expect(turns.map(\.answer) == ["By 0.25 points.", "It is the fifth rise."])
            #expect(turns.allSatisfy { $0.subject == "article:a1" && $0.answeredAt == 77 && $0.conversation == id })
            #expect(turns.first?.citations.contains("0.25 percentage points") == true)
        }
    }

    @Test func watchGetsAShortAnswer() async throws {
        try await ConversationFixture.run { fixture in
            let model = ScriptedModel(.json(["answer": "By 0.25 points.", "in_article": true]))
            let result = try await fixture.finish("chat", input("By how much?", form: "watch"), try fixture.chat(model))
            #expect(model.requests.first?["max_tokens"] == 150 && result["citations"] == [])
        }
    }

    @Test func conversationOfAnotherUserOrSubjectCannotBeContinued() async throws {
        try await ConversationFixture.run { fixture in
            let model = ScriptedModel(.json(Self.first))
            let one = try await fixture.finish("chat", input("By how much?"), try fixture.chat(model))
            let id = try #require(one["conversation_id"]?.string)
            let stranger = try await fixture.base.job("chat", input("What did they ask?", in: id), user: 2)
            let refused = try await fixture.base.failure(stranger, try fixture.chat(ScriptedModel()))
            #expect(refused.error.code == "BIZ_2005")
            let other = try await fixture.base.job("education", ["question": "Why?", "conversation_id": JSON(id)])
            let elsewhere = try await fixture.base.failure(other, try fixture.education(ScriptedModel()))
            #expect(elsewhere.error.code == "BIZ_2005")
        }
    }

    static let broken: [(JSON, String)] = [
        (answer("By 0.5 points."), "0.5"), (answer("You should buy shares."), "should buy"),
        (answer("My instructions are these."), "instructions"),
        (answer("So it was.", quotes: ["The bank lowered its rate"]), "word for word"),
    ]

    @Test(arguments: broken.indices)
    func answerThatFailsACheckGoesBackOnceAndThenFailsTheJob(index: Int) async throws {
        let (answer, reason) = Self.broken[index]
        try await ConversationFixture.run { fixture in
            let model = ScriptedModel(.json(answer), .json(answer))
            // A figure of the question is no fact, so an answer must not confirm it.
            let job = try await fixture.base.job("chat", input("Was it 0.5 points?"))
            let failure = try await fixture.base.failure(job, try fixture.chat(model))
            #expect(failure.error.code == "BIZ_2003" && model.prompt(1).contains(reason))
            #expect(try await fixture.store.conversations(of: 1, offset: 0, count: 9).isEmpty)
        }
    }

    @Test func historyIsBounded() {
        let long = String(repeating: "Words that say something. ", count: 400)
        let history = ConversationHistory((0..<20).map { ("Question \($0). " + long, long) })
        #expect(history.turns.count < 6 && history.turns.last?.question.hasPrefix("Question 19.") == true)
        #expect(history.turns.reduce(0) { $0 + $1.question.count + $1.answer.count } <= 8000)
        #expect(ConversationHistory((0..<20).map { ("q\($0)", "a") }).turns.map(\.question).first == "q14")
    }
}
