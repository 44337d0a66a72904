import JSON
import Testing

@testable import Simulator

@Suite struct ProseTests {
    private func report(
        prompt: String = Sample.prompt, schema: JSON = Sample.schema, seed: String = "1f",
        flaw: ReplyComposer.Flaw? = nil
    ) -> String {
        var call = SimulatedCall(model: "m", maxTokens: 100_000)
        call.turns = [SimulatedCall.Turn(isFromUser: true, parts: [.text(prompt)])]
        call.schema = schema
        call.digest = seed + String(repeating: "0", count: 62)
        return ReplyComposer(call, flaw: flaw).reply(Reply.Usage(input: 0)).text
    }

    private static let seeds = (0..<40).map { "\($0 % 10)\($0 / 10)" }

    @Test(arguments: seeds) func everyFigureIsQuotedFromTheFacts(seed: String) throws {
        let text = report(seed: seed)
        #expect(Sample.strayNumbers(in: text) == [])
        #expect(Sample.figures.contains { text.contains($0) })
        #expect(Sample.problems(of: try JSON(parsing: text)) == [])
    }

    @Test(arguments: seeds) func figuresWithinLabelsAreNotRepeated(seed: String) {
        let prompt = "[a] Score, of 10, for: Is it above 15 percent?: 7.5 (computed)\n[b] Debt: 3 million USD (FY2025)"
        let text = report(prompt: prompt, seed: seed)
        #expect(text.contains("3 million USD") && !text.contains("15 percent"))
    }

    @Test func theTextSaysThatItIsSimulatedOnce() throws {
        let answer = try JSON(parsing: report())
        #expect(answer["summary"]?.string?.hasPrefix(Phrases.shared.markers[0]) == true)
        #expect(report().split(separator: "simulated").count == 2)
    }

    @Test(arguments: seeds) func lengthsThatDescriptionsAskForAreKept(seed: String) throws {
        let answer = try JSON(parsing: report(seed: seed))
        #expect((3...5).contains(Sample.sentences(answer["summary"]?.string ?? "")))
        #expect(Sample.sentences(answer["valuation"]?.string ?? "") == 2)
        #expect((2...4).contains((answer["thesis"]?.string ?? "").split(separator: "\n\n").count))
        for risk in answer["risks"]?.array ?? [] { #expect(Sample.sentences(risk["detail"]?.string ?? "") == 2) }
    }

    @Test func aStatementRefersToTheFactThatItStates() throws {
        let facts = Dictionary(uniqueKeysWithValues: FactLine.all(in: Sample.prompt).map { ($0.id, $0.value) })
        for risk in try JSON(parsing: report())["risks"]?.array ?? [] {
            let value = try #require(facts[risk["evidence"]?[0]?.string ?? ""])
            #expect(risk["detail"]?.string?.contains(value) == true)
        }
    }

    @Test func equalRequestsGetEqualTextAndDifferentRequestsDifferentText() {
        #expect(report() == report())
        #expect(report(seed: "1f") != report(seed: "2f"))
    }

    @Test func anInventedFigureIsNotInThePrompt() {
        #expect(!Sample.strayNumbers(in: report(flaw: .inventedFigure)).isEmpty)
    }

    @Test func withoutFactsTheSourceIsQuoted() throws {
        let prompt = """
            Summarise what stands between the marks.
            <data-0a1b2c>
            The city council approved a new park on Tuesday. Residents had asked for more green space for years.
            </data-0a1b2c>
            """
        let schema: JSON = [
            "type": "object", "properties": ["summary": ["type": "string", "description": "exactly two sentences"]],
            "required": ["summary"],
        ]
        let text = report(prompt: prompt, schema: schema)
        #expect(text.contains("The city council approved a new park on Tuesday"))
        #expect(!text.contains("between the marks"))
    }

    @Test func theCompanyIsFoundInJSONToo() {
        let material = Material(instructions: "", texts: ["{\n  \"name\": \"Apple Inc.\",\n  \"ticker\": \"AAPL\"\n}"])
        #expect(material.subject == "Apple" && material.ticker == "AAPL")
    }

    @Test func formsOfSchemasAreFilled() throws {
        let schema: JSON = [
            "type": "object", "required": ["kind", "score", "when", "code", "share", "link", "nested", "pair"],
            "properties": [
                "kind": ["const": "report"], "score": ["type": "integer", "minimum": 2, "maximum": 4],
                "when": ["type": "string", "format": "date"], "code": ["type": "string", "pattern": "^[A-Z]{3}$"],
                "share": ["type": ["number", "null"], "description": "0 to 1"],
                "link": ["type": "string", "format": "uri"],
                "nested": ["allOf": [["type": "object", "properties": ["a": ["type": "boolean"]], "required": ["a"]]]],
                "pair": ["type": "array", "minItems": 2, "maxItems": 2, "items": ["type": "string", "maxLength": 12]],
            ],
        ]
        let answer = try JSON(parsing: report(schema: schema))
        #expect(answer["kind"] == "report")
        #expect((2...4).contains(answer["score"]?.integer ?? 0))
        #expect(answer["when"] == "1970-01-01" && answer["code"] == "SIM")
        #expect(answer["share"]?.number != nil && answer["nested"]?["a"]?.bool != nil)
        #expect(answer["pair"]?.array?.count == 2)
        #expect(answer["pair"]?.array?.allSatisfy { ($0.string?.count ?? 99) <= 12 } == true)
    }

    @Test func aRecursiveSchemaEnds() throws {
        let node: JSON = [
            "type": "object", "properties": ["title": ["type": "string"], "next": ["$ref": "#/$defs/node"]],
            "required": ["title"],
        ]
        let schema: JSON = ["$ref": "#/$defs/node", "$defs": ["node": node]]
        #expect(try JSON(parsing: report(schema: schema))["next"]?["title"]?.string != nil)
    }

    @Test(arguments: [
        ("three to five sentences", 3, 5), ("Exactly two short sentences.", 2, 2), ("2–3 sentences", 2, 3),
        ("at most four sentences", 1, 4), ("one sentence", 1, 1), ("between two and four calm sentences", 2, 4),
    ]) func lengthHintsAreRead(text: String, low: Int, high: Int) {
        #expect(LengthHint.range(of: "sentence", in: text) == LengthHint(low: low, high: high))
    }

    @Test func countsOfSentencesAreNoCountsOfElements() {
        #expect(LengthHint.count(in: "each in two sentences") == nil)
        #expect(LengthHint.count(in: "in two sentences, three to four risks") == LengthHint(low: 3, high: 4))
    }

    @Test(arguments: [
        "no fact", "[a b] Label: 1", "[id] no colon 5", "[id] Label: none", "[id Label: 5", "[] Label: 5",
    ]) func otherLinesStateNoFact(line: String) { #expect(FactLine(Substring(line)) == nil) }

    @Test(arguments: [
        ("[m] ROIC, median: 54.2% (computed)", ""), ("[m] Debt: 5 million USD (10-K)", ""),
        ("[m] Revenue: 5 million USD (TTM to 2025-12-27, 10-Q)", "TTM to 2025-12-27"), ("[m] Price: 5 USD", ""),
    ]) func onlyATimeIsAPeriod(line: String, period: String) { #expect(FactLine(Substring(line))?.period == period) }

    @Test func aLabelMayHoldAColon() {
        let fact = FactLine("[score.a] Score, of 10, for: Does it earn its keep?: 7.5 (computed)")
        #expect(fact?.label == "Score, of 10, for: Does it earn its keep?" && fact?.value == "7.5")
    }

    @Test func theLastParenthesesHoldThePeriod() {
        let fact = FactLine("- [x] Return (median): 12.5% of equity (FY2016 to FY2025, 10-K)")
        #expect(
            fact?.label == "Return (median)" && fact?.value == "12.5% of equity" && fact?.period == "FY2016 to FY2025")
    }
}
