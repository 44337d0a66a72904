import JSON
import Testing

@testable import Prompts

/// The line `subject:` of a kind of jobs.
@Suite struct SubjectTests {
    /// The kind of the sample with a line `subject:` and some more members of the input.
    private static func bundle(_ subject: String) throws -> Bundle {
        var files = SampleFiles.files
        files["jobs/report.yaml"] = SampleFiles.job.replacing("tier: deep", with: "tier: deep\nsubject: \(subject)")
            .replacing(
                "    ticker: {type: string}",
                with: """
                        ticker: {type: string}
                        persona: {type: string}
                        article_id: {type: string}
                        page: {type: integer}
                        share: {type: number}
                        form: {enum: [phone, watch]}
                        articles: {type: array, items: {type: object, properties: {title: {type: string}}}}
                    """)
        return try Bundle(files: files, rules: SampleFiles.rules)
    }

    private static func subject(
        _ template: String, _ input: JSON, _ titles: [SubjectTemplate.Known: String] = [:]
    ) throws -> String? {
        let bundle = try bundle(template)
        let kind = try #require(bundle.kinds["report"])
        return kind.subject(of: input, personas: bundle.personas, known: titles)
    }

    @Test func aSubjectIsMadeOfTheInputAndOfThePersonasName() throws {
        let template = #""{{ticker}} as {{persona.name}}""#
        #expect(try Self.subject(template, ["ticker": "AAPL", "persona": "ann"]) == "AAPL as Ann")
        #expect(try Self.subject(template, ["ticker": "AAPL", "persona": "nobody"]) == nil)
        #expect(try Self.subject(template, ["persona": "ann"]) == nil)
        #expect(try Self.subject(#""Page {{page}}, {{form}}""#, ["page": 7, "form": "watch"]) == "Page 7, watch")
        #expect(try Self.subject(#""{{articles.1.title}}""#, ["articles": [[:], ["title": "Rates"]]]) == "Rates")
        #expect(try Self.subject(#""{{articles.2.title}}""#, ["articles": [[:], ["title": "Rates"]]]) == nil)
        #expect(try Self.subject("A plain line", [:]) == "A plain line")
    }

    @Test func theFirstAlternativeWithAllItsValuesCounts() throws {
        let template = #"["{{article.title}}", "Article {{article_id}}", An article]"#
        #expect(try Self.subject(template, ["article_id": "a1"], [.articleTitle: "Rates hold"]) == "Rates hold")
        #expect(try Self.subject(template, ["article_id": "a1"]) == "Article a1")
        #expect(try Self.subject(template, ["article_id": " "]) == "An article")
        #expect(try Self.subject(template, [:]) == "An article")
    }

    @Test func anAddressIsShownWithoutNameAndPasswordAndAnotherTextIsNot() throws {
        let template = #""{{address ticker}}""#
        let subject = { (text: String) in try Self.subject(template, ["ticker": JSON(text)]) }
        #expect(try subject("https://example.com/a?b=1#c") == "https://example.com/a?b=1#c")
        #expect(try subject("HTTPS://ann:secret@example.com/a@b") == "https://example.com/a@b")
        #expect(try subject("https://example.com secret words") == nil)
        #expect(try subject("My secret text") == nil)
        #expect(try subject("https://") == nil)
    }

    @Test func aSubjectIsOneLineOfBoundedLengthWithoutControlCharacters() throws {
        let template = #""{{ticker}}""#
        #expect(try Self.subject(template, ["ticker": "a\u{0}\n\u{202E}b\t c"]) == "a b c")
        let long = try #require(try Self.subject(template, ["ticker": JSON(String(repeating: "é🏦", count: 50_000))]))
        #expect(long.unicodeScalars.count == SubjectTemplate.longest && long.hasSuffix("…"))
    }

    @Test(arguments: [
        (#""{{tikker}}""#, "'tikker' is no text or whole number of the input"),
        (#""{{share}}""#, "'share' is no text or whole number of the input"),
        (#""{{articles}}""#, "'articles' is no text or whole number of the input"),
        (#""{{articles.-1.title}}""#, "'articles.-1.title' is no text or whole number of the input"),
        (#""{{articles.0.text}}""#, "'articles.0.text' is no text or whole number of the input"),
        (#""{{address page}}""#, "'page' is no text of the input"),
        (#""{{story.title}}""#, "'{{story.title}}' needs a member 'story_id' of the input"),
        (#""{{upper ticker}}""#, "'{{upper ticker}}' is no value"),
        (#""{{}}""#, "'{{}}' is no value"),
        (#""{{ticker""#, "a '{{' has no '}}'"),
        (#""ticker}}""#, "a '}}' has no '{{'"),
        ("[]", "'subject' must have 1 to 8 alternatives"),
        (#"["{{ticker}}", 7]"#, "'subject[1]' must be text, not a number"),
    ])
    func aWrongTemplateIsAProblemOfItsLine(_ template: String, _ expected: String) throws {
        let problems = #expect(throws: BundleProblems.self) { try Self.bundle(template) }?.problems ?? []
        #expect(problems.map(\.message) == [expected])
        #expect(problems.allSatisfy { $0.file == "jobs/report.yaml" && $0.line != nil && !$0.fix.isEmpty })
    }
}
