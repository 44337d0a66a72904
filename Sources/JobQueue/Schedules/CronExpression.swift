/// A schedule in the five fields of cron: minute, hour, day of month, month, day of week.
///
/// - A field is `*`, a value, a range `a-b` or a list of them; ranges and `*` take a step `/n`. Months and weekdays may be
///   names of three letters; 0 and 7 are Sunday. `@hourly`, `@daily`, `@weekly`, `@monthly` and `@yearly` stand for
///   the usual expressions.
/// - Where both day fields are restricted (neither begins with `*`), a day matches when one of them does.
/// - When clocks go forward, times that are left out run once, at the moment of the change. When they go back, times
///   that come twice run the first time. An expression for every hour runs by the time that passes instead: nothing is
///   made up for, and nothing is left out.
package struct CronExpression: Hashable, Sendable {
    /// As it was written.
    package let text: String
    private let minutes: CronField
    private let hours: CronField
    private let days: CronField
    private let months: CronField
    private let weekdays: CronField

    /// Reads an expression.
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

    /// The first moment after another; `nil` when there is none within nine years.
    package func next(after timestamp: Timestamp, in zone: ZoneOffsets) -> Timestamp? {
        let seconds = Self.wholeSeconds(timestamp)
        let today = CivilDay(localSeconds: seconds + zone.offset(seconds))
        for distance in -1...Self.searchedDays {
            let next = timestamps(on: today + distance, in: zone).first { $0 > seconds }
            if let next { return Timestamp(milliseconds: next * 1000) }
        }
        return nil
    }

    /// The last moment up to another, that one included; `nil` when there is none within nine years.
    package func latest(at timestamp: Timestamp, in zone: ZoneOffsets) -> Timestamp? {
        let seconds = Self.wholeSeconds(timestamp)
        let today = CivilDay(localSeconds: seconds + zone.offset(seconds))
        for distance in -1...Self.searchedDays {
            let last = timestamps(on: today + -distance, in: zone).last { $0 <= seconds }
            if let last { return Timestamp(milliseconds: last * 1000) }
        }
        return nil
    }

    /// Leap days are up to eight years apart.
    private static let searchedDays: Int64 = 9 * 366

    /// Whole seconds at or before a moment.
    private static func wholeSeconds(_ timestamp: Timestamp) -> Int64 {
        timestamp.milliseconds >= 0 ? timestamp.milliseconds / 1000 : (timestamp.milliseconds - 999) / 1000
    }

    // MARK: Days

    private var canMatch: Bool {
        // One matching weekday in any month comes, whatever the day of the month says; alone, a day needs its month.
        if !days.beginsWithStar, !weekdays.beginsWithStar { return true }
        let longest = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        return months.values.contains { month in days.values.contains { $0 <= longest[month - 1] } }
    }

    private func matches(_ day: CivilDay) -> Bool {
        let date = day.date
        guard months.contains(date.month) else { return false }
        let (byDate, byWeekday) = (days.contains(date.day), weekdays.contains(day.weekday))
        return days.beginsWithStar || weekdays.beginsWithStar ? byDate && byWeekday : byDate || byWeekday
    }

    // MARK: Times of a day

    /// All moments of a local day, in order.
    private func timestamps(on day: CivilDay, in zone: ZoneOffsets) -> [Int64] {
        guard matches(day) else { return [] }
        let (before, after) = (zone.offset(day.start - Self.margin), zone.offset(day.start + 86_400 + Self.margin))
        var timestamps: Set<Int64> = []
        let runsEveryHour = hours.values.count == 24
        for hour in hours.values {
            for minute in minutes.values {
                let local = day.start + Int64(hour * 3600 + minute * 60)
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

    /// Beyond the day's ends in any zone.
    private static let margin: Int64 = 26 * 3600

    /// The moment near a time that a forward change leaves out, at which the old offset ends.
    private static func change(from before: Int64, between start: Int64, in zone: ZoneOffsets) -> Int64 {
        var (low, high) = (start - margin, start + margin)
        while high - low > 1 {
            let middle = low + (high - low) / 2
            if zone.offset(middle) == before { low = middle } else { high = middle }
        }
        return high
    }
}

/// How far a time zone's clocks are from UTC.
package struct ZoneOffsets: Sendable {
    /// `Europe/Berlin`.
    package let name: String
    private let seconds: @Sendable (Int64) -> Int

    /// A zone; the function takes seconds since 1970 and returns how many seconds its clocks are ahead of UTC then.
    package init(name: String, _ seconds: @escaping @Sendable (_ secondsSince1970: Int64) -> Int) {
        self.name = name
        self.seconds = seconds
    }

    package static let utc = ZoneOffsets(name: "UTC") { _ in 0 }

    func offset(_ timestamp: Int64) -> Int64 { Int64(seconds(timestamp)) }
}

/// When a schedule wants its jobs.
package enum ScheduleTimes: Sendable {
    case cron(CronExpression, ZoneOffsets)
    /// At the multiples of an interval since 1970, so that every worker knows the same ones; at least a second.
    case every(Duration)

    /// The first tick after a moment.
    package func next(after timestamp: Timestamp) -> Timestamp? {
        switch self {
        case .cron(let expression, let zone): expression.next(after: timestamp, in: zone)
        case .every(let interval): Self.multiple(of: interval, at: timestamp) + interval
        }
    }

    /// The last tick up to a moment.
    package func latest(at timestamp: Timestamp) -> Timestamp? {
        switch self {
        case .cron(let expression, let zone): expression.latest(at: timestamp, in: zone)
        case .every(let interval): Self.multiple(of: interval, at: timestamp)
        }
    }

    private static func multiple(of interval: Duration, at timestamp: Timestamp) -> Timestamp {
        let length = max(1000, interval.wholeMilliseconds)
        return Timestamp(milliseconds: timestamp.milliseconds / length * length)
    }
}
