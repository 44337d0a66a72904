/// Takes out of modules and style sheets what only readers of the sources need: comments, indentation, spaces and marks
/// that say nothing to a browser, and the length of names that no other module knows. It relies on the style of the
/// console's sources: each statement ends with a semicolon, no text goes over the end of a line, and no line begins with
/// a division. The console's tests run on its result.
enum Minifier {
    /// Modules by their paths, which import only each other.
    static func scripts(_ sources: [String: [UInt8]]) -> [String: [UInt8]] {
        ScriptImports.shortened(sources.mapValues(ScriptToken.all)).mapValues(script)
    }

    private static func script(_ read: [ScriptToken]) -> [UInt8] {
        let tokens = joined(ScriptNames.shortened(read))
        var result: [UInt8] = []
        var last: ScriptToken?
        for (token, next) in zip(tokens, tokens.dropFirst().map(Optional.some) + [nil]) {
            if token.isMark(";"), next?.isMark("}") == true { continue }
            if token.isMark(","), let next, [")", "]", "}"].contains(where: next.isMark) { continue }
            if let last, token.hasSpace {
                let isSign = token.text == last.text && (token.isMark("+") || token.isMark("-"))
                if isSign || (last.isWord && token.isWord) { result.append(UInt8(ascii: " ")) }
            }
            result += token.text
            last = token
        }
        return result
    }

    /// The tokens with `let` for `const` and short values for `true` and `false`, and with one statement for declarations
    /// that follow each other.
    private static func joined(_ tokens: [ScriptToken]) -> [ScriptToken] {
        var result: [ScriptToken] = []
        /// For each open bracket, and for the module, whether the present statement declares something.
        var declares = [false]
        /// Whether the last token ended a statement that declares something.
        var endedOne = false
        for var token in tokens {
            if token.isName("const") { token.text = Array("let".utf8)[...] }
            if result.last?.isMark(".") != true {
                if token.isName("true") { token.text = Array("!0".utf8)[...] }
                if token.isName("false") { token.text = Array("!1".utf8)[...] }
            }
            let beginsStatement = result.last.map { last in [";", "{", "}"].contains(where: last.isMark) } ?? true
            if token.isName("let"), beginsStatement {
                declares[declares.count - 1] = true
                if endedOne {
                    result[result.count - 1].text = Array(",".utf8)[...]
                    endedOne = false
                    continue
                }
            }
            let tail = result.suffix(3).map(\.self)
            if token.isMark("=>"), tail.count == 3, tail[0].isMark("("), tail[1].kind == .name, tail[2].isMark(")") {
                // One name stands without brackets.
                result.removeLast(3)
                result.append(tail[1])
                result[result.count - 1].hasSpace = true
            }
            endedOne = token.isMark(";") && declares[declares.count - 1]
            if token.isMark(";") { declares[declares.count - 1] = false }
            if token.kind == .rest || [")", "]", "}"].contains(where: token.isMark), declares.count > 1 {
                declares.removeLast()
            }
            if token.opensValue || ["(", "[", "{"].contains(where: token.isMark) { declares.append(false) }
            result.append(token)
        }
        return result
    }

    static func style(_ source: [UInt8]) -> [UInt8] {
        let lines = String(decoding: source, as: UTF8.self).split(separator: "\n").map { $0.drop { $0 == " " } }
        var style = lines.joined(separator: "\n")
        for mark in [";", ":", ",", "{", "}"] {
            style = style.replacing(mark + " ", with: mark).replacing(mark + "\n", with: mark)
        }
        for mark in [">=", ">", "<", "!"] {
            style = style.replacing(" " + mark, with: mark).replacing(mark + " ", with: mark)
        }
        style = style.replacing(" {", with: "{").replacing(" }", with: "}").replacing(";}", with: "}")
        return Array(withShortProperties(style).utf8)
    }

    /// Shortens the custom properties that the style sheet declares itself. Those that only modules set keep their names.
    private static func withShortProperties(_ style: String) -> String {
        let declared = Set(style.matches(of: #/[{;](--[a-z0-9-]+):/#).map { $0.output.1 })
        var short: [Substring: String] = [:]
        return style.replacing(#/--[a-z][a-z0-9-]*/#) { match in
            guard declared.contains(match.output) else { return String(match.output) }
            let name =
                short[match.output] ?? "--" + ScriptNames.letters[short.count % 26]
                + String(repeating: "a", count: short.count / 26)
            short[match.output] = name
            return name
        }
    }
}
