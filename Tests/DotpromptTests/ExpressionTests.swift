import JSON
import Testing

@testable import Dotprompt

@Suite struct ExpressionTests {
    private static let input: JSONObject = [
        "name": "Ann", "zero": 0, "no": false, "yes": true, "nothing": nil, "empty": "", "list": ["a", "b", "c"],
        "deep": ["a": ["b": ["c": 7]], "x-y": 1, "two words": 2], "price": 1.50, "html": "<b>&\"'</b>", "one": 1,
        "nested": [[1, 2], [3, nil]], "object": ["k": ["v"]], "index": 2, "key": "a", "objects": [["n": 1], ["n": 2]],
    ]

    @Test(arguments: [
        ("{{name}}", "Ann"), ("{{ name }}!", "Ann!"), ("{{{name}}}", "Ann"), ("{{{ name }}}", "Ann"),
        ("{{&name}}", "Ann"),
        ("{{& name }}", "Ann"), ("{{html}}{{{html}}}", "<b>&\"'</b><b>&\"'</b>"), ("x{{missing}}y", "xy"),
        ("x{{nothing}}y", "xy"), ("{{zero}}", "0"), ("{{no}}", "false"), ("{{yes}}", "true"), ("x{{empty}}", "x"),
        ("{{price}}", "1.5"), ("{{list}}", "a,b,c"), ("{{nested}}", "1,2,3,"), ("{{object}}", #"{"k":["v"]}"#),
        ("{{deep.a.b.c}}", "7"), ("{{deep/a/b/c}}", "7"), ("{{deep.x-y}}", "1"), ("{{deep.[two words]}}", "2"),
        ("{{[name]}}", "Ann"), ("{{deep.a.missing.c}}x", "x"), ("{{name.first}}x", "x"), ("{{list.length}}", "3"),
        ("{{name.length}}", "3"), ("{{list.[1]}}", "b"), ("{{list.1}}", "b"), ("{{list.[9]}}x", "x"),
        ("{{objects.[1].n}}", "2"), ("{{this.name}}", "Ann"), ("{{./name}}", "Ann"), ("{{this/name}}", "Ann"),
        ("{{@root.name}}", "Ann"), ("{{../name}}x", "x"), ("{{'name'}}", "Ann"), ("{{\"name\"}}", "Ann"),
        ("{{lookup list index}}", "c"), ("{{lookup list 0}}", "a"), ("{{lookup deep.a 'b'}}", #"{"c":7}"#),
        ("{{lookup missing 'x'}}y", "y"), ("{{lookup (lookup deep key) 'b'}}", #"{"c":7}"#),
        ("{{json (lookup deep key)}}", #"{"b":{"c":7}}"#), ("{{json list}}", #"["a","b","c"]"#),
        ("{{json name}}", #""Ann""#),
        ("{{json missing}}", "null"), ("{{json nothing}}", "null"), ("{{json 'a'}}", #""a""#),
        ("{{json -1.5}}", "-1.5"),
        ("{{json true}}{{json null}}", "truenull"), ("{{json 'it\\'s'}}", #""it's""#),
        ("{{json \"a\\\"b\"}}", #""a\"b""#),
        ("{{json nested indent=2}}", "[\n  [\n    1,\n    2\n  ],\n  [\n    3,\n    null\n  ]\n]"),
        ("{{json object indent='--'}}", "{\n--\"k\": [\n----\"v\"\n--]\n}"),
        ("{{json object indent=0}}", #"{"k":["v"]}"#),
        ("x{{log name}}", "x"), ("x{{log}}", "x"), ("{{! a comment }}x", "x"), ("{{!-- a }} comment --}}x", "x"),
        ("{{!}}x", "x"), ("{{!--}}x", "x"), ("x {{~! c ~}} y", "xy"), ("x {{~!-- c --~}} y", "xy"),
        ("a } b }} c", "a } b }} c"),
        ("a { b", "a { b"), ("\\{{name}}", "{{name}}"), ("\\\\{{name}}", "\\Ann"), ("\\{{a}} {{name}}", "{{a}} Ann"),
        ("\\{{a}}\\{{b}}", "{{a}}{{b}}"), ("a\\b {{name}}", "a\\b Ann"), ("{{deep.[x-y]}}", "1"), ("{{1}}x", "x"),
        ("{{name.[0]}}{{lookup name 1}}{{lookup name 9}}x", "Anx"), ("{{lookup no 'x'}}", "false"),
        ("{{name?}}x", "x"), ("{{#object as |o|}}{{o}}{{/object}}x", "x"),
        ("{{#each list}}{{#ifEquals x.y z}}=/{{else}}≠{{/ifEquals}}{{/each}}", "=/=/=/"),
        (
            "{{#ifEquals nothing.a null}}=/{{else}}≠{{/ifEquals}}{{#ifEquals missing.a null}}=/{{else}}≠{{/ifEquals}}",
            "=/≠"
        ),
        ("{{#ifEquals nothing missing}}=/{{else}}≠{{/ifEquals}}", "≠"),
        ("{{{{raw}}}} {{name}} {{{{/raw}}}}", " {{name}} "), ("{{{{raw}}}}{{#if}}{{{{/raw}}}}x", "{{#if}}x"),
    ])
    func anExpressionBecomesText(template: String, text: String) throws {
        #expect(try render(template, Self.input) == text)
    }

    @Test(arguments: [
        ("{{#if name}}A{{/if}}", "A"), ("{{#if zero}}A{{else}}B{{/if}}", "B"), ("{{#if empty}}A{{else}}B{{/if}}", "B"),
        ("{{#if nothing}}A{{^}}B{{/if}}", "B"), ("{{#if missing}}A{{/if}}x", "x"),
        ("{{#if zero includeZero=true}}A{{/if}}", "A"),
        ("{{#if none}}A{{else if zero}}B{{else if name}}C{{else}}D{{/if}}", "C"), ("{{#if object}}A{{/if}}", "A"),
        ("{{#if none}}A{{else if none}}B{{else}}D{{/if}}", "D"), ("{{#unless none}}A{{else}}B{{/unless}}", "A"),
        ("{{#unless name}}A{{else}}B{{/unless}}", "B"), ("{{^if name}}A{{else}}B{{/if}}", "B"),
        ("{{^if none}}A{{/if}}", "A"),
        ("{{#if none}}A{{else unless name}}B{{else}}C{{/if}}", "C"), ("{{#if (lookup list 0)}}A{{/if}}", "A"),
        ("{{#each list}}{{this}}{{/each}}", "abc"),
        ("{{#each list}}{{@index}}{{.}}{{#unless @last}},{{/unless}}{{/each}}", "0a,1b,2c"),
        ("{{#each list}}{{#if @first}}<{{/if}}{{@key}}{{/each}}", "<012"), ("{{#each none}}A{{else}}B{{/each}}", "B"),
        ("{{#each deep.a.b}}{{@key}}={{this}}{{/each}}", "c=7"), ("{{#each name}}A{{else}}B{{/each}}", "B"),
        ("{{#each list as |item i|}}{{i}}{{item}}{{../name}};{{/each}}", "0aAnn;1bAnn;2cAnn;"),
        ("{{#each objects}}{{n}}{{../name}}{{@root.one}}{{/each}}", "1Ann12Ann1"),
        ("{{#each nested}}{{#each this}}{{@../index}}{{@index}} {{/each}}{{/each}}", "00 01 10 11 "),
        ("{{#each nested}}{{#each this}}{{../length}}{{../../name}} {{/each}}{{/each}}", "2Ann 2Ann 2Ann 2Ann "),
        ("{{#each objects}}{{#if n}}{{../name}}{{/if}}{{/each}}", "AnnAnn"),
        ("{{#with deep.a}}{{b.c}}{{../name}}{{/with}}", "7Ann"),
        ("{{#with none}}A{{else}}{{name}}{{/with}}", "Ann"), ("{{#with zero}}{{this}}{{/with}}", "0"),
        ("{{#with deep.a as |q|}}{{q.b.c}}{{/with}}", "7"), ("{{#with this}}{{name}}{{/with}}", "Ann"),
        ("{{#list}}{{this}}{{/list}}", "abc"), ("{{#deep}}{{a.b.c}}{{/deep}}", "7"), ("{{#none}}A{{/none}}x", "x"),
        ("{{#none}}A{{else}}B{{/none}}", "B"), ("{{^none}}B{{/none}}", "B"), ("{{^list}}A{{/list}}x", "x"),
        ("{{#yes}}{{name}}{{/yes}}", "Ann"), ("{{#no}}A{{^}}B{{/no}}", "B"), ("{{#ifEquals one 1}}A{{/ifEquals}}", "A"),
        ("{{#ifEquals name 'Ann'}}A{{else}}B{{/ifEquals}}", "A"),
        ("{{#ifEquals missing nothing}}A{{else}}B{{/ifEquals}}", "B"),
        ("{{#ifEquals one '1'}}A{{else ifEquals one 1}}C{{else}}B{{/ifEquals}}", "C"),
        ("{{#unlessEquals name 'Bob'}}A{{/unlessEquals}}", "A"), ("{{#ifEquals missing undefined}}A{{/ifEquals}}", "A"),
        ("{{#each list as |role|}}{{role}}{{/each}}", "abc"),
        ("{{#each list}}{{#each ../list}}{{this}}{{/each}};{{/each}}", "abc;abc;abc;"),
        ("{{#each (lookup this 'list')}}{{this}}{{/each}}", "abc"), ("{{#if name}}{{else}}{{/if}}x", "x"),
    ])
    func aBlockChoosesAndRepeats(template: String, text: String) throws {
        #expect(try render(template, Self.input) == text)
    }

    @Test func numbersAreWrittenLikeJavaScriptDoesWithoutLosingDigits() throws {
        let numbers = [
            "1.0": "1", "391035000000000": "391035000000000", "1e21": "1e+21", "0.000001": "0.000001",
            "1.5e-7": "1.5e-7", "-0": "0", "12345678901234567890": "12345678901234567890",
        ]
        for (literal, text) in numbers {
            let value = try JSON(parsing: literal)
            #expect(try render("{{n}} {{json n}}", ["n": value]) == "\(text) \(text)")
        }
    }

    @Test func jsonEscapesLikeJavaScript() throws {
        #expect(try render("{{json t}}", ["t": "\"\\/\u{08}\u{0C}\n\t\u{01}é😀"]) == #""\"\\/\b\f\n\t\u0001é😀""#)
    }

    @Test func contextVariablesStartWithAnAt() throws {
        let context: JSONObject = ["state": ["n": 3], "auth": ["email": "a@b"]]
        #expect(try render("{{@state.n}} {{@auth.email}} {{@none.x}}|{{state}}", context: context) == "3 a@b |")
        #expect(try render("{{#each l}}{{@state.n}}{{/each}}", ["l": [1, 2]], context: context) == "33")
    }

    @Test func metadataCanBeRead() throws {
        let prompt = try Dotprompt.parse(
            "---\nmodel: m\nconfig: {t: 1}\n---\n{{@metadata.prompt.model}} {{@metadata.prompt.config.t}} {{@metadata.docs.[0]}} {{@metadata.messages.length}}"
        )
        #expect(try prompt.render(docs: ["d"]).messages.first?.text == "m 1 d 0")
    }

    @Test func customHelpersMakeValues() throws {
        let environment = PromptEnvironment(helpers: [
            "upper": { arguments, _ in .string(arguments[0]?.string?.uppercased() ?? "") },
            "join": { arguments, named in
                .string(
                    (arguments[0]?.array ?? []).compactMap(\.string).joined(separator: named["with"]?.string ?? ","))
            },
        ])
        let prompt = try Dotprompt.parse(
            "{{upper (join list with='-')}} {{#if (upper name)}}y{{/if}}", environment: environment)
        #expect(try prompt.render(input: ["list": ["a", "b"], "name": "x"]).messages.first?.text == "A-B y")
    }
}
