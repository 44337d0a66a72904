/// The shortest text that a simple regular expression matches: literals, classes, groups, alternatives and counts.
///
/// An expression with more than that gives a wrong text or none; callers match the result.
struct PatternExample {
    private var rest: Substring

    /// `nil` for an expression that cannot be read.
    static func text(for pattern: String) -> String? {
        var reader = PatternExample(rest: Substring(pattern))
        guard let text = reader.alternatives(), reader.rest.isEmpty else { return nil }
        return text
    }

    /// Reads alternatives up to a closing parenthesis or the end; the first one counts.
    private mutating func alternatives() -> String? {
        var first: String?
        while true {
            guard let branch = sequence() else { return nil }
            first = first ?? branch
            guard rest.first == "|" else { return first }
            rest.removeFirst()
        }
    }

    private mutating func sequence() -> String? {
        var text = ""
        while let next = rest.first, next != "|", next != ")" {
            guard let piece = piece() else { return nil }
            text += String(repeating: piece, count: count())
        }
        return text
    }

    private mutating func piece() -> String? {
        let next = rest.removeFirst()
        switch next {
        case "^", "$": return ""
        case ".": return "a"
        case "[": return characterClass()
        case "\\": return rest.isEmpty ? nil : Self.escaped(rest.removeFirst()).map(String.init) ?? ""
        case "(":
            for prefix in ["?:", "?i)"] where rest.hasPrefix(prefix) {
                rest.removeFirst(prefix.count)
                if prefix == "?i)" { return "" }
            }
            guard rest.first != "?", let inner = alternatives(), rest.first == ")" else { return nil }
            rest.removeFirst()
            return inner
        case "*", "+", "?", "{": return nil
        default: return String(next)
        }
    }

    /// How often the piece before has to occur, by the quantifier that follows.
    private mutating func count() -> Int {
        switch rest.first {
        case "*", "?":
            rest.removeFirst()
            return 0
        case "+":
            rest.removeFirst()
            return 1
        case "{":
            guard let close = rest.firstIndex(of: "}") else { return 1 }
            let least = rest.dropFirst().prefix { $0.isNumber }
            rest = rest[rest.index(after: close)...]
            return min(Int(least) ?? 1, 1_000)
        default: return 1
        }
    }

    private mutating func characterClass() -> String? {
        let isNegated = rest.first == "^"
        if isNegated { rest.removeFirst() }
        var members: [Character] = []
        while let next = rest.first, next != "]" || members.isEmpty {
            rest.removeFirst()
            if next == "\\", let escape = rest.popFirst() {
                if let character = Self.escaped(escape) { members.append(character) }
            } else {
                members.append(next)
            }
        }
        guard rest.popFirst() == "]" else { return nil }
        guard isNegated else { return members.first.map(String.init) }
        return "aA1 -_".first { !members.contains($0) }.map(String.init)
    }

    /// A character that an escape stands for; `nil` for a position such as `\b`.
    private static func escaped(_ letter: Character) -> Character? {
        switch letter {
        case "d": "1"
        case "w", "S", "D": "a"
        case "s", "W": " "
        case "n": "\n"
        case "t": "\t"
        case "b", "B", "A", "z", "Z": nil
        default: letter
        }
    }
}
