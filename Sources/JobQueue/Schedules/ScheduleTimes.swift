internal import Foundation

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

    /// The zone of this name in the IANA database, such as `Europe/Berlin` or `UTC`; `nil` for everything else, such as
    /// abbreviations and offsets.
    package init?(named name: String) {
        let isName = name.utf8.allSatisfy { byte in
            (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte) || "_+-/".utf8.contains(byte)
        }
        guard (1...64).contains(name.utf8.count), isName, name == "UTC" || name.contains("/"),
            let zone = TimeZone(identifier: name)
        else { return nil }
        self.init(name: name) { zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double($0))) }
    }

    /// The offset at a time in seconds since 1970, in seconds.
    package func offset(_ timestamp: Int64) -> Int64 { Int64(seconds(timestamp)) }
}

/// The times at which a schedule submits jobs.
package enum ScheduleTimes: Sendable {
    /// A time of every day, by the clocks of a zone.
    package struct DailyTime: Sendable {
        private let seconds: Int64

        package init(hour: Int64, minute: Int64) { seconds = hour * 3600 + minute * 60 }

        /// The last such time at or before a timestamp.
        package func latest(at timestamp: Timestamp, in zone: ZoneOffsets) -> Timestamp? {
            let now = timestamp.milliseconds / 1000
            let midnight = (now + zone.offset(now)) / 86_400 * 86_400
            return [midnight + seconds, midnight + seconds - 86_400]
                .map { local in local - zone.offset(local - zone.offset(local)) }
                .first { $0 <= now }
                .map { Timestamp(milliseconds: $0 * 1000) }
        }
    }

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
