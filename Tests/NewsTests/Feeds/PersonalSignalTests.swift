import News
import JSON
import JobQueue
import TestSupport
import Testing

/// The personalized feed's items.
@Suite struct PersonalSignalTests {
    private static let explanation: JSON = [
        "what_happened": "Apple opens centres. They fix phones.",
        "why_it_happened": "One.\n\nTwo.\n\nThree.",
        "why_it_matters_now": "Since you hold AAPL, this is context. It changes nothing today.",
        "what_to_watch_next": JSON(
            "1) It works (Medium likelihood): Customers come. More than 40% return in a year.\n\n"
                + "2) It stalls (Low likelihood): U.S. shops resist. A court takes the case."),
        "what_this_does_not_mean": JSON(
            "Some think shops close. They stay open. Others expect a price rise. None is planned. The matter can rest."),
        "sources_summary": [
            ["publisher": "SEC", "title": "8-K", "published_date": "2026-01-02", "url": "https://www.sec.gov/x"],
            ["publisher": "Wire", "title": "T", "published_date": "2026-01-02", "url": "https://wire.example/x"],
        ],
        "cause_confidence": "Medium", "cause_reason": "Rests on 2 articles.", "decision_reasoning": nil,
    ]

    @Test func anItemHasEveryMemberOfTheDocument() throws {
        let article = Samples.article("a", text: String(repeating: "word ", count: 1000))
        let story = try #require(
            Samples.story(tickers: [("MSFT", false), ("AAPL", true)], articles: [article]))
        let json = PersonalSignal(of: story, held: ["AAPL"], explanation: nil).json
        #expect(json["id"] == "https://example.com/a" && json["tickerSummary"] == "AAPL, MSFT")
        #expect(json["shortSummary"] == "The company extends its own repair service.")
        #expect(json["impactLevel"] == "medium" && json["scopeType"] == "company")
        #expect(json["opportunitySignal"] == "neutral" && json["relevanceType"] == "product")
        #expect(json["profileTier"] == "high" && json["explanation"] == .null)
        let raw = try #require(json["rawArticles"]?[0])
        #expect(raw["articleNumber"] == 1 && raw["source"] == "Wire")
        #expect((raw["body"]?.string?.count ?? 0) <= PersonalSignal.bodyLimit + 1)
    }

    @Test func titleSummaryAndArticlesAreOfOneArticle() throws {
        let title = "Apple releases iOS 7.1 with new features"
        let first = Samples.article(
            "a", title: "iOS 7.1 points to two new iPad models", description: "Rumours of iPads.")
        let whole = Samples.article("b", title: title, description: "The update changes icons.")
        let story = try #require(Samples.story(title: title, articles: [first, whole]))
        let json = PersonalSignal(of: story, held: [], explanation: nil).json
        // The address stays that of the first article while a story grows.
        #expect(json["id"] == "https://example.com/a" && json["title"]?.string == title)
        #expect(json["shortSummary"] == "The update changes icons.")
        #expect(json["rawArticles"]?.array?.compactMap { $0["title"]?.string } == [title, first.title])
    }

    @Test func anotherArticlesDescriptionIsTakenOnlyWhereItSpeaksOfTheSame() throws {
        func summary(_ description: String) throws -> String? {
            let articles = [
                Samples.article("a", title: "Boeing halts jet deliveries in Seattle", description: nil),
                Samples.article("b", title: "Boeing stops deliveries", description: description),
            ]
            let story = try #require(Samples.story(title: articles[0].title, articles: articles))
            return PersonalSignal(of: story, held: [], explanation: nil).json["shortSummary"]?.string
        }
        #expect(try summary("Subscribe to our letter.") == "Boeing halts jet deliveries in Seattle")
        #expect(try summary("Boeing paused work in Seattle on Monday.") == "Boeing paused work in Seattle on Monday.")
    }

    @Test func anItemSaysWhetherItsImpactIsARulesOrAModels() throws {
        var story = try #require(Samples.story())
        #expect(PersonalSignal(of: story, held: [], explanation: nil).json["judged_by"] == "rule")
        story.group.story.ratedArticles = 1
        #expect(PersonalSignal(of: story, held: [], explanation: nil).json["judged_by"] == "model")
        #expect(Signal(of: story).json["judged_by"] == "model")
        let day = try #require(ReaderDay(story.group.story.day, in: .utc))
        #expect(StoryGroupResource(story.group, on: day, explanation: nil).json()["judged_by"] == "model")
    }

    @Test func theScopeFollowsTheTickersAndTheTopic() throws {
        func scope(_ tickers: [(String, Bool)], _ title: String = "Apple news") throws -> JSON? {
            let story = try #require(Samples.story(tickers: tickers, articles: [Samples.article("a", title: title)]))
            return PersonalSignal(of: story, held: [], explanation: nil).json["scopeType"]
        }
        #expect(try scope([]) == "macro")
        #expect(try scope([("AAPL", true), ("MSFT", false)]) == "company")
        #expect(try scope([("AAPL", true), ("MSFT", false), ("NVDA", false)]) == "industry")
        #expect(try scope([("SPY", true)], "Fed leaves interest rates unchanged") == "macro")
    }

    @Test func theTierSaysHowCloseAStoryIs() throws {
        func tier(_ held: [String], _ impact: ImpactLevel = .low) throws -> JSON? {
            let story = try #require(Samples.story(impact: impact, tickers: [("AAPL", true), ("MSFT", false)]))
            return PersonalSignal(of: story, held: held, explanation: nil).json["profileTier"]
        }
        #expect(try tier(["AAPL"]) == "high")
        #expect(try tier(["MSFT"]) == "medium")
        #expect(try tier([], .high) == "medium")
        #expect(try tier([]) == "low")
    }

    @Test func anExplanationHasTheMembersOfBothShapes() throws {
        let story = try #require(Samples.story(tickers: [("AAPL", true)]))
        let item = PersonalSignal(of: story, held: ["AAPL"], explanation: Self.explanation).json
        let json = try #require(item["explanation"])
        #expect(json["summary"] == "Apple opens centres. They fix phones.")
        #expect(json["whyItMattersForYou"] == Self.explanation["why_it_matters_now"])
        #expect(json["whyThisHappened"] == "One.\n\nTwo.\n\nThree.")
        #expect(
            json["mostLikelyScenarios"] == [
                [
                    "scenario": "It works: Customers come.", "likelihood": "Medium",
                    "whatConfirmsIt": "More than 40% return in a year.",
                    "whatMakesItUnlikely": "A court takes the case.",
                ],
                [
                    "scenario": "It stalls: U.S. shops resist.", "likelihood": "Low",
                    "whatConfirmsIt": "A court takes the case.",
                    "whatMakesItUnlikely": "More than 40% return in a year.",
                ],
            ])
        #expect(json["whatToKeepInMind"]?.array?.count == 5)
        #expect(json["sources"]?[0]?["type"] == "Primary" && json["sources"]?[1]?["type"] == "Secondary")
        #expect(json["confidence"] == 0.7 && json["headline"] == "Since you hold AAPL, this is context.")
        #expect(json["action"] == "Understand the context" && json["context"] == json["whyThisHappened"])
        #expect(json["impact"] == json["whyItMattersForYou"])
    }

    @Test("Signs against a scenario and points to keep in mind are the ones that were asked for")
    func newExplanationsHaveTheirOwnMembers() throws {
        var parts = Self.explanation
        parts["scenarios"] = [
            [
                "title": "It works", "likelihood": "Low", "description": "Customers come.",
                "what_confirms_it": "More come.", "what_makes_it_unlikely": "Rent rises.",
            ]
        ]
        parts["what_to_keep_in_mind"] = ["One year is short.", "Shops open and close."]
        parts["not_known_yet"] = ["The cost is not known yet."]
        let story = try #require(Samples.story(tickers: [("AAPL", true)]))
        let json = PersonalSignal(of: story, held: ["AAPL"], explanation: parts).json["explanation"]
        #expect(
            json?["mostLikelyScenarios"] == [
                [
                    "scenario": "It works: Customers come.", "likelihood": "Low", "whatConfirmsIt": "More come.",
                    "whatMakesItUnlikely": "Rent rises.",
                ]
            ])
        #expect(json?["whatToKeepInMind"] == ["One year is short.", "Shops open and close."])
        #expect(json?["notKnownYet"] == ["The cost is not known yet."])
    }

    @Test func anExplanationWithoutTextIsNone() throws {
        let story = try #require(Samples.story())
        #expect(PersonalSignal(of: story, held: [], explanation: [:]).json["explanation"] == .null)
    }
}
