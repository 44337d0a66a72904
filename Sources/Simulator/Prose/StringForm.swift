/// The forms that a string of an answer can have besides prose.
enum StringForm {
    /// A valid text of a format; `nil` for a format that says nothing about the text.
    static func example(of format: String, index: Int) -> String? {
        switch format {
        case "date-time": "1970-01-01T00:00:00Z"
        case "date": "1970-01-01"
        case "time": "00:00:00Z"
        case "duration": "P1D"
        case "email": "simulated@example.com"
        case "hostname": "example.com"
        case "uri": "https://example.com/simulated"
        case "ipv4": "192.0.2.1"
        case "ipv6": "2001:db8::1"
        case "uuid": "00000000-0000-4000-8000-00000000000\(index % 10)"
        default: nil
        }
    }

    static func fit(_ text: String, shortest: Int, longest: Int) -> String {
        var text = text
        while text.count < shortest { text += " " + Phrases.shared.bareTitles.joined(separator: " ") }
        guard text.count > longest else { return text }
        let cut = text.prefix(longest)
        guard let space = cut.lastIndex(of: " "), cut.distance(from: cut.startIndex, to: space) >= shortest else {
            return String(cut)
        }
        return String(cut[..<space])
    }

    /// The text cut to a number of words: whole sentences where one fits, else the first words.
    static func cut(_ text: String, words limit: Int) -> String {
        let words = text.split(separator: " ")
        guard words.count > limit else { return text }
        let kept = words.prefix(limit)
        if let end = kept.lastIndex(where: { $0.last == "." }) { return kept[...end].joined(separator: " ") }
        var cut = kept.joined(separator: " ")
        while let last = cut.last, ",;:".contains(last) { cut.removeLast() }
        return cut + "."
    }

    /// The first words of a text without an end.
    static func shortened(_ text: String, words limit: Int) -> String {
        text.split(separator: " ").prefix(limit).joined(separator: " ")
    }

    /// The first text that matches a regular expression anywhere, or one made for it; `nil` when none does or the
    /// expression is not understood.
    static func matching(_ pattern: String, among candidates: [String]) -> String? {
        guard let expression = try? Regex(pattern) else { return nil }
        let common = ["simulated", "SIM", "Simulated", "2026", "1970-01-01", "sim-1"]
        let made = PatternExample.text(for: pattern).map { [$0] } ?? []
        return (candidates + common + made).first { (try? expression.firstMatch(in: $0)) != nil }
    }
}

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

    /// The number of repetitions of the preceding piece, by the quantifier that follows.
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

    /// The character of an escape; `nil` for a position such as `\b`.
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
