import JSON
import Testing

@testable import Prompts

/// Marks up to which a provider keeps a prompt.
@Suite struct CacheMarkTests {
    private static let checks = "dossier.checks:\n"
    private static let tail = "{{fenced text as=\"article\"}}\n{{/each}}\n"

    /// The sample prompt with a mark after the question's company and articles, and other parts replaced.
    private static func files(_ cache: String, _ changes: [(String, String)] = []) -> [String: String] {
        var prompt = SampleFiles.prompt
            .replacing("    articles?(array):", with: "    question?: string\n    articles?(array):")
            .replacing(checks, with: cache + checks)
            .replacing(tail, with: tail + "{{cache_mark \"articles\"}}\nThe question: {{question}}\n")
        for (old, new) in changes { prompt = prompt.replacing(old, with: new) }
        var files = SampleFiles.files
        files["prompts/report.prompt"] = prompt
        return files
    }

    private static let good = "dossier.cache:\n  articles: {inputs: [company, articles], reads: 0.5}\n"

    private static func problems(_ files: [String: String]) -> [String] {
        do {
            _ = try SampleFiles.bundle(files)
            return []
        } catch {
            return error.problems.map(\.description)
        }
    }

    @Test func aMarkDividesAMessageWithoutChangingItsText() throws {
        let prompt = try #require(try SampleFiles.bundle(Self.files(Self.good)).prompts["report"])
        #expect(prompt.cacheMarks == ["articles": CacheMarkRule(inputs: ["company", "articles"], reads: 0.5)])
        let message = try prompt.render(input: ["company": "Acme", "question": "Why?"]).messages[0]
        #expect(
            message.parts == [
                .text("Tell me about Acme."), .cacheMark("articles"), .text("\nThe question: Why?"),
            ])
        #expect(message.text == "Tell me about Acme.\nThe question: Why?")
    }

    @Test func blanksBeforeAMarkBelongToWhatFollows() throws {
        func parts(_ template: String, _ question: String?) throws -> [RenderedModelPrompt.Message.Part] {
            let files = Self.files(Self.good, [("\nThe question: {{question}}\n", template)])
            let prompt = try #require(try SampleFiles.bundle(files).prompts["report"])
            var input: JSON = ["company": "Acme"]
            if let question { input["question"] = JSON(question) }
            return try prompt.render(input: input).messages[0].parts
        }
        let template = "\n{{#if question}}\n\n{{question}}\n{{/if}}\n"
        let alone = try parts(template, nil)
        #expect(alone == [.text("Tell me about Acme."), .cacheMark("articles")])
        #expect(try parts(template, "Why?").prefix(2) == alone[...])
    }

    @Test(arguments: [
        (
            "dossier.cache:\n  articles: {inputs: [articles]}\n",
            "'company' varies before the mark 'articles' (move it behind '{{cache_mark \"articles\"}}', or add it to 'inputs')"
        ),
        (
            "dossier.cache:\n  articles: {inputs: [company]}\n",
            "'articles' varies before the mark 'articles' (move it behind '{{cache_mark \"articles\"}}', or add it to 'inputs')"
        ),
        (
            "",
            "the mark 'articles' has no entry in 'dossier.cache' (write 'dossier.cache: {articles: {inputs: [...]}}', naming the inputs before it)"
        ),
        (
            good + "  draft: {inputs: []}\n",
            "the template has no mark 'draft' (write '{{cache_mark \"draft\"}}', or remove it)"
        ),
        (
            "dossier.cache:\n  articles: {inputs: [company, artikles]}\n",
            "there is no input 'artikles' (did you mean 'articles'?)"
        ),
        ("dossier.cache:\n  articles: {inputs: [company, articles], reads: -1}\n", "(write a number from 0 to 100)"),
    ])
    func whatVariesBeforeAMarkIsNamed(_ cache: String, _ expected: String) {
        let problems = Self.problems(Self.files(cache))
        #expect(problems.contains { $0.hasPrefix("prompts/report.prompt:") && $0.hasSuffix(expected) }, "\(problems)")
    }

    @Test func whatVariesIsFoundInConditionsPartialsAndInstructions() {
        #expect(Self.problems(Self.files(Self.good)).isEmpty)
        for change in [
            ("Tell me about", "{{#if question}}Now, {{/if}}tell me about"),
            ("Tell me about", "{{#unless question}}Now, {{/unless}}tell me about"),
            ("{{> style}}", "{{> style}} {{question}}"),
        ] {
            let problems = Self.problems(Self.files(Self.good, [change]))
            #expect(problems.contains { $0.contains("'question' varies before the mark 'articles'") }, "\(problems)")
        }
    }

    @Test func aMarkInTheInstructionsIsRefused() {
        let problems = Self.problems(Self.files(Self.good, [("{{> style}}", "{{> style}}\n{{cache_mark \"rules\"}}")]))
        #expect(problems.contains { $0.contains("a cache_mark stands before '{{role \"user\"}}'") }, "\(problems)")
    }

    @Test func aMarkNeedsANameInQuotationMarks() {
        let problems = Self.problems(Self.files(Self.good, [("{{cache_mark \"articles\"}}", "{{cache_mark}}")]))
        #expect(problems.contains { $0.contains("'cache_mark' needs one name in quotation marks") }, "\(problems)")
    }
}
