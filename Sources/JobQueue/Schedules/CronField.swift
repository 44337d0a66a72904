/// One of the five fields of a cron expression: the values that match, and how they are written.
struct CronField: Hashable {
    enum Name: String {
        case minute, hour, day = "day of month", month, weekday = "day of week"

        var range: ClosedRange<Int> {
            switch self {
            case .minute: 0...59
            case .hour: 0...23
            case .day: 1...31
            case .month: 1...12
            // 7 is Sunday, too.
            case .weekday: 0...7
            }
        }

        var words: [String] {
            switch self {
            case .month: ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
            case .weekday: ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]
            default: []
            }
        }
    }

    /// A bit for each value.
    private var bits: UInt64 = 0
    /// Whether the field begins with `*`, which makes it no restriction of its own among the two day fields.
    let beginsWithStar: Bool

    /// Reads lists of values, ranges `a-b`, `*`, each with a step `/n` but for single values, and names.
    init(parsing text: Substring, as name: Name) throws(CronError) {
        beginsWithStar = text.hasPrefix("*")
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            try add(part, of: text, as: name)
        }
        if name == .weekday, contains(7) {
            bits &= ~(1 << 7)
            bits |= 1
        }
    }

    func contains(_ value: Int) -> Bool { bits & (1 << UInt64(value)) != 0 }

    /// The matching values in order.
    var values: [Int] { (0..<60).filter(contains) }

    private mutating func add(_ part: Substring, of text: Substring, as name: Name) throws(CronError) {
        let halves = part.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        var step = 1
        if halves.count == 2 {
            guard let number = Self.number(halves[1]), name.range.contains(max(number, 1)), number > 0 else {
                throw CronError(
                    "the step '\(halves[1])' of the \(name.rawValue) must be from 1 to \(name.range.upperBound)")
            }
            step = number
        }
        let range: ClosedRange<Int>
        if halves[0] == "*" {
            // `*` must not count Sunday twice.
            range = name == .weekday ? 0...6 : name.range
        } else {
            let ends = halves[0].split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
            let first = try Self.value(ends[0], as: name)
            let last = ends.count == 2 ? try Self.value(ends[1], as: name) : first
            guard ends.count == 2 || halves.count == 1 else {
                throw CronError("the step in '\(part)' needs a range or '*' before it")
            }
            guard first <= last else {
                throw CronError("the range '\(halves[0])' of the \(name.rawValue) runs backwards; write two ranges")
            }
            range = first...last
        }
        for value in stride(from: range.lowerBound, through: range.upperBound, by: step) {
            bits |= 1 << UInt64(value)
        }
    }

    private static func value(_ text: Substring, as name: Name) throws(CronError) -> Int {
        if let place = name.words.firstIndex(of: text.lowercased()) { return place + name.range.lowerBound }
        guard let number = number(text), name.range.contains(number) else {
            let words = name.words.isEmpty ? "" : " or a name such as \(name.words[0])"
            throw CronError(
                "the \(name.rawValue) '\(text)' must be from \(name.range.lowerBound) to \(name.range.upperBound)\(words)"
            )
        }
        return number
    }

    /// Digits alone: no sign, no space.
    private static func number(_ text: Substring) -> Int? {
        guard (1...2).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return Int(text)
    }
}

/// What is wrong with a cron expression, in words for whoever wrote it.
package struct CronError: Error, Hashable, Sendable {
    package let message: String

    init(_ message: String) { self.message = message }
}
