import JSON
import Testing

@testable import Dotprompt

@Suite struct PartialTests {
    @Test(
        arguments: [
            ("{{> p}}", ["p": "{{name}}"], "Ann"), ("{{> p name='Bob'}}", ["p": "{{name}}{{one}}"], "Bob1"),
            ("{{> p other}}", ["p": "{{n}}{{name}}"], "2"), ("{{> p other name='x'}}", ["p": "{{n}}{{name}}"], "2x"),
            ("{{> dir/p}}{{> dir.p}}", ["dir/p": "1", "dir.p": "2"], "12"),
            ("{{> 'a b'}}{{> [c d]}}", ["a b": "1", "c d": "2"], "12"),
            ("{{> (lookup this 'which')}}", ["p": "P"], "P"),
            ("{{#each list}}{{> p}}{{/each}}", ["p": "{{this}}{{@index}}{{@root.name}};"], "a0Ann;b1Ann;"),
            ("{{#with other}}{{> p}}{{/with}}", ["p": "{{../name}}|{{@root.name}}"], "|Ann"),
            ("{{#each list as |item|}}{{> p}}{{/each}}", ["p": "{{item}}{{this}}"], "ab"),
            ("{{#> none}}default {{name}}{{/none}}", [:], "default Ann"),
            ("{{#> p}}inside {{name}}{{/p}}", ["p": "[{{> @partial-block}}]"], "[inside Ann]"),
            ("{{#> p}}x{{/p}}", ["p": "plain"], "plain"),
            ("{{#> p other}}{{n}}{{/p}}", ["p": "{{> @partial-block}}{{> @partial-block}}"], "22"),
            ("{{#> p}}{{#> p}}in{{/p}}{{/p}}", ["p": "({{> @partial-block}})"], "((in))"),
            ("{{#> p}}x{{/p}}{{> p}}", ["p": "{{#if @partial-block}}{{> @partial-block}}{{else}}none{{/if}}"], "xnone"),
            ("{{#*inline 'i'}}[{{name}}{{n}}]{{/inline}}{{> i}}{{> i other}}", [:], "[Ann][2]"),
            ("{{> i}}{{#*inline 'i'}}late{{/inline}}", [:], "late"),
            ("{{#*inline 'p'}}in{{/inline}}{{> p}}", ["p": "out"], "in"),
            ("{{#> p}}{{#*inline 'nav'}}NAV{{/inline}}{{/p}}", ["p": "<{{> nav}}>"], "<NAV>"),
            ("{{#each list}}{{#*inline 'i'}}{{this}}{{../name}}{{/inline}}{{> i}}{{/each}}", [:], "aAnnbAnn"),
            ("{{#if one}}{{#*inline 'i'}}A{{/inline}}{{/if}}{{#> i}}B{{/i}}", [:], "B"),
            ("{{> tree tree}}", ["tree": "{{v}}{{#each kids}}({{> tree}}){{/each}}"], "1(2(3))(4)"),
        ] as [(String, [String: String], String)])
    func partialsSeeTheirArguments(template: String, partials: [String: String], text: String) throws {
        let input: JSONObject = [
            "name": "Ann", "one": 1, "other": ["n": 2], "which": "p", "list": ["a", "b"],
            "tree": ["v": 1, "kids": [["v": 2, "kids": [["v": 3]]], ["v": 4]]],
        ]
        #expect(try render(template, input, partials: partials) == text)
    }

    @Test(arguments: [
        ["a": "{{> a}}"], ["a": "1{{> b}}", "b": "{{#if x}}{{> a}}{{/if}}"],
        ["a": "{{> b}}", "b": "{{> c}}", "c": "{{> a}}"],
    ])
    func aCircleOfPartialsIsAnErrorThatShowsIt(partials: [String: String]) {
        let error = failure("\n{{> a}}", ["x": 1], partials: partials)
        #expect(error?.message.contains("circle: a → ") == true, "\(String(describing: error))")
        #expect(error?.partial != nil)
    }

    @Test func aCircleThatChangesItsContextEndsAtTheDepthLimit() {
        let error = failure("{{> a}}", partials: ["a": "{{> a n=this}}"])
        #expect(error?.message.contains("deeper") == true, "\(String(describing: error))")
    }

    @Test func partialsThatDoubleAtEveryLevelEndAtTheStepLimit() throws {
        var partials = ["p0": "{{x}}"]
        for level in 1..<40 { partials["p\(level)"] = "{{> p\(level - 1)}}{{> p\(level - 1)}}" }
        let environment = PromptEnvironment(partials: try Partials(partials), limits: RenderLimits(steps: 10_000))
        let prompt = try Dotprompt.parse("{{> p39}}", environment: environment)
        let error = #expect(throws: PromptError.self) { try prompt.render() }
        #expect(error?.message.contains("steps") == true, "\(String(describing: error))")
    }

    @Test func aMissingPartialIsNamedWithTheLineOfItsCall() {
        #expect(failure("a\n{{> none}}") == PromptError(.rendering, "there is no partial 'none'", line: 2))
        #expect(
            failure("{{> p}}", partials: ["p": "\n\n{{> q}}"])
                == PromptError(.rendering, "there is no partial 'q'", line: 3, partial: "p"))
        #expect(
            failure("{{> p}}", partials: ["p": "{{> @partial-block}}"])?.message.contains("without a block") == true)
    }

    @Test func anErrorInAPartialNamesThePartial() {
        let error = #expect(throws: PromptError.self) { try Partials(["p": "a\n{{#if}}"]) }
        #expect(error?.description == "partial 'p', line 2: '#if' needs one argument")
    }

    @Test func callsOfPartialsAreKnownBeforeRendering() throws {
        let prompt = try Dotprompt.parse(
            "---\nmodel: m\n---\n{{> a}}\n{{#if x}}{{> b c=1}}{{/if}}{{> a}}{{> (lookup . 'x')}}")
        #expect(
            prompt.partialReferences == [PartialReference(name: "a", line: 4), PartialReference(name: "b", line: 5)])
    }
}
