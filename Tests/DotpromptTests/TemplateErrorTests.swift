import JSON
import TestSupport
import Testing

@testable import Dotprompt

@Suite struct TemplateErrorTests {
    @Test(arguments: [
        ("a\n{{#if x}}\nb", 2, "'if' is not closed"), ("a\n{{/if}}", 2, "not open"),
        ("{{#if x}}\n{{/each}}", 2, "cannot close"),
        ("a\n\n{{else}}", 3, "outside"), ("{{#if x}}{{else}}\n{{else}}{{/if}}", 2, "second"), ("{{name", 1, "}}"),
        ("{{", 1, "}}"),
        ("\n{{name}", 2, "}"), ("{{{name}}", 1, "}}}"), ("{{! open", 1, "comment"), ("{{!-- open }}", 1, "comment"),
        ("{{foo bar}}", 1, "no helper 'foo'"), ("{{foo bar=1}}", 1, "no helper 'foo'"),
        ("{{#foo bar}}{{/foo}}", 1, "no helper 'foo'"),
        ("{{json (foo 1)}}", 1, "no helper 'foo'"), ("{{#if}}{{/if}}", 1, "one argument"),
        ("{{#if a b}}{{/if}}", 1, "one argument"),
        ("{{#ifEquals a}}{{/ifEquals}}", 1, "two arguments"), ("{{if x}}", 1, "#"),
        ("{{#json x}}{{/json}}", 1, "no block helper"),
        ("{{#role 'user'}}{{/role}}", 1, "no block helper"), ("{{role}}", 1, "this.role"),
        ("{{section}}", 1, "this.section"),
        ("{{media}}", 1, "url"), ("{{json}}", 1, "this.json"), ("{{lookup a}}", 1, "lookup"),
        ("{{json (role 'user')}}", 1, "no value"),
        ("{{json 'open}}", 1, "quote"), ("{{a b=1 c}}", 1, "without a name"), ("{{json (lookup a 'b'}}", 1, ")"),
        ("{{a..b}}", 1, ""),
        ("{{a.this}}", 1, "no path"), ("{{a/../b}}", 1, "no path"), ("{{[a}}", 1, "]"),
        ("{{#each a as ||}}{{/each}}", 1, "names"),
        ("{{#each a as |b}}{{/each}}", 1, "|"), ("{{> p a b}}", 1, "one context"),
        ("{{#*other}}{{/other}}", 1, "decorators"),
        ("{{* x}}", 1, "decorators"), ("{{{{raw}}}} x", 1, "raw"), ("{{#> p}}{{else}}{{/p}}", 1, "else"),
        ("{{}}", 1, "name"),
        ("{{#}}{{/}}", 1, "name"), ("{{a,b}}", 1, "','"), ("{{history 1}}", 1, "history"),
    ])
    func aSlipIsReportedWithItsLine(template: String, line: Int, part: String) {
        let error = #expect(throws: PromptError.self) { try Dotprompt.parse(template) }
        #expect(error?.stage == .template)
        #expect(error?.line == line)
        #expect(error?.message.contains(part) == true, "\(String(describing: error))")
    }

    @Test func linesCountFromTheTopOfTheFile() {
        #expect(failure("# license\n\n---\nmodel: m\n---\n\n\nok\n{{#if}}")?.line == 9)
        #expect(failure("---\r\nmodel: m\r\n---\r\nok\r\n{{#if}}")?.line == 5)
        #expect(failure("---\nmodel: m\n---\n\n{{> none}}")?.line == 5)
    }

    @Test(arguments: [
        ("---\nmodel: m\nconfig:\n  a: 1\n  a: 2\n---\nx", 5, "'a' occurs twice"),
        ("---\nmodel: [\n---\nx", 3, "bracket"),
        ("---\n- a\n---\nx", 2, "mapping"), ("---\nname: x\nmodel: 3\n---\nx", 3, "'model' must be a string"),
        ("---\nname: x\ninput: text\n---\nx", 3, "'input' must be an object"),
        ("---\ntools: a\n---\nx", 2, "'tools' must be an array"),
    ])
    func aSlipInFrontMatterIsReportedWithItsLine(source: String, line: Int, part: String) {
        let error = #expect(throws: PromptError.self) { try Dotprompt.parse(source) }
        #expect(error?.stage == .frontMatter)
        #expect(error?.line == line, "\(String(describing: error))")
        #expect(error?.message.contains(part) == true, "\(String(describing: error))")
    }

    @Test func aSchemaThatCannotBeExpandedIsReportedWithItsLine() {
        let error = failure("---\nmodel: m\noutput:\n  schema:\n    a: Unknown\n---\nx")
        #expect(
            error
                == PromptError(
                    .schema, "output schema: 'a' has the type 'Unknown', which is neither a type nor a schema", line: 4)
        )
    }

    @Test(arguments: [
        ("\n{{role r}}", 2, "lower-case"), ("{{media url=u}}", 1, "empty 'url'"),
    ])
    func aSlipOfTheValuesIsReportedWithItsLine(template: String, line: Int, part: String) {
        let error = failure(template, ["r": "Not A Role"])
        #expect(error?.stage == .rendering)
        #expect(error?.line == line)
        #expect(error?.message.contains(part) == true)
        #expect(error?.description.contains("Not A Role") == false)
    }

    @Test func outputBeyondTheLimitIsAnError() throws {
        let limits = RenderLimits(outputSize: 1_000)
        let prompt = try Dotprompt.parse(
            "{{#each list}}{{../text}}{{/each}}", environment: PromptEnvironment(limits: limits))
        let list = JSON.array((0..<100).map { JSON($0) })
        #expect(try prompt.render(input: ["list": list, "text": "short"]).messages.count == 1)
        let error = #expect(throws: PromptError.self) {
            try prompt.render(input: ["list": list, "text": "far too long"])
        }
        #expect(error?.message.contains("1000 bytes") == true)
    }

    @Test(arguments: ["{{#if a}}", "{{#if a}}{{else if b}}", "{{json (lookup ", "{{#> p}}", "{{{{a}}}}"])
    func deepNestingIsRejectedInsteadOfOverflowingTheStack(piece: String) {
        #expect(throws: PromptError.self) { try Dotprompt.parse(String(repeating: piece, count: 3_000)) }
    }

    @Test func brokenTemplatesNeverCrash() {
        let pieces = [
            "{{", "}}", "#if", "/if", "else", " ", "a", "~", "(", ")", "|", "as", "\\", "{", "}", "'", "[", "]", "@",
            "..", "/", ">", "!", "--", "=", "\n", "^", "*inline", "&",
        ]
        var random = SeededRandom(seed: 5)
        for _ in 0..<4_000 {
            let template = "{{" + (0..<12).compactMap { _ in pieces.randomElement(using: &random) }.joined()
            _ = try? render(template, ["a": [1, 2]])
        }
    }
}
