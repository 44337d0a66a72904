/// The offset of a time zone from UTC.
package struct ZoneOffsets: Sendable {
    /// `Europe/Berlin`.
    package let name: String
    private let seconds: @Sendable (Int64) -> Int

    /// Creates a zone from a function that returns its offset from UTC, in seconds, at a time in seconds since 1970.
    package init(name: String, _ seconds: @escaping @Sendable (_ secondsSince1970: Int64) -> Int) {
        self.name = name
        self.seconds = seconds
    }

    package static let utc = ZoneOffsets(name: "UTC") { _ in 0 }

    func offset(_ timestamp: Int64) -> Int64 { Int64(seconds(timestamp)) }
}

/// The times at which a schedule submits jobs.
package enum ScheduleTimes: Sendable {
    case cron(CronExpression, ZoneOffsets)
    /// The multiples of an interval since 1970, so that every worker computes the same times; at least one second.
    case every(Duration)

    /// The first run after a timestamp.
    package func next(after timestamp: Timestamp) -> Timestamp? {
        switch self {
        case .cron(let expression, let zone): expression.next(after: timestamp, in: zone)
        case .every(let interval): Self.multiple(of: interval, at: timestamp) + interval
        }
    }

    /// The last run at or before a timestamp.
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
