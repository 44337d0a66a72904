/// A part of a module that spaces separate or could separate.
struct ScriptToken {
    enum Kind {
        case name, number, expression, text, mark
        /// A template up to its end or to a value in it, and behind such a value.
        case template, rest
    }

    var kind: Kind
    var text: ArraySlice<UInt8>
    /// Whether a space or a comment precedes it.
    var hasSpace: Bool

    /// Whether it needs a space between itself and another such token.
    var isWord: Bool { kind == .name || kind == .number || kind == .expression }
    /// Whether it ends with a value of a template, which goes on behind it.
    var opensValue: Bool { (kind == .template || kind == .rest) && text.last == UInt8(ascii: "{") }

    func isMark(_ mark: String) -> Bool { kind == .mark && text.elementsEqual(mark.utf8) }

    func isName(_ name: String) -> Bool { kind == .name && text.elementsEqual(name.utf8) }

    /// Its text, if it is a name; else nothing.
    var name: String { kind == .name ? String(decoding: text, as: UTF8.self) : "" }

    static func all(in source: [UInt8]) -> [ScriptToken] {
        var reader = Reader(source: source)
        while let token = reader.next() { reader.tokens.append(token) }
        return reader.tokens
    }

    private struct Reader {
        let source: [UInt8]
        var place = 0
        var tokens: [ScriptToken] = []
        /// For each value of a template that is open, the braces that are open in it.
        var braces: [Int] = []

        /// Marks of more than one character that must not be taken for several ones.
        private static let longMarks = ["...", "=>", "?."].map { Array($0.utf8) }
        /// Marks after which a slash begins a regular expression.
        private static let beforeExpression = Set("(,=:[!&|?{};>".utf8)
        private static let letters = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_$".utf8)
        private static let digits = Set("0123456789".utf8)

        mutating func next() -> ScriptToken? {
            let before = place
            skipSpace()
            guard place < source.count else { return nil }
            let start = place
            let kind = take()
            place = min(place, source.count)
            return ScriptToken(kind: kind, text: source[start..<place], hasSpace: start > before)
        }

        private mutating func take() -> Kind {
            let byte = source[place]
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                pass { $0 == byte }
                return .text
            case UInt8(ascii: "`"):
                passTemplate()
                return .template
            case UInt8(ascii: "}") where braces.last == 0:
                braces.removeLast()
                passTemplate()
                return .rest
            case UInt8(ascii: "/") where beginsExpression:
                var isInClass = false
                pass {
                    if $0 == UInt8(ascii: "[") { isInClass = true }
                    if $0 == UInt8(ascii: "]") { isInClass = false }
                    return $0 == UInt8(ascii: "/") && !isInClass
                }
                passName()
                return .expression
            case _ where Self.letters.contains(byte):
                passName()
                return .name
            case _ where Self.digits.contains(byte):
                passName()
                while begins(".") {
                    place += 1
                    passName()
                }
                return .number
            default:
                if !braces.isEmpty {
                    if byte == UInt8(ascii: "{") { braces[braces.count - 1] += 1 }
                    if byte == UInt8(ascii: "}") { braces[braces.count - 1] -= 1 }
                }
                place += Self.longMarks.first { source[place...].starts(with: $0) }?.count ?? 1
                return .mark
            }
        }

        private var beginsExpression: Bool {
            guard let last = tokens.last else { return true }
            return last.opensValue || (last.kind == .mark && last.text.last.map(Self.beforeExpression.contains) == true)
        }

        private func begins(_ text: String) -> Bool { source[place...].starts(with: text.utf8) }

        private mutating func skipSpace() {
            while place < source.count {
                if begins("//") {
                    skip(to: "\n")
                } else if begins("/*") {
                    skip(to: "*/")
                } else if source[place] == UInt8(ascii: " ") || source[place] == UInt8(ascii: "\n") {
                    place += 1
                } else {
                    return
                }
            }
        }

        private mutating func skip(to end: String) {
            while place < source.count, !begins(end) { place += 1 }
            place = min(place + end.utf8.count, source.count)
        }

        private mutating func passName() {
            while place < source.count, Self.letters.contains(source[place]) || Self.digits.contains(source[place]) {
                place += 1
            }
        }

        /// Passes the present byte and all up to one that ends it, which no backslash escapes.
        private mutating func pass(to isEnd: (UInt8) -> Bool) {
            place += 1
            while place < source.count, !isEnd(source[place]) {
                place += source[place] == UInt8(ascii: "\\") ? 2 : 1
            }
            place += 1
            place = min(place, source.count)
        }

        private mutating func passTemplate() {
            var last = source[place]
            pass { byte in
                defer { last = byte }
                return byte == UInt8(ascii: "`") || (byte == UInt8(ascii: "{") && last == UInt8(ascii: "$"))
            }
            if source[place - 1] == UInt8(ascii: "{") { braces.append(0) }
        }
    }
}
