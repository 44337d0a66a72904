import Testing

@testable import Broker

struct MinifierTests {
    private func script(_ source: String) -> String { scripts(["a.js": source])["a.js"] ?? "" }

    private func scripts(_ sources: [String: String]) -> [String: String] {
        Minifier.scripts(sources.mapValues { Array($0.utf8) }).mapValues { String(decoding: $0, as: UTF8.self) }
    }

    @Test(arguments: [
        ("// Why\nconst a = 1;\nlet b = a + 2;\n", "let a=1,b=a+2;"),
        (
            "/** @param {any} a */\nf((a) => {\n  return a ? \"a  b\" : 'it\\'s // not';\n});\n",
            "f(a=>{return a?\"a  b\":'it\\'s // not'});"
        ),
        ("f(/** @type {any} */ (a), [\n  1,\n  2,\n]);", "f((a),[1,2]);"),
        ("a = b + +c - -d + e++ + f;", "a=b+ +c- -d+e++ +f;"),
        ("typeof a in b", "typeof a in b"),
        ("x = a / b / c; // then\ny = (d) / e;", "x=a/b/c;y=(d)/e;"),
    ])
    func aScriptKeepsWhatABrowserNeeds(source: String, short: String) {
        #expect(script(source) == short)
    }

    @Test func templatesAndRegularExpressionsStayAsTheyAre() {
        #expect(script("a = `x  ${ {b: `${ c } //`} } /* ${ d }  y`;") == "a=`x  ${{b:`${c} //`}} /* ${d}  y`;")
        #expect(script("a.replace( /[/ ;] +\\/ {2}/g , b );") == "a.replace(/[/ ;] +\\/ {2}/g,b);")
    }

    @Test(arguments: [
        ("const long = 1; f(long, a.long, `${long}`);", "let e=1;f(e,a.long,`${e}`);"),
        ("let long = 1; f({long});", "let long=1;f({long});"),
        ("export const long = 1;", "export let long=1;"),
        ("function f(value, [one, ...rest]) { if (one) value(rest); }", "function f(a,[e,...t]){if(e)a(t)}"),
        ("f((value, {name, key: b}) => ({value: name, [value]: b}));", "f((e,{name,key:b})=>({value:name,[e]:b}));"),
        ("const {name, key} = value; f(name, name, key);", "let{name:e,key}=value;f(e,e,key);"),
        (
            "let name = 1; f(name, name, {name, key: {name}, show() {}});",
            "let e=1;f(e,e,{name:e,key:{name:e},show(){}});"
        ),
        ("for (const {name, key: value} of from) f(name, value);", "for(let{name,key:e}of from)f(name,e);"),
        ("const from = 1; get(from);", "let e=1;get(e);"),
        ("f(async (value) => value ? value : {value: 1}, unknown);", "f(async e=>e?e:{value:1},unknown);"),
    ])
    func onlyNamesThatNoOtherModuleSeesAreShortened(source: String, short: String) {
        #expect(script(source) == short)
    }

    @Test func whatModulesImportFromEachOtherHasOneShortName() {
        let short = scripts([
            "a.js": "export const long = 1; export function other(long) { return {long}; } export const screen = long;",
            "b.js": "import {long, other as mine} from \"./a.js\"; f(long, mine, {mine, long: 1}, a.long, screen);",
            "c.js": "import {long} from \"./a.js\"; f(long, () => import(\"./d.js\"));",
        ])
        #expect(short["a.js"] == "export let Z=1;export function Y(Z){return{long:Z}}export let screen=Z;")
        #expect(short["b.js"] == "import{Z,Y}from\"./a.js\";f(Z,Y,{mine:Y,long:1},a.long,screen);")
        #expect(short["c.js"] == "import{Z}from\"./a.js\";f(Z,()=>import(\"./d.js\"));")
    }

    @Test(arguments: [
        // Beside each other, and one within the other without its name.
        ("f((one) => one, (two) => two);", "f(e=>e,e=>e);"),
        ("f((one) => g((two) => two), one);", "f(e=>g(e=>e),e);"),
        (
            "function f(one) { const two = one; } function g(one, two) { return two; }",
            "function f(e){let t=e}function g(e,t){return t}"
        ),
        ("f((one) => `${one} ${g((two) => two)} ${(two) => one}`);", "f(e=>`${e} ${g(t=>t)} ${t=>e}`);"),
        ("function f(one) { const two = 1; return two; }", "function f(t){let e=1;return e}"),
        ("f((one) => { const two = 1; return two; });", "f(t=>{let e=1;return e});"),
        // A name that holds in the other's place keeps its own.
        ("const one = 1; f((two) => two + one);", "let e=1;f(t=>t+e);"),
        (
            "f((one) => { try { one(); } catch (two) { g(one, two); } }, (two) => two);",
            "f(t=>{try{t()}catch(e){g(t,e)}},e=>e);"
        ),
        ("f({show(one, two) { g(one); }}, (one) => one, (two) => two);", "f({show(e,t){g(e)}},e=>e,t=>t);"),
    ])
    func namesThatNeverMeetShareAShortOne(source: String, short: String) {
        #expect(script(source) == short)
    }

    @Test(arguments: [
        ("const a = {b: 1}; let [c] = a; const {d} = a; f(a, c, d);", "let a={b:1},[c]=a,{d}=a;f(a,c,d);"),
        ("export const a = 1; const b = 2; const c = 3;", "export let a=1;let b=2,c=3;"),
        (
            "for (const a of b) { const c = a; let d = c; f(`${() => { const g = d; const h = g; }}`); }",
            "for(let a of b){let c=a,d=c;f(`${()=>{let g=d,h=g}}`)}"
        ),
        (
            "for (let a = 0; a < b; a += 1) f(a); const c = 1; if (c) { f(c); } const d = 2; const e = d;",
            "for(let a=0;a<b;a+=1)f(a);let c=1;if(c){f(c)}let d=2,e=d;"
        ),
    ])
    func declarationsThatFollowEachOtherAreOneStatement(source: String, short: String) {
        #expect(script(source.replacing("const", with: "let")) == script(source))
        #expect(script(source).split { $0.isLetter || $0.isNumber } == short.split { $0.isLetter || $0.isNumber })
    }

    @Test(arguments: ["'", "`${", "/", "/*", "\\", "`a${b}"])
    func anUnfinishedTextEndsWithTheScript(source: String) {
        #expect(script("a = " + source).hasPrefix("a="))
    }

    @Test func aStyleSheetLosesTheSpacesBesideItsMarks() {
        let style =
            "@layer a {\n  b > c { d: 1px 2px, 3px;\n    e: f; }\n  g :hover { h: i; }\n}\n@media (width < 40rem) { j { k: l !important; } }\n"
        let short = String(decoding: Minifier.style(Array(style.utf8)), as: UTF8.self)
        #expect(short == "@layer a{b>c{d:1px 2px,3px;e:f}g :hover{h:i}}@media (width<40rem){j{k:l!important}}")
    }

    @Test func aStyleSheetShortensThePropertiesThatItDeclaresItself() {
        let style =
            ":root { --soft: #fff; --soft-line: #000; }\n"
            + "a { color: var(--soft-line, var(--soft)); width: var(--share); }\n"
        let short = String(decoding: Minifier.style(Array(style.utf8)), as: UTF8.self)
        #expect(short == ":root{--e:#fff;--t:#000}a{color:var(--t,var(--e));width:var(--share)}")
    }
}
