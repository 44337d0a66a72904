import Basics
import JSON
import Testing

@testable import Simulator

/// Answers in the languages that prompts ask for.
@Suite struct AnswerLanguageTests {
    private static func answer(_ user: String, _ properties: JSON, seed: Int = 0) throws -> JSON {
        var call = SimulatedCall(model: "m", maxTokens: 4000)
        call.turns = [SimulatedCall.Turn(isFromUser: true, parts: [.text(user)])]
        call.schema = [
            "type": "object", "properties": properties,
            "required": .array(properties.object?.keys.map { JSON($0) } ?? []),
        ]
        let digits = String(seed, radix: 16)
        call.digest = String(repeating: "0", count: 16 - digits.count) + digits + String(repeating: "0", count: 48)
        return try JSON(parsing: ReplyComposer(call).reply(Reply.Usage(input: 0)).text)
    }

    private static func section(_ name: String, _ text: String) -> String {
        "It is data (\(name)).\n<A>\n\(text)\n</A>\n"
    }

    private static func asking(for language: Language) -> String {
        "Write the answer in \(language.englishName), whatever language the material is in."
    }

    @Test(arguments: Language.allCases) func thePointsOfAnExplanationDifferForEverySeed(_ language: Language) throws {
        let point: JSON = ["type": "string", "description": "one or two sentences"]
        let properties: JSON = [
            "what_happened": ["type": "string", "description": "three to five sentences"],
            "keep_in_mind": ["type": "array", "description": "two to four", "items": point],
            "not_known": [
                "type": "array", "description": "up to three",
                "items": ["type": "string", "description": "one sentence on a point that is open"],
            ],
        ]
        for seed in 0..<200 {
            let user =
                Self.section("title", "Harlow moves its office \(seed)")
                + Self.section("a1", "Harlow moves its office. The move is over.") + Self.asking(for: language)
            let answer = try Self.answer(user, properties, seed: seed)
            let texts = ["keep_in_mind", "not_known"].flatMap { answer[$0]?.array?.compactMap(\.string) ?? [] }
            #expect(Set(texts).count == texts.count && texts.count >= 4, "\(texts)")
            let whole = ([answer["what_happened"]?.string ?? ""] + texts).joined(separator: " ")
            #expect(AnswerLanguage.of(whole) == language, "\(whole)")
        }
    }

    @Test(arguments: Language.allCases.filter { $0 != .english })
    func anExplanationOfASourceInEnglishNamesWhatTheSourceNames(_ language: Language) throws {
        let properties: JSON = [
            "what_happened": ["type": "string", "description": "three to five sentences"],
            "why_it_matters": ["type": "string", "description": "three to five sentences"],
        ]
        let sources = [
            ("Corvane", "The harbour of Eskberg sold two cranes to Corvane on Monday. They are in use."),
            ("Tellmar", "A court in Dravik fined the dairy Tellmar. The dairy said: \"We will pay in May.\""),
        ]
        let texts = try sources.map { name, text in
            let user = Self.section("title", "A sale") + Self.section("a1", text) + Self.asking(for: language)
            let answer = try Self.answer(user, properties)
            let whole = ["what_happened", "why_it_matters"].compactMap { answer[$0]?.string }.joined(separator: " ")
            #expect(whole.contains(name), "\(whole)")
            #expect(!["Monday", "May", "We"].contains { whole.contains($0 + " ") }, "\(whole)")
            return whole
        }
        #expect(Set(texts).count == sources.count)
    }

    @Test func everyTextOfAnAnswerHasATranslation() {
        for language in Language.allCases where language != .english {
            let phrases = Phrases.of(language)
            for topic in Phrases.shared.topics {
                let own = phrases.own(topic)
                #expect(own.bare.count >= topic.bare.count - 2 && own.bare.allSatisfy { !topic.bare.contains($0) })
                #expect(!own.dated.isEmpty && own.names == topic.names)
            }
            for kind in ["open", "choice", "wrong", "told", "found", "own_decision", "look_at", "not_found"] {
                let english = Phrases.shared.list(kind, in: "questions")
                #expect(!phrases.list(kind, in: "questions").contains(where: english.contains), "\(kind)")
            }
            for name in ["fits", "best", "worst", "strength", "weakness", "no_price", "change_weak"] {
                #expect(phrases.text(name, in: "assessment") != Phrases.shared.text(name, in: "assessment"))
            }
        }
    }

    @Test(arguments: [
        (Language.german, "96 von 100", "passt zu", "Mittlere Bruttomarge", "40,4"),
        (.spanish, "96 de 100", "encaja en", "Margen bruto medio", "40,4"),
        (.french, "96 points sur 100", "convient à", "Marge brute moyenne", "40,4"),
    ]) func aReportNamesVerdictAndFigures(
        _ language: Language, _ score: String, _ verdict: String, _ title: String, _ value: String
    ) throws {
        let card = """
            {"score": 96, "confidence": 93, "verdict": "fits", "walk_aways": [], "items": [{"question": "Do customers pay?", \
            "weight": 50, "score": 8, "value": "Median gross margin: 40.4%"}]}
            """
        let part: JSON = [
            "type": "object",
            "properties": ["title": ["type": "string", "description": "a few words"]], "required": ["title"],
        ]
        let answer = try Self.answer(
            Self.section("scorecard", card) + "[revenue] Revenue: 416,161 million USD (FY2025)\n"
                + Self.asking(for: language),
            [
                "summary": ["type": "string", "description": "three to five sentences"],
                "strengths": ["type": "array", "items": part],
            ])
        let summary = answer["summary"]?.string ?? ""
        #expect(summary.contains(score) && summary.contains(verdict) && summary.contains(value), "\(summary)")
        #expect(answer["strengths"]?[0]?["title"]?.string == title)
    }

    @Test func theConceptsOfATextAreItsNouns() {
        func names(_ text: String) -> [String] {
            let material = Material(instructions: "", texts: [Self.section("text", text)])
            return SubjectFinder(material).inText().compactMap(\.name)
        }
        let german = names(
            "Eine Anleihe ist ein Kredit an einen Staat. Der Käufer der Anleihe erhält jedes Jahr einen festen Zins.")
        #expect(german.first == "Anleihe" && german.contains("Kredit"), "\(german)")
        #expect(
            names("Der Preis der Anleihe sinkt oft. Viele kaufen Anleihen ohne Not.").filter { $0.hasPrefix("Anleihe") }
                .count == 1)
        let spanish = names(
            "Un bono es un préstamo a una empresa. El precio del bono baja cuando la tasa de interés sube mucho.")
        #expect(spanish.contains("tasa de interés") && spanish.contains("bono"), "\(spanish)")
    }

    @Test func aQuestionInAnyLanguageFindsTheSentenceThatAnswersIt() {
        let text =
            "The bank left its rate unchanged. Prices rose 3% because energy became dearer. It is not known when rates will fall."
        func evidence(_ question: String) -> String? {
            Evidence(
                for: question,
                in: Material(
                    instructions: "", texts: [Self.section("article", text) + Self.section("question", question)])
            )?.sentence
        }
        for question in ["What happened?", "Was ist geschehen?", "¿Qué ha pasado?", "Que s'est-il passé ?"] {
            #expect(evidence(question)?.hasPrefix("The bank left") == true, "\(question)")
        }
        for question in ["Was sagen die Zahlen?", "¿A qué se debe el cambio?", "D'où vient ce changement ?"] {
            #expect(evidence(question)?.hasPrefix("Prices rose") == true, "\(question)")
        }
        #expect(evidence("Was ist noch nicht bekannt?")?.hasPrefix("It is not known") == true)
    }

    @Test func theStatementThatProseIsSimulatedTakesNoPlaceAmongPoints() throws {
        let answer = try Self.answer(
            Self.section("title", "Apple announces a new product line")
                + Self.section("text", "Apple announces a new product line"),
            ["why": ["type": "array", "description": "exactly three short reasons", "items": ["type": "string"]]])
        let why = try #require(answer["why"]?.array).compactMap(\.string)
        #expect(why.count == 3 && !why.contains { $0.contains("prose") }, "\(why)")
        #expect(why.count { $0.contains("(simulated)") } == 1)
    }

    @Test func theNoteOfASimulatedArticleIsNoneOfItsSentences() {
        let text = "The bank left its rate unchanged again. Dossier's simulator made it up, nothing in it happened."
        #expect(Sentences.calm(in: text) == ["The bank left its rate unchanged again."])
        #expect(Sentences.neutral(in: text) == ["The bank left its rate unchanged again."])
    }
}
