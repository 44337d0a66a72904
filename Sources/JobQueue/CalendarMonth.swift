internal import Basics

/// A month of the UTC calendar.
package struct CalendarMonth: Hashable, Sendable, Comparable, CustomStringConvertible {
    private let first: CalendarDate

    package init(of timestamp: Timestamp) {
        let day = CalendarDate(secondsSinceEpoch: timestamp.milliseconds / 1000)
        first = day + (1 - day.day)
    }

    /// Reads the form `2026-11`.
    package init?(_ text: String) {
        guard text.utf8.count == 7, let first = CalendarDate(text + "-01") else { return nil }
        self.first = first
    }

    package var description: String { String("\(first)".prefix(7)) }
    package var start: Timestamp { Self.midnight(first) }
    package var end: Timestamp { Self.midnight(first + CalendarDate.days(in: first.month, of: first.year)) }

    private static func midnight(_ date: CalendarDate) -> Timestamp {
        Timestamp(milliseconds: date.secondsSinceEpoch * 1000)
    }

    package static func < (one: CalendarMonth, other: CalendarMonth) -> Bool { one.first < other.first }
}
