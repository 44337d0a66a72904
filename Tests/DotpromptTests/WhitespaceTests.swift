import JSON
import Testing

@testable import Dotprompt

@Suite struct WhitespaceTests {
    private static let input: JSONObject = ["a": true, "n": nil, "list": [1, 2], "x": "X"]

    @Test(arguments: [
        ("1\n{{#if a}}\n2\n{{/if}}\n3", "1\n2\n3"), ("1\n  {{#if a}}  \n2\n  {{/if}}  \n3", "1\n2\n3"),
        ("1\r\n{{#if a}}\r\n2\r\n{{/if}}\r\n3", "1\r\n2\r\n3"), ("1 {{#if a}}\n2\n{{/if}} 3", "1 \n2\n 3"),
        ("{{#if n}}\n1\n{{else}}\n2\n{{/if}}\n", "2\n"), ("{{#if a}}\n1\n  {{else}}  \n2\n{{/if}}\n", "1\n"),
        ("{{#if n}}\n1\n{{else if a}}\n2\n{{else}}\n3\n{{/if}}\n4", "2\n4"),
        ("{{#each list}}\n- {{this}}\n{{/each}}\nend", "- 1\n- 2\nend"),
        ("{{#each list}}\n\n- {{this}}\n\n{{/each}}", "\n- 1\n\n\n- 2\n\n"),
        ("1\n{{! note }}\n2", "1\n2"), ("1\n  {{!-- note --}}  \n2", "1\n2"), ("1 {{! note }}\n2", "1 \n2"),
        ("{{! first }}\n2", "2"), ("1\n{{! last }}", "1\n"), ("1\n{{x}}\n2", "1\nX\n2"), ("1 \n {{~x~}} \n 2", "1X2"),
        ("1 {{~#if a~}} 2 {{~/if~}} 3", "123"), ("1 {{#if a~}} 2 {{~/if}} 3", "1 2 3"),
        ("1 {{~#if a}} 2 {{/if~}} 3", "1 2 3"),
        ("1 {{#if n}} 2 {{~else~}} 3 {{/if}} 4", "1 3  4"), ("1 {{#if a}} 2 {{~^~}} 3 {{/if}} 4", "1  2 4"),
        ("1 {{~{x}~}} 2", "1X2"), ("1 {{~&x~}} 2", "1X2"), ("{{#if a}}\n{{#if a}}\n1\n{{/if}}\n{{/if}}\n2", "1\n2"),
        ("{{#if a}}\n\n{{/if}}x", "\nx"), ("\u{A0}{{~x~}}\u{3000}y", "Xy"), ("{{#if a}} \n{{/if}} \n", ""),
        ("{{#if a}}1{{/if}}\n2", "1\n2"), ("{{#if n}}\n{{/if}}\n{{x}}", "X"),
        ("a\n\n{{#if a}}\nb\n{{/if}}\n\nc", "a\n\nb\n\nc"),
        ("\t{{#if a}}\t\n1\n\t{{/if}}\t\n", "1\n"), ("{{^if a}}\n1\n{{else}}\n2\n{{/if}}\n3", "2\n3"),
        ("{{#if a}}\n1{{/if}}\n2", "1\n2"), ("{{#*inline \"p\"}}\nx\n{{/inline}}\n1", "1"),
    ])
    func tagsTakeTheirLinesAndTildesTheirSpace(template: String, text: String) throws {
        #expect(try render(template, Self.input) == text)
    }

    @Test(arguments: [
        ("{{> p}}\nend", "hi", "hiend"), ("{{> p}}\nend", "hi\n", "hi\nend"), ("1 {{> p}}\n2", "hi", "1 hi\n2"),
        ("1\n  {{> p}}\n2", "a\nb\n", "1\n  a\n  b\n2"), ("1\n\t{{> p}}\n2", "a\n\nb", "1\n\ta\n\t\n\tb2"),
        ("1\n  {{> p}}\n2", "", "1\n2"), ("  {{> p}}", "a\n{{x}}\n", "  a\n  X\n"), ("1 {{~> p ~}} 2", " a ", "1 a 2"),
        ("1\n  {{> p}}\n2", "{{#each list}}\n{{this}}\n{{/each}}\n", "1\n  1\n  2\n2"),
        ("  {{> p}}\n", "{{multi}}", "  a\n  b"),
    ])
    func aPartialAloneOnItsLineIsIndented(template: String, partial: String, text: String) throws {
        var input = Self.input
        input["multi"] = "a\nb"
        #expect(try render(template, input, partials: ["p": partial]) == text)
    }

    @Test func indentsOfPartialsWithinPartialsAddUp() throws {
        let partials = ["outer": "o\n  {{> inner}}\nend\n", "inner": "i\nj\n"]
        #expect(try render("1\n {{> outer}}\n2", partials: partials) == "1\n o\n   i\n   j\n end\n2")
    }

    @Test func theBodyAfterFrontMatterIsTrimmedAndAPlainTemplateIsNot() throws {
        #expect(try render("---\nmodel: m\n---\n\n  a {{x}}\n\n", ["x": "b "]) == "a b ")
        #expect(try render("\n  a\n") == "\n  a\n")
    }
}
