/// The parts of a regular expression.
indirect enum PatternSyntax: Sendable {
    case empty
    case scalar(ScalarSet)
    case sequence([PatternSyntax])
    case alternatives([PatternSyntax])
    case repetition(PatternSyntax, least: Int, most: Int?)
    case assertion(PatternAssertion)
    /// `(?=…)`, `(?!…)`, `(?<=…)`, `(?<!…)`
    case lookaround(PatternSyntax, isAhead: Bool, isNegated: Bool)
}

/// A condition on the place between two characters.
enum PatternAssertion: Sendable {
    case start, end, wordBoundary, noWordBoundary
}

/// Why a regular expression cannot be used.
struct PatternError: Error {
    let problem: String
}

/// Reads the regular expressions of ECMA-262 except for back references, which no engine matches in linear time.
struct PatternParser {
    private static let longestRepetition = 10_000
    private static let deepestGroup = 100

    private let text: [Unicode.Scalar]
    private var place = 0
    private var depth = 0

    private init(_ pattern: String) { text = Array(pattern.unicodeScalars) }

    static func parse(_ pattern: String) throws(PatternError) -> PatternSyntax {
        var parser = PatternParser(pattern)
        let syntax = try parser.parseAlternatives()
        guard parser.place == parser.text.count else { throw PatternError(problem: "')' closes no group") }
        return syntax
    }

    private var next: Unicode.Scalar? { place < text.count ? text[place] : nil }

    private mutating func take(_ expected: String) -> Bool {
        guard text[place...].starts(with: expected.unicodeScalars) else { return false }
        place += expected.unicodeScalars.count
        return true
    }

    private mutating func parseAlternatives() throws(PatternError) -> PatternSyntax {
        var alternatives = [try parseSequence()]
        while take("|") { alternatives.append(try parseSequence()) }
        return alternatives.count == 1 ? alternatives[0] : .alternatives(alternatives)
    }

    private mutating func parseSequence() throws(PatternError) -> PatternSyntax {
        var parts: [PatternSyntax] = []
        while let scalar = next, scalar != "|", scalar != ")" {
            let part = try parsePart()
            parts.append(try parseRepetition(of: part))
        }
        return parts.count == 1 ? parts[0] : .sequence(parts)
    }

    private mutating func parsePart() throws(PatternError) -> PatternSyntax {
        guard let scalar = next else { return .empty }
        place += 1
        switch scalar {
        case "^": return .assertion(.start)
        case "$": return .assertion(.end)
        case ".": return .scalar(.anyExceptLineBreaks)
        case "(": return try parseGroup()
        case "[": return .scalar(try parseClass())
        case "*", "+", "?": throw PatternError(problem: "'\(scalar)' has nothing to repeat")
        case "\\":
            if take("b") { return .assertion(.wordBoundary) }
            if take("B") { return .assertion(.noWordBoundary) }
            return .scalar(ScalarSet([try parseEscape()]))
        default: return .scalar(ScalarSet([.range(scalar.value...scalar.value)]))
        }
    }

    private mutating func parseGroup() throws(PatternError) -> PatternSyntax {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.deepestGroup else { throw PatternError(problem: "groups are nested too deeply") }
        var look: (isAhead: Bool, isNegated: Bool)?
        if take("?") {
            if take("=") {
                look = (true, false)
            } else if take("!") {
                look = (true, true)
            } else if take("<=") {
                look = (false, false)
            } else if take("<!") {
                look = (false, true)
            } else if take("<") {
                guard let end = text[place...].firstIndex(of: ">"), end > place else {
                    throw PatternError(problem: "the name of a group has no end")
                }
                place = end + 1
            } else if !take(":") {
                throw PatternError(problem: "a group cannot start with '(?\(next.map(String.init) ?? "")'")
            }
        }
        let body = try parseAlternatives()
        guard take(")") else { throw PatternError(problem: "a group has no ')'") }
        return look.map { .lookaround(body, isAhead: $0.isAhead, isNegated: $0.isNegated) } ?? body
    }

    // MARK: Repetitions

    private mutating func parseRepetition(of part: PatternSyntax) throws(PatternError) -> PatternSyntax {
        guard let (least, most) = try parseQuantifier() else { return part }
        if case .assertion = part { throw PatternError(problem: "an assertion cannot be repeated") }
        // A lazy repetition matches the same texts.
        _ = take("?")
        return .repetition(part, least: least, most: most)
    }

    private mutating func parseQuantifier() throws(PatternError) -> (least: Int, most: Int?)? {
        if take("*") { return (0, nil) }
        if take("+") { return (1, nil) }
        if take("?") { return (0, 1) }
        let start = place
        guard take("{"), let least = parseNumber() else {
            place = start
            return nil
        }
        var most: Int? = least
        if take(",") { most = parseNumber() }
        guard take("}") else {
            place = start
            return nil
        }
        guard least <= most ?? least else { throw PatternError(problem: "a repetition ends before it starts") }
        guard max(least, most ?? 0) <= Self.longestRepetition else {
            throw PatternError(problem: "a part is repeated more than \(Self.longestRepetition) times")
        }
        return (least, most)
    }

    private mutating func parseNumber() -> Int? {
        let digits = text[place...].prefix { ("0"..."9").contains($0) }
        place += digits.count
        guard !digits.isEmpty else { return nil }
        return digits.reduce(0) { min($0 * 10 + Int($1.value - 0x30), 1 << 40) }
    }

    // MARK: Classes and escapes

    private mutating func parseClass() throws(PatternError) -> ScalarSet {
        let isNegated = take("^")
        var items: [ScalarSet.Item] = []
        while !take("]") {
            let first = try parseClassItem()
            guard next == "-", place + 1 < text.count, text[place + 1] != "]" else {
                items.append(first)
                continue
            }
            place += 1
            let last = try parseClassItem()
            guard case .range(let low) = first, case .range(let high) = last else {
                items += [first, .range(0x2D...0x2D), last]
                continue
            }
            guard low.lowerBound <= high.lowerBound else { throw PatternError(problem: "a range runs backwards") }
            items.append(.range(low.lowerBound...high.lowerBound))
        }
        return ScalarSet(items, isNegated: isNegated)
    }

    private mutating func parseClassItem() throws(PatternError) -> ScalarSet.Item {
        guard let scalar = next else { throw PatternError(problem: "a class has no ']'") }
        place += 1
        guard scalar == "\\" else { return .range(scalar.value...scalar.value) }
        if take("b") { return .range(0x08...0x08) }
        return try parseEscape()
    }

    private mutating func parseEscape() throws(PatternError) -> ScalarSet.Item {
        guard let scalar = next else { throw PatternError(problem: "nothing follows '\\'") }
        place += 1
        switch scalar {
        case "d": return .digit(isNegated: false)
        case "D": return .digit(isNegated: true)
        case "w": return .word(isNegated: false)
        case "W": return .word(isNegated: true)
        case "s": return .space(isNegated: false)
        case "S": return .space(isNegated: true)
        case "p", "P": return .category(try parseCategory(), isNegated: scalar == "P")
        case "1"..."9", "k": throw PatternError(problem: "back references are not supported")
        default:
            let value = try parseScalarEscape(scalar)
            return .range(value...value)
        }
    }

    private mutating func parseScalarEscape(_ letter: Unicode.Scalar) throws(PatternError) -> UInt32 {
        switch letter {
        case "t": return 0x09
        case "n": return 0x0A
        case "v": return 0x0B
        case "f": return 0x0C
        case "r": return 0x0D
        case "0": return 0
        case "x": return try parseHex(2)
        case "c":
            guard let control = next, control.properties.isAlphabetic, control.isASCII else { break }
            place += 1
            return control.value % 32
        case "u":
            if take("{") {
                let digits = text[place...].prefix { $0.properties.isASCIIHexDigit }
                guard (1...6).contains(digits.count) else { break }
                let value = try parseHex(digits.count)
                guard take("}") else { break }
                return value
            }
            let first = try parseHex(4)
            guard 0xD800..<0xDC00 ~= first, take("\\u") else { return first }
            let second = try parseHex(4)
            guard 0xDC00..<0xE000 ~= second else { break }
            return 0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)
        default:
            let isLetter = letter.isASCII && letter.properties.isAlphabetic
            if !isLetter { return letter.value }
        }
        throw PatternError(problem: "the escape '\\\(letter)' is not known")
    }

    private mutating func parseHex(_ count: Int) throws(PatternError) -> UInt32 {
        let digits = text[place...].prefix(count)
        guard digits.count == count, digits.allSatisfy({ $0.properties.isASCIIHexDigit }) else {
            throw PatternError(problem: "an escape needs \(count) hexadecimal digits")
        }
        place += count
        return digits.reduce(0) { $0 << 4 | UInt32(Character($1).hexDigitValue ?? 0) }
    }

    private mutating func parseCategory() throws(PatternError) -> String {
        guard take("{"), let end = text[place...].firstIndex(of: "}") else {
            throw PatternError(problem: "the name of a property must follow in braces")
        }
        var name = String(String.UnicodeScalarView(text[place..<end]))
        place = end + 1
        for prefix in ["General_Category=", "gc="] where name.hasPrefix(prefix) {
            name = String(name.dropFirst(prefix.count))
        }
        guard let category = ScalarSet.category(named: name) else {
            throw PatternError(problem: "the property '\(name)' is not supported")
        }
        return category
    }
}
