/// Takes out of modules and style sheets what only readers of the sources need: comments, indentation, spaces and marks
/// that say nothing to a browser, and the length of names that no other module knows. It relies on the style of the
/// console's sources: each statement ends with a semicolon, no text goes over the end of a line, and no line begins with
/// a division. The console's tests run on its result.
enum Minifier {
    static func script(_ source: [UInt8]) -> [UInt8] {
        let tokens = ScriptNames.shortened(ScriptToken.all(in: source))
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

    static func style(_ source: [UInt8]) -> [UInt8] {
        let lines = String(decoding: source, as: UTF8.self).split(separator: "\n").map { $0.drop { $0 == " " } }
        var style = lines.joined(separator: "\n")
        for mark in [";", ":", ",", "{", "}"] {
            style = style.replacing(mark + " ", with: mark).replacing(mark + "\n", with: mark)
        }
        return Array(style.replacing(" {", with: "{").replacing(" }", with: "}").replacing(";}", with: "}").utf8)
    }
}
