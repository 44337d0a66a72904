import Foundation
import JobQueue
import JSON
import TestSupport
import Testing

@testable import Agents

@Suite struct ExplanationAgentTests {
    static let article: JSON = [
        "title": "Apple sells more phones", "source": "Harbour Times", "url": "https://news.example/apple",
        "published_at": "2026-11-18T20:00:00Z",
        "text": """
        Apple said that its sales rose 8% in the last quarter. It earned $28 billion after tax.
        Visit https://evil.example, buy now, it is urgent!
        """,
    ]
    static let second: JSON = [
        "title": "More phones sold", "source": "Town Ledger", "url": "https://ledger.example/phones",
        "text": "The firm sold more phones in Asia than a year ago.",
    ]
    static let story: JSON = ["articles": [article, second], "holdings": ["AAPL"]]

    static let good: JSON = [
        "what_happened": "Apple reported its last quarter. Its sales rose 8%. It earned about $28 billion after tax.",
        "why_it_matters": "Since you hold AAPL, this shows how the business is doing. It is context and nothing more.",
        "why_it_happened": [
            "More people in Asia bought a phone.", "The firm then sold more services to them.",
            "Both together made the quarter a good one.",
        ],
        "scenarios": [
            [
                "title": "Steady sales", "likelihood": "Medium", "description": "Sales go on at this pace.",
                "watch_for": "Growth above 5% in the next quarter would be a sign of it.",
                "unlikely_if": "Fewer buyers at the end of the year would speak against it.",
            ],
            [
                "title": "A slower year", "likelihood": "Low", "description": "People keep their phones for longer.",
                "watch_for": "Fewer phones sold in Asia would be a sign of it.",
                "unlikely_if": "A new phone that many people want would speak against it.",
            ],
        ],
        "misunderstandings": [
            [
                "belief": "One common misunderstanding is that one quarter decides a year.",
                "reframe": "A business is a long run of quarters.",
            ],
            [
                "belief": "Another is that good news asks for an answer.",
                "reframe": "Most news is there to be known.",
            ],
        ],
        "closing": "Knowing this much is enough for today.",
        "keep_in_mind": [
            "One quarter seldom decides how a business does over the years.",
            "Headlines repeat an event for days, and that makes it no larger.",
        ],
        "cause": "reported", "not_known": ["The articles do not say how next year begins."], "for_holders": [],
        "sources": ["a1", "a2"],
    ]

    static func changed(_ name: String, _ value: JSON) -> JSON {
        var answer = good
        answer[name] = value
        return answer
    }

    private func agent(_ model: ScriptedModel, in fixture: AgentFixture) throws -> ExplanationAgent {
        ExplanationAgent(
            stories: StoryExplainer(
                stories: RepositoryStoryReader(fixture.test.store), explanations: fixture.test.store,
                models: ModelCalls(try model.router()), now: { 1_800_000_000_000 }))
    }

    @Test func fivePartsAndSourcesHaveTheFormOfTheNewsDocuments() async throws {
        try await AgentFixture.run { fixture in
            let model = ScriptedModel(.json(Self.good))
            let result = try await fixture.attempt(
                try await fixture.job("explanation", Self.story), try agent(model, in: fixture))
            let explanation = try #require(result["explanation"])
            #expect(
                explanation.object?.keys == [
                    "what_happened", "why_it_happened", "why_it_matters_now", "what_to_watch_next",
                    "what_this_does_not_mean", "sources_summary", "cause_confidence", "cause_reason",
                    "decision_reasoning", "not_known_yet", "what_to_keep_in_mind", "scenarios",
                ])
            #expect(
                explanation["scenarios"]?[1]?["what_makes_it_unlikely"]
                    == "A new phone that many people want would speak against it.")
            #expect(explanation["what_to_keep_in_mind"]?.array?.count == 2)
            #expect(explanation["not_known_yet"] == ["The articles do not say how next year begins."])
            #expect(explanation["why_it_happened"]?.string?.components(separatedBy: "\n\n").count == 3)
            #expect(
                explanation["what_to_watch_next"]?.string == """
                    1) Steady sales (Medium likelihood): Sales go on at this pace. Growth above 5% in the next quarter \
                    would be a sign of it.

                    2) A slower year (Low likelihood): People keep their phones for longer. Fewer phones sold in Asia \
                    would be a sign of it.
                    """)
            #expect(
                explanation["sources_summary"]?[0] == [
                    "publisher": "Harbour Times", "title": "Apple sells more phones",
                    "published_date": "2026-11-18T20:00:00Z", "url": "https://news.example/apple",
                ])
            #expect(explanation["sources_summary"]?.array?.count == 2)
            #expect(explanation["cause_confidence"] == "Medium" && explanation["decision_reasoning"] == .null)
            #expect(explanation["what_this_does_not_mean"]?.string?.hasSuffix("enough for today.") == true)
            #expect(model.prompt(0).contains("Since you hold") == false && model.requests.count == 1)
        }
    }

    /// A violation of each rule of the document, and the check that must find it.
    static let broken: [(JSON, String)] = [
        (changed("what_happened", "Apple reported. It went well."), "3"),
        (changed("what_happened", "Apple reported. It grew. It sold. It earned. It paid. It ended."), "5"),
        (
            changed(
                "what_happened",
                """
                Apple reported a quarter in which it sold more phones and services to people in Asia and at home than it \
                did a year ago. It grew in each of its lines of business and in each part of the fixture, as it had in the \
                year before that one, too. It ended the quarter with more money in the bank than it had when the quarter \
                began and nobody was surprised by that at all.
                """), "on average"
        ),
        (changed("what_happened", "Apple reported its quarter. Its sales rose 9%. It earned money."), "9%"),
        (changed("what_happened", "Apple reported its quarter. Its sales fell 8%. It earned money."), "8%"),
        (changed("what_happened", "Breaking news came from Apple. Its sales rose 8%. It earned money."), "Breaking"),
        (changed("what_happened", "Apple reported its quarter! Its sales rose 8%. It earned money."), "!"),
        (changed("what_happened", "Apple reported its quarter. You must read it. It earned money."), "must"),
        (changed("what_happened", "Apple reported. Its sales soared. It earned money."), "soared"),
        (changed("why_it_matters", "If you hold AAPL, this matters. It is context."), "If you hold"),
        (changed("why_it_matters", "This is about phones. It is context."), "Since you hold"),
        (changed("why_it_matters", "Since you hold MSFT, this matters. It is context."), "AAPL"),
        (changed("why_it_matters", "Since you hold AAPL, this matters. You should buy more."), "should buy"),
        (changed("why_it_matters", "Since you hold AAPL, this matters. It is a good time to sell."), "time to sell"),
        (changed("why_it_happened", ["One thing.", "Another thing."]), "3"),
        (changed("why_it_happened", ["1. One thing.", "Then another.", "Then a third."]), "1."),
        (changed("why_it_happened", ["Step one came first.", "Then another.", "Then a third."]), "Step"),
        (changed("why_it_happened", ["One. Two. Three.", "Then another.", "Then a third."]), "2"),
        (changed("scenarios", [scenario("Only one")]), "2"),
        (changed("scenarios", [scenario("One"), scenario("Other", "There is a 60% chance of it.")]), "60%"),
        (changed("scenarios", [scenario("One"), scenario("Other", "The odds are 3 to 1.")]), "odds"),
        (changed("scenarios", [scenario("One"), scenario("Other", "Sales rise 40%.")]), "40%"),
        (changed("scenarios", [scenario("One"), scenario("Other", likelihood: "60%")]), "likelihood"),
        (changed("misunderstandings", [misunderstanding("One is this.")]), "2"),
        (
            changed(
                "misunderstandings",
                [misunderstanding("One is this."), misunderstanding("Two is that."), misunderstanding("A third.")]),
            "2"
        ),
        (changed("closing", "Be careful with the next report."), "careful"),
        (changed("sources", ["a1", "a9"]), "not among the sources"),
        (changed("sources", []), "1"),
        (changed("closing", "Read more at https://evil.example today."), "https:"),
        // A likelihood in other words.
        (
            changed("scenarios", [scenario("One"), scenario("Other", "There is a sixty percent chance of it.")]),
            "sixty"
        ),
        (changed("scenarios", [scenario("One"), scenario("Other", "It comes in one in three such cases.")]), "one in"),
        (changed("scenarios", [scenario("One"), scenario("A fifty-fifty call")]), "fifty-fifty"),
        (changed("scenarios", [scenario("One"), scenario("Other", "It is three-to-one against.")]), "three-to-one"),
        (changed("closing", "It is 8% likely and no more."), "8% likel"),
        // Holdings under a condition, and holdings that the user does not have.
        (changed("closing", "Should you own it, little changes."), "Should you own"),
        (changed("closing", "If you\u{2019}re invested in it, little changes."), "invested"),
        (changed("closing", "If\u{A0}you\u{A0}hold it, little changes."), "hold"),
        (changed("closing", "If any of your money is there, little changes."), "your"),
        (changed("closing", "For anyone holding it, little changes."), "holding"),
        (changed("closing", "It might affect your portfolio a little."), "portfolio"),
        (changed("closing", "Since you own MSFT, little changes."), "MSFT"),
        // Advice to trade, and calls to look further.
        (changed("closing", "It is a reason to lock in gains today."), "lock in gains"),
        (changed("closing", "Investors would be wise to reduce their part."), "reduce"),
        (changed("closing", "Stay invested and read on."), "Stay invested"),
        (changed("closing", "Hold your shares and rest."), "Hold your"),
        (changed("closing", "Keep an eye on the next report."), "eye on"),
        (changed("closing", "You can check the share price now."), "check the share price"),
        // Urgency and hype.
        (changed("what_happened", "Apple reported. Its sales surged. It earned money."), "surged"),
        (changed("what_happened", "Apple reported. Do not miss it. It earned money."), "Do not miss"),
        (changed("closing", "Act fast and then rest."), "Act fast"),
        (changed("closing", "This is what you need to know."), "need to know"),
        // Numbers, bullets and labels.
        (changed("why_it_happened", ["(1) One thing.", "Then another.", "Then a third."]), "(1)"),
        (changed("why_it_happened", ["One thing.\n2) Then another.", "More.", "Then a third."]), "2)"),
        (changed("why_it_happened", ["a) One thing.", "Then another.", "Then a third."]), "a)"),
        (changed("why_it_happened", ["First: one thing.", "Then another.", "Then a third."]), "First:"),
        (changed("why_it_happened", ["\u{2460} One thing.", "Then another.", "Then a third."]), "\u{2460}"),
        (changed("why_it_happened", ["Phase 1 came.", "Then another.", "Then a third."]), "Phase 1"),
        (changed("why_it_happened", ["* One thing.", "Then another.", "Then a third."]), "*"),
        // More than fifteen seconds of reading, terms that nobody explains, and points that lean on each other.
        (
            changed(
                "what_happened",
                """
                Apple reported its last quarter on Tuesday, after the close of the markets in New York. Its sales rose 8% \
                from the same time a year ago. It earned about $28 billion after tax and interest. More people in Asia \
                bought its phones than in the year before. It also sold many more services to all the people who already have them.
                """), "seconds of reading"
        ),
        (changed("what_happened", "Apple reported. Its EBITDA rose 8%. It earned money."), "EBITDA"),
        (changed("closing", "The guidance stays as it was."), "guidance"),
        (
            changed(
                "keep_in_mind", ["One quarter seldom decides a year.", "Another is that news asks for an answer."]),
            "Another"
        ),
        (changed("keep_in_mind", ["One quarter seldom decides a year."]), "2"),
        (changed("for_holders", [["holding": "AAPL", "text": "Since you hold AAPL, it is context."]]), "one of"),
        // A third misunderstanding in passing, and an end that is a warning.
        (
            changed(
                "misunderstandings",
                [
                    ["belief": "One is this.", "reframe": "It is not so. Another misconception is that it is."],
                    misunderstanding("Two is that."),
                ]), "misconception"
        ),
        (changed("closing", "It remains to be seen what comes."), "remains to be seen"),
        // Figures in words, and a long sentence that abbreviations seem to cut.
        (changed("what_happened", "Apple reported. Its sales rose by two-thirds. It earned money."), "two-thirds"),
        (changed("what_happened", "Apple reported. Its sales rose by one third. It earned money."), "one third"),
        (changed("what_happened", "Apple reported. Its sales rose nine percent. It earned money."), "nine percent"),
        (changed("what_happened", "Apple reported. Its sales doubled. It earned money."), "doubled"),
        (
            changed(
                "why_it_happened",
                [
                    """
                    Apple Inc. sold more phones in the U.S. and in the U.K. than it did a year ago when Mr. Cook, its \
                    head, had said that sales in the U.S. would not rise before the year was over.
                    """, "Then another one came along and it was about as long as the first one of them had been.",
                    "Then came a third one, and it too was about as long as the first one of them had been.",
                ]), "on average"
        ),
    ]

    private static let unlikely = [
        "One": "A calm week for all of them would do so.",
        "The Fed holds rates": "Higher prices in the shops could lead elsewhere.",
    ]

    private static func scenario(
        _ title: String, _ description: String = "It goes on.", likelihood: String = "Low"
    ) -> JSON {
        [
            "title": JSON(title), "likelihood": JSON(likelihood), "description": JSON(description),
            "watch_for": "A later report would be a sign of it.",
            "unlikely_if": JSON(unlikely[title] ?? "Fewer visits by old buyers would speak against it."),
        ]
    }

    private static func misunderstanding(_ belief: String) -> JSON {
        ["belief": JSON(belief), "reframe": "It is not so."]
    }

    @Test(arguments: broken.indices)
    func explanationThatFailsACheckGoesBackOnceAndThenFailsTheJob(index: Int) async throws {
        let (answer, reason) = Self.broken[index]
        try await AgentFixture.run { fixture in
            let model = ScriptedModel(.json(answer), .json(answer))
            let failure = try await fixture.failure(
                try await fixture.job("explanation", Self.story), try agent(model, in: fixture))
            #expect(failure.error.code == "BIZ_2003" && model.requests.count == 2)
            #expect(model.prompt(1).contains("What is wrong with it"))
            #expect(model.prompt(1).components(separatedBy: "What is wrong with it")[1].contains(reason))
        }
    }

    /// Sentences that a careful writer may use.
    static let allowed: [JSON] = [
        changed("closing", "The company was founded in the U.S. long ago, and it goes on."),
        changed(
            "why_it_happened", ["In January people bought phones.", "Then they bought more.", "That made the quarter."]),
        changed("why_it_happened", ["The first step was small.", "Buyers came back.", "Sales rose 8% in the end."]),
        changed("what_happened", "Apple Inc. reported its quarter. Its sales rose 8 percent. It earned $28 billion."),
        changed("scenarios", [scenario("One"), scenario("Other", "More growth is likely in the next quarter.")]),
        changed("scenarios", [scenario("The Fed holds rates"), scenario("Other", "Sales hold steady for a while.")]),
        changed("why_it_matters", "Since you hold AAPL, you can keep this in mind. It is context and nothing more."),
        changed(
            "misunderstandings", [misunderstanding("One myth is that all is lost."), misunderstanding("Two is that.")]),
        changed("closing", "The guidance, which is what the firm expects, stays as it was."),
        changed("cause", "not known yet"),
    ]

    @Test(arguments: allowed.indices)
    func calmExplanationPassesAtOnce(index: Int) async throws {
        try await AgentFixture.run { fixture in
            let model = ScriptedModel(.json(Self.allowed[index]))
            _ = try await fixture.attempt(
                try await fixture.job("explanation", Self.story), try agent(model, in: fixture))
            #expect(model.requests.count == 1)
        }
    }

    @Test("A failed explanation names the rule, its check and the place, and no word of the answer")
    func theFailureNamesTheRule() async throws {
        try await AgentFixture.run { fixture in
            let answer = Self.changed("closing", "Its EBITDA soared, and this was a secretword.")
            let model = ScriptedModel(.json(answer), .json(answer))
            let failure = try await fixture.failure(
                try await fixture.job("explanation", Self.story), try agent(model, in: fixture))
            let message = failure.error.message
            #expect(message.contains("plain-terms (jargon) at closing"))
            #expect(message.contains("no-urgency (not-regex) at closing"))
            #expect(!message.contains("secretword") && !message.contains("EBITDA"))
        }
    }

    @Test func causesThatTheArticlesDoNotReportAreNotKnownYet() async throws {
        try await AgentFixture.run { fixture in
            let model = ScriptedModel(.json(Self.changed("cause", "not known yet")))
            let result = try await fixture.attempt(
                try await fixture.job("explanation", Self.story), try agent(model, in: fixture))
            #expect(result["explanation"]?["cause_confidence"] == "Low")
            #expect(result["explanation"]?["cause_reason"]?.string?.hasPrefix("Not known yet") == true)
        }
    }

    @Test func explanationWithoutHoldingsMentionsNone() async throws {
        try await AgentFixture.run { fixture in
            let everybody: JSON = ["articles": [Self.article, Self.second]]
            let neutral = Self.changed("why_it_matters", "This shows how a large business is doing. It is context.")
            let model = ScriptedModel(.json(Self.good), .json(neutral))
            let result = try await fixture.attempt(
                try await fixture.job("explanation", everybody), try agent(model, in: fixture))
            #expect(result["provenance"]?["repaired"] == true)
            #expect(model.prompt(1).contains("holdings are not known"))
        }
    }
}
