internal import Basics

/// A schedule in the five fields of cron: minute, hour, day of month, month, day of week.
///
/// - A field is `*`, a value, a range `a-b` or a list of them; ranges and `*` take a step `/n`. Months and weekdays may
///   be names of three letters; 0 and 7 are Sunday. `@hourly`, `@daily`, `@weekly`, `@monthly` and `@yearly` mean the
///   usual expressions.
/// - Where both day fields are restricted (neither begins with `*`), a day matches when one of them does.
/// - When clocks go forward, skipped times run once, at the time of the change. When clocks go back, repeated times run
///   only the first time. An expression for every hour follows elapsed time instead: no run is added or left out.
package struct CronExpression: Hashable, Sendable {
    /// The expression as written.
    package let text: String
    private let minutes: CronField
    private let hours: CronField
    private let days: CronField
    private let months: CronField
    private let weekdays: CronField

    /// Parses an expression.
    ///
    /// - Throws: `CronError`, also for an expression that no day ever matches, such as February 30th.
    package init(parsing text: String) throws(CronError) {
        self.text = text
        let expression = Self.short[text.lowercased()] ?? text
        let fields = expression.split { $0 == " " || $0 == "\t" }
        guard fields.count == 5 else {
            throw CronError(
                "a cron expression has five fields (minute, hour, day of month, month, day of week), not \(fields.count)"
            )
        }
        minutes = try CronField(parsing: fields[0], as: .minute)
        hours = try CronField(parsing: fields[1], as: .hour)
        days = try CronField(parsing: fields[2], as: .day)
        months = try CronField(parsing: fields[3], as: .month)
        weekdays = try CronField(parsing: fields[4], as: .weekday)
        guard canMatch else { throw CronError("the day never comes") }
    }

    private static let short = [
        "@hourly": "0 * * * *", "@daily": "0 0 * * *", "@midnight": "0 0 * * *", "@weekly": "0 0 * * 0",
        "@monthly": "0 0 1 * *", "@yearly": "0 0 1 1 *", "@annually": "0 0 1 1 *",
    ]

    /// The first time after a timestamp; `nil` when there is none within nine years.
    package func next(after timestamp: Timestamp, in zone: ZoneOffsets) -> Timestamp? {
        let seconds = Self.wholeSeconds(timestamp)
        let today = CalendarDate(secondsSinceEpoch: seconds + zone.offset(seconds))
        for distance in -1...Self.searchedDays {
            let next = timestamps(on: today + distance, in: zone).first { $0 > seconds }
            if let next { return Timestamp(milliseconds: next * 1000) }
        }
        return nil
    }

    /// The last time at or before a timestamp; `nil` when there is none within nine years.
    package func latest(at timestamp: Timestamp, in zone: ZoneOffsets) -> Timestamp? {
        let seconds = Self.wholeSeconds(timestamp)
        let today = CalendarDate(secondsSinceEpoch: seconds + zone.offset(seconds))
        for distance in -1...Self.searchedDays {
            let last = timestamps(on: today + -distance, in: zone).last { $0 <= seconds }
            if let last { return Timestamp(milliseconds: last * 1000) }
        }
        return nil
    }

    /// Leap days are up to eight years apart.
    private static let searchedDays = 9 * 366

    /// The whole second at or before a timestamp.
    private static func wholeSeconds(_ timestamp: Timestamp) -> Int64 {
        timestamp.milliseconds >= 0 ? timestamp.milliseconds / 1000 : (timestamp.milliseconds - 999) / 1000
    }

    // MARK: Days

    private var canMatch: Bool {
        // Every month has each weekday, so restricted weekdays always match; a day alone needs a month that has it.
        if !days.beginsWithStar, !weekdays.beginsWithStar { return true }
        let longest = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        return months.values.contains { month in days.values.contains { $0 <= longest[month - 1] } }
    }

    private func matches(_ day: CalendarDate) -> Bool {
        let date = day.components
        guard months.contains(date.month) else { return false }
        let (byDate, byWeekday) = (days.contains(date.day), weekdays.contains(day.weekday))
        return days.beginsWithStar || weekdays.beginsWithStar ? byDate && byWeekday : byDate || byWeekday
    }

    // MARK: Times of a day

    /// All times of a local day, in order.
    private func timestamps(on day: CalendarDate, in zone: ZoneOffsets) -> [Int64] {
        guard matches(day) else { return [] }
        let (before, after) = (
            zone.offset(day.secondsSinceEpoch - Self.margin), zone.offset(day.secondsSinceEpoch + 86_400 + Self.margin)
        )
        var timestamps: Set<Int64> = []
        let runsEveryHour = hours.values.count == 24
        for hour in hours.values {
            for minute in minutes.values {
                let local = day.secondsSinceEpoch + Int64(hour * 3600 + minute * 60)
                if before == after {
                    timestamps.insert(local - before)
                    continue
                }
                let found = Set([local - before, local - after]).filter { zone.offset($0) == local - $0 }.sorted()
                if runsEveryHour {
                    timestamps.formUnion(found)
                } else if let first = found.first {
                    timestamps.insert(first)
                } else {
                    timestamps.insert(Self.change(from: before, between: local - max(before, after), in: zone))
                }
            }
        }
        return timestamps.sorted()
    }

    /// Seconds beyond which every zone is outside the local day.
    private static let margin: Int64 = 26 * 3600

    /// The end of the old offset near a local time that a forward change skips.
    private static func change(from before: Int64, between start: Int64, in zone: ZoneOffsets) -> Int64 {
        var (low, high) = (start - margin, start + margin)
        while high - low > 1 {
            let middle = low + (high - low) / 2
            if zone.offset(middle) == before { low = middle } else { high = middle }
        }
        return high
    }
}

/// One field of a cron expression: the set of its matching values.
struct CronField: Hashable {
    enum Name: String {
        case minute, hour, day = "day of month", month, weekday = "day of week"

        var range: ClosedRange<Int> {
            switch self {
            case .minute: 0...59
            case .hour: 0...23
            case .day: 1...31
            case .month: 1...12
            // Both 0 and 7 are Sunday.
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

    /// One bit for each value.
    private var bits: UInt64 = 0
    /// Whether the field begins with `*`, so that it does not restrict the day by itself.
    let beginsWithStar: Bool

    /// Parses a list of values, names, ranges `a-b` and `*`; ranges and `*` may have a step `/n`.
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
            // `*` counts Sunday once.
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

    /// Digits only, without a sign or a space.
    private static func number(_ text: Substring) -> Int? {
        guard (1...2).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return Int(text)
    }
}

/// The problem of a cron expression, in words for its author.
package struct CronError: Error, Hashable, Sendable {
    package let message: String

    init(_ message: String) { self.message = message }
}
