import DataSources
import Foundation
import JobQueue
import JSON
import TestSupport
import Testing

@testable import Agents

@Suite struct InterpretAgentTests {
    static let signal: JSON = [
        "is_financial": true, "importance_score": 65, "confidence": 70,
        "why": ["It is about a large company", "Sales rose", "It shows demand"], "horizon": "medium",
        "opportunity_type": "positive", "opportunity_note": "Demand holds up.", "action": "Read the source",
    ]
    static let explanation: JSON = {
        var answer = ExplanationAgentTests.changed("sources", ["a1"])
        answer["why_it_matters"] = "This shows how a large business is doing. It is context."
        return answer
    }()

    static func changed(_ name: String, _ value: JSON) -> JSON {
        var answer = signal
        answer[name] = value
        return answer
    }

    private func agent(
        _ model: ScriptedModel, _ reader: ScriptedReader = ScriptedReader(""), holding: [String] = []
    ) throws -> InterpretAgent {
        InterpretAgent(reader: reader, holdings: { _ in holding }, models: ModelCalls(try model.router()))
    }

    @Test func newsOfAHoldingIsWorthKnowingHoweverSmall() async throws {
        try await AgentFixture.run { fixture in
            let small: JSON = {
                var answer = Self.changed("importance_score", 12)
                answer["action"] = "No action needed"
                answer["why"] = ["Sales rose", "It shows demand", "Phones are its largest part"]
                return answer
            }()
            var explanation = Self.explanation
            explanation["why_it_matters"] = "Since you hold AAPL, this shows how its business is doing. It is context."
            let model = ScriptedModel(.json(small), .json(explanation))
            let result = try await fixture.attempt(
                try await fixture.job("interpret", ["textOrUrl": "Apple sales rose 8% and it earned $28 billion."]),
                try agent(model, holding: ["MSFT", "AAPL"]))
            #expect(result["verdict"] == "aware" && result["action"] == "Keep it in mind")
            #expect(
                result["why"] == [
                    "You hold AAPL: better results (8% in the headline)", "Sales rose", "It shows demand",
                ])
            #expect(
                result["explanation"]?["why_it_matters_now"]?.string?.hasPrefix("Since you hold AAPL,") == true)
            #expect(model.prompt(1).contains("AAPL") && !model.prompt(0).contains("AAPL"))
        }
    }

    @Test func anEventOfAHoldingIsWorthKnowingWhateverTheModelSays() async throws {
        try await AgentFixture.run { fixture in
            var answer = Self.changed("is_financial", false)
            answer["importance_score"] = 5
            answer["why"] = ["A camera is put right", "Dealers do it", "It is a small matter"]
            answer["opportunity_type"] = "none"
            answer["opportunity_note"] = ""
            // The explanation is of other news, and is refused twice.
            let model = ScriptedModel(.json(answer), .json(Self.explanation), .json(Self.explanation))
            let result = try await fixture.attempt(
                try await fixture.job("interpret", ["textOrUrl": "Ford recalls 312,000 trucks over rear cameras"]),
                try agent(model, holding: ["F"]))
            #expect(
                result["verdict"] == "aware" && result["why"]?[0] == "You hold F: a recall (312,000 in the headline)")
        }
    }

    @Test func aHoldingDoesNotMakeNewsOfOtherThings() async throws {
        try await AgentFixture.run { fixture in
            let model = ScriptedModel(.json(Self.changed("is_financial", false)))
            let result = try await fixture.attempt(
                try await fixture.job("interpret", ["textOrUrl": "Apple cake for Sunday"]),
                try agent(model, holding: ["AAPL"]))
            #expect(result["verdict"] == "ignore" && result["why"] == Self.signal["why"])
        }
    }

    @Test func textWorthKnowingGetsARatingAndAnExplanation() async throws {
        try await AgentFixture.run { fixture in
            let text = "Apple sales rose 8% and it earned $28 billion."
            let model = ScriptedModel(.json(Self.signal), .json(Self.explanation))
            let result = try await fixture.attempt(
                try await fixture.job("interpret", ["textOrUrl": JSON(text)]), try agent(model))
            #expect(result["id"]?.string?.hasPrefix("text://") == true && result["url"] == result["id"])
            #expect(result["title"] == JSON(text) && result["source"] == "User Input")
            #expect(result["verdict"] == "aware" && result["action"] == "Read the source")
            #expect(result["why"]?.array?.count == 3 && result["horizon"] == "medium")
            #expect(result["confidence"] == 70 && result["importance_score"] == 65)
            #expect(result["explanation"]?["sources_summary"]?[0]?["publisher"] == "User Input")
        }
    }

    @Test func pageAtAnAddressIsReadAndGivesTheTitle() async throws {
        try await AgentFixture.run { fixture in
            let reader = ScriptedReader("Apple sales rose 8% and it earned $28 billion.")
            let model = ScriptedModel(.json(Self.signal), .json(Self.explanation))
            let result = try await fixture.attempt(
                try await fixture.job("interpret", ["textOrUrl": " https://learn.example/a?x=1 "]),
                try agent(model, reader))
            #expect(result["url"] == "https://learn.example/a" && result["title"] == "How models learn")
            #expect(result["source"] == "Learning Notes" && reader.reads == 1)
        }
    }

    @Test func ratingIsStoredUnderTheAddressThatWasAskedFor() async throws {
        try await AgentFixture.run { fixture in
            let reader = ScriptedReader("Apple sales rose 8% and it earned $28 billion.")
            let asked = "http://News.example/a/?utm_source=x&id=7#top"
            let model = ScriptedModel(.json(Self.signal), .json(Self.explanation))
            let result = try await fixture.result(
                try await fixture.job("interpret", ["textOrUrl": JSON(asked)]), try agent(model, reader))
            guard let change = result.records.first, case RecordChange.articleSignal(let kept) = change else {
                Issue.record("nothing was kept")
                return
            }
            // The canonical address of the page is https://learn.example/a.
            #expect(kept.url == "https://news.example/a?id=7" && result.records.count == 1)
            let signal = try JSON(parsing: kept.signal)
            #expect(signal["verdict"] == "aware" && signal["importance_score"] == 65 && signal["explanation"] == nil)
        }
    }

    @Test func ratingOfAPastedTextIsNotStored() async throws {
        try await AgentFixture.run { fixture in
            let model = ScriptedModel(.json(Self.signal), .json(Self.explanation))
            let result = try await fixture.result(
                try await fixture.job("interpret", ["textOrUrl": "Apple sales rose 8% and it earned $28 billion."]),
                try agent(model))
            #expect(result.records.isEmpty)
        }
    }

    @Test func irrelevantTextIsIgnoredWithoutAnExplanation() async throws {
        for answer in [Self.changed("is_financial", false), Self.changed("importance_score", 39)] {
            try await AgentFixture.run { fixture in
                let model = ScriptedModel(.json(answer))
                let result = try await fixture.attempt(
                    try await fixture.job("interpret", ["textOrUrl": "Bread at home."]), try agent(model))
                #expect(result["verdict"] == "ignore" && result["action"] == "No action needed")
                #expect(result["horizon"] == .null && result["opportunity_type"] == "none")
                #expect(result["opportunity_note"] == "" && result["explanation"] == .null)
                #expect((result["importance_score"]?.integer ?? 100) < 40 && model.requests.count == 1)
            }
        }
    }

    static let broken: [(JSON, String)] = [
        (changed("why", ["One", "Two"]), "3"),
        (changed("why", ["Sales rose in Asia", "In Asia sales rose", "Demand"]), "nearly"),
        (changed("why", ["Sales rose 12%", "Demand", "Phones"]), "12%"),
        (changed("opportunity_note", "Buy before it is too late."), "too late"),
        (changed("opportunity_note", "Investors should sell."), "should sell"),
        (changed("importance_score", 140), "importance_score"), (changed("action", "Buy shares"), "action"),
    ]

    @Test(arguments: broken.indices)
    func ratingThatFailsACheckGoesBackOnceAndThenFailsTheJob(index: Int) async throws {
        let (answer, reason) = Self.broken[index]
        try await AgentFixture.run { fixture in
            let model = ScriptedModel(.json(answer), .json(answer))
            let failure = try await fixture.failure(
                try await fixture.job("interpret", ["textOrUrl": "Apple sales rose."]), try agent(model))
            #expect(failure.error.code == "BIZ_2003" && model.requests.count == 2)
            #expect(model.prompt(1).components(separatedBy: "What is wrong with it").last?.contains(reason) == true)
        }
    }

    @Test func ratingIsStoredWithoutAnExplanationThatFailsItsChecks() async throws {
        let bad = ExplanationAgentTests.changed("closing", "Hurry!")
        for replies in [[ScriptedModel.Reply.json(bad), .json(bad)], [.refusal]] {
            try await AgentFixture.run { fixture in
                let model = ScriptedModel([.json(Self.signal)] + replies)
                let job = try await fixture.job("interpret", ["textOrUrl": "Apple sales rose 8%."])
                let result = try await fixture.attempt(job, try agent(model))
                #expect(result["verdict"] == "aware" && result["explanation"] == .null)
                #expect(try await fixture.test.steps(of: job.lease.job).last == "unexplained")
                #expect(try await fixture.test.spent() > 0)
            }
        }
    }

    @Test(arguments: [
        ("https://a.example/x", true), ("  HTTP://a.example\n", true), ("see https://a.example", false),
        ("ftp://a.example", false), ("Apple", false),
    ])
    func oneAddressAloneIsAnAddress(given: String, isURL: Bool) {
        if case .url = InterpretSubject(given) { #expect(isURL) } else { #expect(!isURL) }
    }

    @Test func equalTextsHaveEqualIdsAndLongOnesShortTitles() {
        let timestamp = Timestamp(milliseconds: 0)
        let long = String(repeating: "word ", count: 100)
        #expect(InterpretedText(pasted: "a", at: timestamp).id == InterpretedText(pasted: "a", at: timestamp).id)
        #expect(InterpretedText(pasted: "a", at: timestamp).id != InterpretedText(pasted: "b", at: timestamp).id)
        #expect(InterpretedText(pasted: long, at: timestamp).title.count <= 141)
        #expect(InterpretedText(pasted: "\n  First line.\nSecond.", at: timestamp).title == "First line.")
    }
}
