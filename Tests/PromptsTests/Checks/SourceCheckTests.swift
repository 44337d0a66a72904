import JSON
import Testing

@testable import Prompts

private func failures(_ rule: Check.Rule, at path: String, in output: JSON, input: JSON) -> [CheckFailure] {
    Check(rule, path: OutputPath(path)).failures(in: CheckContext(output: output.compact, input: input))
}

/// Checks that compare an answer with the texts that it was made from.
@Suite struct SourceCheckTests {
    private static let text = """
        The “loss function” measures how far
        answers are from the right ones — it isn’t a score. Revenue fell 5% to $1.23 billion.
        """

    @Test(arguments: [
        "measures how far answers are from the right ones", "The \"loss function\" measures", "“loss function”",
        "ones - it isn't a score", "…from the right ones…", "Revenue fell 5%",
    ])
    func aQuotationMayDifferInLooks(quote: String) throws {
        let path = try #require(OutputPath("text"))
        #expect(
            failures(.quoteInSource(path), at: "quote", in: ["quote": JSON(quote)], input: ["text": JSON(Self.text)])
                .isEmpty)
        #expect(SourceText(Self.text).passage(quote) != nil)
    }

    @Test(arguments: [
        "measures how close answers are", "the “loss function”", "oss function", "Revenue fell 50%", "",
        "right ones it",
    ])
    func aTextThatTheSourceDoesNotHaveIsNoQuotation(quote: String) throws {
        let path = try #require(OutputPath("text"))
        let found = failures(
            .quoteInSource(path), at: "quote", in: ["quote": JSON(quote)], input: ["text": JSON(Self.text)])
        #expect(found.map(\.path) == ["quote"])
    }

    @Test func aPassageIsGivenAsTheSourceWritesIt() {
        #expect(
            SourceText(Self.text).passage("loss function\" measures how far answers")
                == "loss function” measures how far\nanswers")
        #expect(SourceText("").passage("a") == nil && SourceText("a").passage("") == nil)
    }

    @Test func figuresOfTheSourcesMayBeRepeatedAndRoundedButNotReversed() throws {
        let sources = [try #require(OutputPath("articles[].text"))]
        let input: JSON = [
            "articles": [["text": JSON(Self.text)], ["text": "It has 1,200 shops and grew by a third."]]
        ]
        func wrong(_ text: String) -> Int {
            failures(.figuresInFacts(exempt: [], sources: sources), at: "a", in: ["a": JSON(text)], input: input).count
        }
        #expect(wrong("Revenue fell 5% to $1.23 billion.") == 0)
        #expect(wrong("Revenue fell to about $1.2 billion, in 1,200 shops.") == 0)
        #expect(wrong("Revenue rose 5%.") == 1)
        #expect(wrong("Revenue fell 6%.") == 1)
        #expect(wrong("Revenue fell to $1.3 billion.") == 1)
        #expect(wrong("It has 1,300 shops.") == 1)
    }

    // MARK: Near duplicates

    @Test(arguments: [
        ("What does the learning rate decide?", "What is decided by the learning rate?", true),
        ("What does the learning rate decide?", "What does the loss function measure?", false),
        ("Why do prices rise?", "Why does a price rise?", true),
        ("Higher rates", "Lower rates", false),
    ])
    func nearDuplicatesAreFound(first: String, second: String, areAlike: Bool) {
        let found = failures(
            .noNearDuplicates(0.75), at: "q[].t", in: ["q": [["t": JSON(first)], ["t": JSON(second)]]], input: [:])
        #expect(found.map(\.path) == (areAlike ? ["q[1].t"] : []))
    }

    // MARK: Recall questions

    private static let choice: JSON = [
        "type": "mcq", "question": "What does a large learning rate lead to?", "answer": "The error grows.",
        "options": ["The error grows.", "Nothing.", "Faster typing.", "Smaller batches."],
    ]

    private func problems(_ change: (inout JSON) -> Void) -> [String] {
        var question = Self.choice
        change(&question)
        return failures(.recallQuestion, at: "questions[]", in: ["questions": [question]], input: [:]).map(\.message)
    }

    @Test func aQuestionWithOneRightOptionPasses() {
        #expect(problems { _ in }.isEmpty)
        #expect(problems { $0 = ["type": "open", "question": "Why?", "answer": "Because.", "options": nil] }.isEmpty)
    }

    @Test func aQuestionNeedsOneRightAnswerAmongDistinctOptions() {
        #expect(problems { $0["answer"] = "Something else." }.contains { $0.contains("one of its options") })
        #expect(problems { $0["options"] = ["The error grows.", "the error grows", "Nothing."] }.count == 2)
        #expect(
            problems { $0["options"] = ["The error grows.", "Nothing.", "Nothing!", "x"] } == [
                "Its options have to differ."
            ])
        #expect(problems { $0["options"] = ["The error grows.", "Nothing."] }.count == 1)
        #expect(problems { $0["options"] = nil }.count == 2)
        #expect(problems { $0["options"] = ["The error grows.", "Nothing.", "x", "All of the above."] }.count == 1)
        #expect(problems { $0["type"] = "open" }.count == 1)
        #expect(problems { $0["type"] = "essay" }.count == 1)
        #expect(problems { $0["question"] = "Tell me." }.count == 1)
    }

    @Test func aQuestionMustNotContainItsAnswer() {
        let told = problems {
            $0 = [
                "type": "open", "question": "Why does the error grow when steps jump over the lowest point?",
                "answer": "Steps jump over the lowest point.",
            ]
        }
        #expect(told == ["It gives its answer away."])
    }

    // MARK: Holdings

    @Test(arguments: [
        ("Since you hold AAPL, this is about your business.", ["AAPL"], true),
        ("Since you own BRK.B and AAPL, it concerns you.", ["AAPL", "BRK.B"], true),
        ("This is about Apple.", ["AAPL"], false),
        ("Since you hold MSFT, it matters.", ["AAPL"], false),
        ("Since you hold AAPL and MSFT, it matters.", ["AAPL"], false),
        ("This is about Apple.", [], true),
        ("Since you hold stocks, it matters.", [], false),
        ("As you own AAPL, it matters.", [], false),
    ])
    func onlyKnownHoldingsMayBeNamed(text: String, holdings: [String], passes: Bool) throws {
        let path = try #require(OutputPath("holdings"))
        let found = failures(
            .holdingsNamed(path), at: "why", in: ["why": JSON(text)], input: ["holdings": JSON(holdings)])
        #expect(found.isEmpty == passes, "\(found)")
    }
}
