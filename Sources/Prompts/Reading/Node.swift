internal import JSON
internal import YAML

/// A place in a YAML file that is read strictly: an error is added to the list of problems with its line, and reading
/// goes on.
struct Node {
    let file: String
    let path: [String]
    let value: JSON
    let problems: ProblemList
    private let document: YAMLDocument
    /// Lines of the file before the YAML text.
    private let lineOffset: Int

    /// The root of a YAML text; `nil` after a problem was added.
    init?(yaml text: String, file: String, lineOffset: Int = 0, problems: ProblemList) {
        do {
            document = try YAMLDocument(parsing: text)
        } catch {
            problems.add(
                BundleProblem(
                    file: file, line: error.line + lineOffset, message: "this is not valid YAML: \(error.message)",
                    fix: Self.fix(error.message)))
            return nil
        }
        (self.file, value, self.problems, self.lineOffset) = (file, document.value, problems, lineOffset)
        path = []
    }

    private static func fix(_ message: String) -> String {
        if message.contains("occurs twice") { return "remove one of the two" }
        if message.contains("tab character") { return "indent with spaces" }
        if message.contains("nested block mapping") { return "put the text in quotes, since it has a colon" }
        return "check indentation, colons and quotes"
    }

    private init(_ value: JSON, at path: [String], of parent: Node) {
        (self.value, self.path) = (value, path)
        (file, problems, document, lineOffset) = (parent.file, parent.problems, parent.document, parent.lineOffset)
    }

    // MARK: Problems

    /// `checklist[2].weight`, as messages name this place.
    var name: String {
        path.reduce("") { name, step in
            Int(step) != nil ? "\(name)[\(step)]" : name.isEmpty ? step : "\(name).\(step)"
        }
    }

    /// The line in the file, from 1.
    var line: Int { document.line(nearest: path) + lineOffset }

    func report(_ message: String, fix: String) { report(at: [], message, fix: fix) }

    /// Adds a problem at a place below this one.
    func report(at steps: [String], _ message: String, fix: String) {
        let line = document.line(nearest: path + steps) + lineOffset
        problems.add(BundleProblem(file: file, line: line, message: message, fix: fix))
    }

    // MARK: Going down

    /// The members, after unknown keys were reported; `nil` when this is no mapping.
    func members(allowed: [String]) -> JSONObject? {
        guard let members = value.object else {
            reportType("keys with values", fix: "keys: \(allowed.joined(separator: ", "))")
            return nil
        }
        for key in members.keys where !allowed.contains(key) {
            report(
                at: [key], "unknown key '\(Node(.null, at: path + [key], of: self).name)'",
                fix: Suggestion.fix(for: key, among: allowed))
        }
        return members
    }

    /// A member that may be left out.
    func optional(_ key: String) -> Node? {
        guard let member = value[key], member != .null else { return nil }
        return Node(member, at: path + [key], of: self)
    }

    /// A member that must exist.
    func required(_ key: String, such example: String) -> Node? {
        if let member = optional(key) { return member }
        guard value.object != nil else { return nil }
        let name = Node(.null, at: path + [key], of: self).name
        report(
            at: [key], value[key] == nil ? "'\(name)' is missing" : "'\(name)' is empty",
            fix: "write '\(key): \(example)'")
        return nil
    }

    /// The elements of a list.
    func elements() -> [Node]? {
        guard let elements = value.array else {
            reportType("a list", fix: "write each entry on its own line after '- '")
            return nil
        }
        return elements.enumerated().map { Node($1, at: path + [String($0)], of: self) }
    }

    // MARK: Values

    func text() -> String? {
        guard let text = value.string else {
            reportType("text", fix: "put it in quotes")
            return nil
        }
        guard text.contains(where: { !$0.isWhitespace }) else {
            report("'\(name)' is empty", fix: "write something or remove the key")
            return nil
        }
        return text.hasSuffix("\n") ? String(text.dropLast()) : text
    }

    /// A word as names are made of: lower-case letters, digits, `-` and `_`.
    func identifier() -> String? {
        guard let text = text() else { return nil }
        let isName =
            text.utf8.count <= 64
            && text.utf8.allSatisfy {
                ("a"..."z").contains(Character(Unicode.Scalar($0)))
                    || ("0"..."9").contains(Character(Unicode.Scalar($0))) || $0 == 0x2D || $0 == 0x5F
            }
        guard isName else {
            report("'\(text)' is no name", fix: "use lower-case letters, digits, '-' and '_'")
            return nil
        }
        return text
    }

    /// One of a set of words.
    func word(of known: some Collection<String>, called what: String) -> String? {
        guard let text = text() else { return nil }
        guard known.contains(text) else {
            report("unknown \(what) '\(text)'", fix: Suggestion.fix(for: text, among: known))
            return nil
        }
        return text
    }

    func integer(in range: ClosedRange<Int>) -> Int? {
        guard let number = value.integer else {
            reportType("a whole number", fix: "write a number from \(range.lowerBound) to \(range.upperBound)")
            return nil
        }
        guard let whole = Int(exactly: number), range.contains(whole) else {
            report("'\(name)' is \(number)", fix: "write a number from \(range.lowerBound) to \(range.upperBound)")
            return nil
        }
        return whole
    }

    /// A number, or a percentage as text (`12%` is 0.12).
    func number() -> Double? {
        if let text = value.string, text.hasSuffix("%"), let percent = Double(text.dropLast().filter { $0 != " " }) {
            return percent / 100
        }
        guard let number = value.double, number.isFinite else {
            reportType("a number", fix: "write a number such as 0.15, or a percentage such as 15%")
            return nil
        }
        return number
    }

    /// `170 s`, `500 ms`, `2 min` or `2m`, `1 h`, `1 d`
    func duration() -> Duration? {
        let fix = "write a number and a unit: ms, s, min, h or d, for example '30 s'"
        guard let text = value.string else {
            reportType("a time with its unit", fix: fix)
            return nil
        }
        let units: [String: Int64] = ["ms": 1, "s": 1000, "min": 60_000, "m": 60_000, "h": 3_600_000, "d": 86_400_000]
        let digits = text.prefix { $0.isNumber }
        let unit = text.dropFirst(digits.count).drop { $0 == " " }
        guard let amount = Int64(digits), let factor = units[String(unit)], amount > 0, amount < 1_000_000 else {
            report("'\(text)' is no time", fix: fix)
            return nil
        }
        return .milliseconds(amount * factor)
    }

    private func reportType(_ expected: String, fix: String) {
        let found =
            switch value.kind {
            case .null: "empty"
            case .object: "a mapping"
            case .array: "a list"
            default: "a \(value.kind.rawValue)"
            }
        let place = path.isEmpty ? "the file" : "'\(name)'"
        report("\(place) must be \(expected), not \(found)", fix: fix)
    }
}

/// Finds the known word that an unknown one is probably a slip of.
package enum Suggestion {
    /// The closest known word, when it is close enough for a slip.
    package static func closest(to word: String, among known: some Sequence<String>) -> String? {
        let limit = max(1, min(3, word.count / 3))
        let ranked = known.map { ($0, distance(word.lowercased(), $0.lowercased())) }.filter { $0.1 <= limit }
        return ranked.min { ($0.1, $0.0) < ($1.1, $1.0) }?.0
    }

    /// The correction of an unknown word: the closest known one, or all that are known.
    static func fix(for word: String, among known: some Collection<String>) -> String {
        if let meant = closest(to: word, among: known) { return "did you mean '\(meant)'?" }
        if known.isEmpty { return "there are none" }
        return "known: \(known.sorted().joined(separator: ", "))"
    }

    /// Insertions, deletions, replacements and swaps of neighbours between two words.
    private static func distance(_ left: String, _ right: String) -> Int {
        let (left, right) = (Array(left), Array(right))
        var rows = [Array(0...right.count)]
        for i in 1...max(1, left.count) where !left.isEmpty {
            var row = [i]
            for j in 1...max(1, right.count) where !right.isEmpty {
                let cost = left[i - 1] == right[j - 1] ? 0 : 1
                var best = min(rows[i - 1][j] + 1, row[j - 1] + 1, rows[i - 1][j - 1] + cost)
                if i > 1, j > 1, left[i - 1] == right[j - 2], left[i - 2] == right[j - 1] {
                    best = min(best, rows[i - 2][j - 2] + 1)
                }
                row.append(best)
            }
            rows.append(row)
        }
        return rows[rows.count - 1][right.count]
    }
}
