import Foundation
import JSON
import Testing

@testable import Simulator

/// Accepted answers from the cases of a home folder.
@Suite struct AcceptedAnswerTests {
    private static let schema: JSON = [
        "type": "object", "required": ["note", "motto"],
        "properties": ["note": ["type": "string"], "motto": ["type": "string"]],
    ]

    /// A home folder with two cases of one prompt, whose accepted answers have the same motto.
    private func withHome<Result>(_ body: (String) throws -> Result) throws -> Result {
        let home = FileManager.default.temporaryDirectory.appending(path: "dossier-cases-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: home) }
        for (name, note) in [("first", "A note on bread."), ("second", "A note on cheese.")] {
            let folder = "\(home)/prompts/cases/notes/\(name)"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let request: JSON = [
                "tier": "fast",
                "request": [
                    "system": ["stable": "Write a note.", "varying": ""],
                    "messages": [["role": "user", "parts": [["text": JSON("Material of the \(name) case.")]]]],
                ],
            ]
            let output: JSON = [
                "outcome": "answered", "failures": [], "json": ["note": JSON(note), "motto": "Slow and steady."],
            ]
            try request.pretty.write(toFile: "\(folder)/request.json", atomically: true, encoding: .utf8)
            try output.pretty.write(toFile: "\(folder)/output.json", atomically: true, encoding: .utf8)
        }
        return try body(home)
    }

    private func answer(_ material: String, home: String) throws -> JSON {
        var call = SimulatedCall(model: "m", maxTokens: 10_000)
        call.instructions = "Write a\nnote."
        call.turns = [SimulatedCall.Turn(isFromUser: true, parts: [.text(material)])]
        call.schema = Self.schema
        let composer = ReplyComposer(call, accepted: AcceptedAnswers(home: home))
        return try JSON(parsing: composer.reply(Reply.Usage(input: 0)).text)
    }

    @Test func aRequestOfACaseGetsItsAcceptedAnswer() throws {
        try withHome { home in
            let answer = try answer("Material of the second case.", home: home)
            #expect(answer == ["note": "A note on cheese.", "motto": "Slow and steady."])
        }
    }

    @Test func aTextThatAllAcceptedAnswersShareIsKeptForOtherMaterial() throws {
        try withHome { home in
            let answer = try answer("Something else.", home: home)
            #expect(answer["motto"] == "Slow and steady.")
            #expect(answer["note"]?.string?.contains("simulated") == true)
        }
    }

    @Test func aHomeWithoutCasesGivesNoAnswers() throws {
        #expect(try answer("Anything.", home: "/nowhere")["note"]?.string?.contains("simulated") == true)
    }
}

/// The data files that the binary carries.
@Suite struct ResourceTests {
    @Test func everyFileIsReadInFull() {
        // Two with the figures of real filings, and those of the table.
        #expect(CompanyFile.all.prefix(2).map(\.ticker) == ["AAPL", "SNOW"] && CompanyFile.all.count == 30)
        #expect(CompanyFile.all.prefix(2).allSatisfy { $0.concepts.count > 30 && $0.filings.count > 10 })
        #expect(CompanyFile.all.allSatisfy { !$0.concepts.isEmpty && !$0.filings.isEmpty })
        #expect(SimulatedStory.all.count > 100)
        #expect(Resource.json(PackageResources.market_json).object?.count == 2)
        #expect(Phrases.shared.topics.count > 5 && Phrases.shared.markers.count > 1)
    }

    @Test func noPhraseHoldsAFigure() {
        for topic in Phrases.shared.topics {
            let text = (topic.bare + topic.dated + topic.titles).joined()
            #expect(text.allSatisfy { !$0.isNumber })
        }
    }

    @Test(arguments: ["", "company\tx", "concept\ta\tb\tUSD\tc\n7\t1\t0", "company\t1\ta\tb\tc\td\te\nother"])
    func aMalformedTableIsNoCompany(table: String) { #expect(CompanyFile(tsv: table) == nil) }
}

/// Texts for regular expressions, and rules that prompts state in words.
@Suite struct WritingRuleTests {
    @Test(arguments: [
        "^[A-Z]{2}-[0-9]{4}$", #"^\d{4}-\d{2}-\d{2}$"#, "^(yes|no)$", "^a+b?c*$", #"^\w+@\w+\.\w{2,}$"#, "[^a]{3}x",
    ])
    func aTextIsMadeForAPattern(pattern: String) throws {
        let text = try #require(PatternExample.text(for: pattern))
        #expect(try Regex(pattern).firstMatch(in: text) != nil, "\(text)")
    }

    @Test func wordsThatThePromptRulesOutAreNotUsed() {
        let rules = WritingRules(
            """
            Never use the words alpha, beta or gamma. Write about "this way", not "that road". Never say "if you hold".
            """)
        #expect(
            !rules.allows("The Beta phase.") && !rules.allows("Only if you hold it.") && !rules.allows("That road."))
        #expect(rules.allows("This way is better than alphabets."))
    }

    @Test func limitsOfTheWholeAnswerAndOfSentencesAreRead() {
        let rules = WritingRules("At most 60 words in all. Sentences of fewer than twenty words.")
        #expect(rules.wordLimit == 60 && rules.sentenceLimit == 18)
    }

    @Test func aLineOnAPropertyIsReadUpToTheNextOne() {
        let rules = WritingRules(
            "- summary: two sentences.\n  The first is short.\n- other: a word. closing: one line.")
        #expect(rules.line(on: "summary") == "two sentences. The first is short.")
        #expect(rules.line(on: "closing") == "one line.")
    }

    @Test func conditionsOnSiblingsAreRead() {
        #expect(FieldHint(description: "only for an mcq, four options", line: "").condition == "mcq")
        let empty = FieldHint(description: "one sentence; empty when the type is none", line: "").emptyCase
        #expect(empty?.sibling == "type" && empty?.value == "none")
        #expect(FieldHint(description: "from 0 (nothing) to 1 (all)", line: "").scale == 0...1)
        #expect(FieldHint(description: "Begin with \"In short,\"", line: "").opening == "In short,")
    }
}
