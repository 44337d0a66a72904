import JSON
import JSONSchema
import JobQueue
import Testing

@testable import Prompts

private let input: JSON = [
    "company": ["name": "Apple Inc.", "ticker": "AAPL", "currency": "USD", "as_of": "2025-11-01"],
    "persona": ["name": "Warren Buffett", "approach": "Slowly.", "voice": "Plainly."],
    "scorecard": [
        "score": 72.4, "confidence": 90, "verdict": "fits",
        "items": [["question": "Does it earn?", "weight": 20, "score": 8, "value": "46.9%", "evidence": ["f1"]]],
        "walk_aways": [],
    ],
    "facts": [["id": "f1", "label": "Gross margin", "value": "46.9%", "period": "FY2025", "form": "10-K"]],
    "persona_facts": [["id": "score", "label": "Score", "value": "72.4", "form": "computed"]],
    "missing": ["Interest expense"],
]

@Suite struct ContentTests {
    private func bundle() throws -> Prompts.Bundle { try RepositoryBundle.load() }

    @Test func scheduledKindsThatAskAModelGoByBatch() throws {
        // News is read within the hour: its explanations and levels cannot wait for a batch.
        let kinds = try bundle().kinds.values.filter {
            !["explain-ahead", "impact"].contains($0.name)
        }
        for kind in kinds where !kind.schedules.isEmpty {
            #expect((kind.batch != nil) == !kind.prompts.isEmpty, "\(kind.name)")
        }
    }

    @Test func theProgressOfAResearchJobPassesItsMarks() throws {
        let kind = try #require(bundle().kinds["research"])
        #expect(kind.stages.map { kind.progress(in: $0.name, fraction: 1)?.percent } == [10, 30, 80, 90, 100])
        #expect(kind.progress(in: "gather", fraction: 0)?.says == "Reading the company's filings")
        #expect(kind.credits == 1 && kind.deadline == .seconds(170) && kind.retries.attempts == 3)
    }

    @Test func theDraftGetsPersonaScorecardFactsAndMissingFigures() throws {
        let rendered = try #require(bundle().prompts["research"]).render(input: input)
        let system = try #require(rendered.system)
        #expect(system.hasPrefix("You write company reports for people who are learning to invest"))
        let user = rendered.messages.map(\.text).joined()
        #expect(user.contains("as Warren Buffett would") && user.contains("Slowly.") && user.contains("Plainly."))
        #expect(!system.contains("Buffett"), "the instructions are the same for every persona")
        #expect(user.contains("[score] Score: 72.4 (computed)"))
        #expect(user.contains("[f1] Gross margin: 46.9% (FY2025, 10-K)"))
        #expect(user.contains("Interest expense") && user.contains("Apple Inc.") && user.contains("72.4"))
        #expect(!(system + user).contains("{{") && !system.contains("Apple"))
        #expect(rendered.tier == "deep" && rendered.output?.name == "research_output")
    }

    @Test func theRepairSharesThePromptOfTheDraftAndGetsDraftAndFailures() throws {
        var repair = input
        repair["draft"] = "{\"summary\": \"It grew 99%.\"}"
        repair["failures"] = ["summary: The figure 99% is not among the facts."]
        let prompts = try bundle().prompts
        let draft = try #require(prompts["research"]).render(input: input)
        let again = try #require(prompts["research-repair"]).render(input: repair)
        #expect(again.system == draft.system && again.config == draft.config)
        #expect(Array(again.messages[0].parts.prefix(4)) == draft.messages[0].parts)
        #expect(draft.messages[0].parts.last == .cacheMark("draft"))
        #expect(again.output == draft.output)
        #expect(prompts["research-repair"]?.checks == prompts["research"]?.checks)
        #expect(
            again.messages[0].text.contains("It grew 99%.") && again.messages[0].text.contains("is not among the facts")
        )
    }

    @Test(arguments: [
        ("You should buy the shares.", true), ("We recommend patience.", true), ("The price target is high.", true),
        ("Now is the time to act.", true), ("Buy now!", true),
        ("Dell sells servers to those who buy and hold them.", false),
        ("Investors who hold the shares own a slice of it.", false), ("It recommends its own products.", false),
    ])
    func adviceToTradeFailsTheChecks(_ sentence: String, _ isAdvice: Bool) throws {
        let prompt = try #require(bundle().prompts["research"])
        let checks = prompt.checks.filter { $0.name.hasPrefix("not-") }
        #expect(checks.failures(in: CheckContext(output: sentence)).isEmpty != isAdvice)
    }

    @Test func aGoodReportPassesAndAnInventedFigureFails() throws {
        let prompt = try #require(bundle().prompts["research"])
        let thesis = String(
            repeating: "The gross margin, what is left of sales after making the goods, was 46.9%. ", count: 4)
        var report: JSON = [
            "summary": "Apple makes devices. It scores 72 of 100. Interest expense is missing.",
            "thesis": .string(thesis),
            "strengths": [], "risks": [["title": "A gap in the facts", "detail": "Interest expense is not reported."]],
            "valuation": "No price was available, so no valuation is made.",
            "what_would_change_the_view": [["text": "The margin falls for years.", "threshold": "below 40%"]],
        ]
        let facts = [Fact(0.469, .ratio, label: "Gross margin"), Fact(72.4, .number, label: "Score")]
        #expect(prompt.verify(report.compact, input: input, facts: facts).failures == [])
        report["valuation"] = "At $250 a share it costs 33 times earnings."
        let failures = prompt.verify(report.compact, input: input, facts: facts).failures
        #expect(
            failures.map(\.path) == ["valuation", "valuation"] && failures.allSatisfy { $0.check == "figures-in-facts" }
        )
    }

    @Test(arguments: ["a", "ü", "漢", "😀", " "])
    func interpretTakesTextsUpToItsLength(unit: String) throws {
        let kind = try #require(try bundle().kinds["interpret"])
        let schema = try JSONSchema(kind.inputSchema)
        func problems(_ count: Int) -> [String] {
            schema.validate(["textOrUrl": JSON(String(repeating: unit, count: count))]).map(\.problem)
        }
        if unit == " " {
            #expect(problems(200_000).first?.contains("pattern") == true, "white space alone is no text")
        } else {
            #expect(problems(200_000).isEmpty)
        }
        #expect(problems(200_001).contains { $0.contains("200000 characters") })
    }

    @Test func allPersonasAreThere() throws {
        let personas = try bundle().personas
        #expect(personas.keys.sorted() == ["buffett", "fisher", "graham", "lynch", "munger", "wood"])
        #expect(personas.values.allSatisfy { $0.says?.hasSuffix(".") == true })
    }
}
