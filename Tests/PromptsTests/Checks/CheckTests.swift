import JSON
import Testing

@testable import Prompts

private let report = """
    {"summary": "It earns well. It owes little.",
     "thesis": "First part here.\\n\\nSecond part here, with more words in it.",
     "risks": [{"title": "Debt", "detail": "Debt may rise to 12%."}, {"title": "Taste", "detail": "Buyers may leave."}],
     "change": [{"text": "The margin falls.", "threshold": "below 15%"}],
     "sources": ["a.example", "b.example"], "score": 72}
    """

private func failures(_ rule: Check.Rule, at path: String? = nil, in output: String = report, input: JSON = [:])
    -> [CheckFailure]
{
    let context = CheckContext(
        output: output, input: input, facts: [Fact(0.12, .ratio, label: "Debt"), Fact(72, .number, label: "Score")])
    return Check(rule, path: path.flatMap(OutputPath.init)).failures(in: context)
}

private func words(_ texts: String..., mode: Check.Containment.Mode = .any, ignoresCase: Bool = true, not: Bool = false)
    -> Check.Rule
{
    .contains(Check.Containment(texts, mode: mode, ignoresCase: ignoresCase, isNegated: not))
}

@Suite struct CheckTests {
    @Test func anAnswerMustBeJSON() {
        #expect(failures(.isJSON(schema: nil)).isEmpty)
        #expect(failures(.isJSON(schema: nil), in: "Sure! Here it is: {}").count == 1)
        #expect(failures(.isJSON(schema: nil), in: "{\"a\": 1").first?.message.contains("one JSON value") == true)
    }

    @Test func aSchemaNamesTheFieldThatDoesNotFit() {
        let schema: JSON = [
            "type": "object", "properties": ["score": ["type": "number", "maximum": 50]], "required": ["score"],
        ]
        #expect(failures(.isJSON(schema: schema)).map(\.path) == ["score"])
        #expect(failures(.isJSON(schema: ["type": "object"])).isEmpty)
        let item: JSON = ["type": "object", "properties": ["title": ["type": "string", "maxLength": 4]]]
        #expect(failures(.jsonSchema(item), at: "risks[]").map(\.path) == ["risks[1].title"])
    }

    @Test func wantedWordsMustOccur() {
        #expect(failures(words("owes", mode: .one)).isEmpty)
        #expect(failures(words("OWES", mode: .one, ignoresCase: false)).count == 1)
        #expect(failures(words("OWES", "nothing")).isEmpty)
        #expect(failures(words("never", "nothing")).first?.message == "It has to say one of \"never\", \"nothing\".")
        #expect(failures(words("owes", "nothing", mode: .all)).first?.message == "It has to say \"nothing\".")
        #expect(
            failures(words("owes", mode: .one), at: "risks[].detail").map(\.path) == [
                "risks[0].detail", "risks[1].detail",
            ])
    }

    @Test func unwantedWordsMustNotOccur() {
        #expect(failures(words("buy now", "hurry", not: true)).isEmpty)
        let found = failures(words("buy now", "OWES LITTLE", not: true), at: "summary")
        #expect(
            found == [
                CheckFailure(check: "not-icontains-any", path: "summary", message: "It must not say \"OWES LITTLE\".")
            ])
        #expect(failures(words("debt", "taste", mode: .all, not: true)).count == 1)
        #expect(failures(words("debt", "beds", mode: .all, not: true)).isEmpty)
        #expect(failures(words("x", not: true), at: "missing").isEmpty)
    }

    @Test func patternsAreSearchedFor() throws {
        func found(_ pattern: String, isNegated: Bool) throws -> [CheckFailure] {
            failures(.regex(try #require(CompiledPattern(pattern)), isNegated: isNegated))
        }
        #expect(try found("owes \\w+", isNegated: false).isEmpty)
        #expect(try found("^x$", isNegated: false).count == 1)
        #expect(try found("(?i)\\bBUYERS\\b", isNegated: true).first?.message == "It must not say \"Buyers\".")
        #expect(try found("\\bsell\\b", isNegated: true).isEmpty)
        #expect(failures(.startsWith("It earns"), at: "summary").isEmpty)
        #expect(failures(.startsWith("They"), at: "summary").count == 1)
    }

    @Test func manyTasksMatchOnePattern() async throws {
        #expect(CompiledPattern("[") == nil)
        let pattern = try #require(CompiledPattern("(?i)\\bbuy(?:er)?s?\\b"))
        let found = await withTaskGroup { group in
            for number in 0..<200 { group.addTask { pattern.search("\(number) Buyers") } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(found == Array(repeating: .found("Buyers"), count: 200))
    }

    @Test(arguments: [
        ("\\bkauf\\b", "Verkäufer", nil), ("\\bärger\\b", "Der ärger bleibt", "ärger"), ("(?i)ÄRGER", "ärger", "ärger"),
        ("[\\u2460-\\u249B\\u{1F600}]", "a ② b", "②"), ("(?m)^[-•]", "one\r\n• two", "•"),
        ("(?m)^x", "a\u{2028}x", "x"),
        ("^x$", "x\n", nil), ("\\d+", "٣٤ of 5", "٣٤"), ("e\\u0301", "cafe\u{301}", "e\u{301}"),
        ("\\s", "a\u{A0}b", "\u{A0}"), ("x*", "", ""),
    ])
    func patternsReadScalarsOfEveryScript(pattern: String, text: String, found: Substring?) throws {
        let search = try #require(CompiledPattern(pattern)).search(text)
        #expect(search == found.map { .found($0) } ?? .none)
    }

    /// An attacker's text and an author's careless pattern must not hold a worker.
    @Test func aMatchThatTakesTooManyStepsIsGivenUpAndFails() throws {
        let pattern = try #require(CompiledPattern("^(\\w+\\s?)*[!.]$"))
        let text = String(repeating: "word ", count: 40_000) + "?"
        #expect(pattern.search(text) == .givenUp)
        for isNegated in [true, false] {
            let failures = Check(.regex(pattern, isNegated: isNegated)).failures(in: CheckContext(output: text))
            #expect(failures.first?.message.hasPrefix("It takes too many steps") == true)
        }
    }

    @Test func matchesAreReplacedHoweverLongTheirTextBecomes() throws {
        let pattern = try #require(CompiledPattern("key: \\Kb+|x"))
        #expect(pattern.replacingMatches(in: "key: bbb, é, key: b", with: "[cut]") == "key: [cut], é, key: [cut]")
        #expect(pattern.replacingMatches(in: "nothing", with: "$1") == "nothing")
        let long = String(repeating: "x", count: 2_000)
        #expect(pattern.replacingMatches(in: long, with: "[cut]") == String(repeating: "[cut]", count: 2_000))
    }

    @Test func aLongTextNeedsNoDeepStack() throws {
        let pattern = try #require(CompiledPattern("^(?:a|b)+$"))
        let text = String(repeating: "ab", count: 40_000)
        #expect(pattern.search(text) == .found(text[...]))
    }

    @Test func countsHaveBounds() {
        #expect(failures(.wordCount(.init(min: 6, max: 6)), at: "summary").isEmpty)
        #expect(
            failures(.wordCount(.init(max: 5)), at: "summary").map(\.message)
                == ["It has 6 words, but at most 5 are wanted."])
        #expect(failures(.sentenceCount(.init(min: 2, max: 2)), at: "summary").isEmpty)
        #expect(
            failures(.sentenceCount(.init(min: 3, max: 5)), at: "summary").map(\.message)
                == ["It has 2 sentences, but 3 to 5 are wanted."])
        #expect(failures(.paragraphCount(.init(min: 2, max: 2)), at: "thesis").isEmpty)
        #expect(failures(.paragraphCount(.init(max: 1)), at: "thesis").count == 1)
        #expect(failures(.itemCount(.init(min: 2, max: 2)), at: "risks").isEmpty)
        #expect(
            failures(.itemCount(.init(min: 3, max: 3)), at: "risks").map(\.message)
                == ["It has 2 items, but exactly 3 are wanted."])
        #expect(failures(.itemCount(.init(min: 1)), at: "summary").count == 1)
        #expect(failures(.averageSentenceWords(.init(max: 3)), at: "summary").isEmpty)
        #expect(failures(.averageSentenceWords(.init(max: 2)), at: "summary").count == 1)
    }

    @Test func longWordsRaiseTheReadingLevel() {
        let easy = "The cat sat on the mat. The dog ran to the cat."
        let hard =
            "Notwithstanding considerable macroeconomic deterioration, consolidated profitability demonstrated resilience."
        #expect(failures(.readingLevel(.init(max: 8)), in: easy).isEmpty)
        #expect(failures(.readingLevel(.init(max: 8)), in: hard).count == 1)
    }

    @Test func aMissingPartIsAFailure() {
        #expect(failures(.wordCount(.init(min: 1)), at: "conclusion").map(\.path) == ["conclusion"])
        #expect(failures(.wordCount(.init(min: 1)), at: "summary", in: "no json").count == 1)
    }

    @Test func figuresOutsideOfExemptPartsMustBeFacts() {
        let exempt = OutputPath("change[].threshold").map { [$0] } ?? []
        #expect(failures(.figuresInFacts(exempt: exempt)).isEmpty)
        #expect(failures(.figuresInFacts(exempt: [])).map(\.path) == ["change[0].threshold"])
        let wrong = failures(.figuresInFacts(exempt: exempt), in: #"{"a": "It grew 9%.", "b": [{"c": 3.5}]}"#)
        #expect(wrong.map(\.path) == ["a", "b[0].c"])
        #expect(wrong.first?.message.contains("\"It grew 9%.\"") == true)
        #expect(failures(.figuresInFacts(exempt: []), in: "Plain text with 9% in it.").count == 1)
        #expect(failures(.figuresInFacts(exempt: []), at: "risks[0]").isEmpty)
    }

    @Test func sourcesMustBeAmongThoseOfTheInput() throws {
        let source = try #require(OutputPath("articles[].url"))
        let input: JSON = ["articles": [["url": "a.example"], ["url": "b.example"]]]
        #expect(failures(.sourcesInInput(source), at: "sources[]", input: input).isEmpty)
        let less: JSON = ["articles": [["url": "a.example"]]]
        #expect(failures(.sourcesInInput(source), at: "sources[]", input: less).map(\.path) == ["sources[1]"])
        #expect(failures(.sourcesInInput(source), at: "sources", input: less).count == 1)
    }

    @Test(arguments: ["", ".", "a..b", "a[", "a[x]", "a]b", "a[-1]", "a b", "a[0]b"])
    func aTextThatIsNoPathIsRejected(_ text: String) {
        #expect(OutputPath(text) == nil)
    }

    @Test func aPathLeadsToEachPart() throws {
        let json: JSON = ["a": [["b": 1], ["b": 2], ["c": 3]]]
        let all = try #require(OutputPath("a[].b")).values(in: json)
        #expect(all.map(\.path) == ["a[0].b", "a[1].b"])
        #expect(try #require(OutputPath("a[1]")).values(in: json).map(\.value) == [["b": 2]])
        #expect(try #require(OutputPath("a[*].c")).values(in: json).map(\.path) == ["a[2].c"])
    }
}
