internal import Observability

/// Moments in the three forms that the news documents print.
package enum FeedTimestamp {
    static let day: Int64 = 86_400_000

    /// `2026-01-02T10:00:00Z`
    package static func seconds(_ milliseconds: Int64) -> String {
        ISO8601.text(milliseconds: milliseconds).prefix(19) + "Z"
    }

    /// `2026-01-04T15:21:12.282Z`
    package static func milliseconds(_ milliseconds: Int64) -> String { ISO8601.text(milliseconds: milliseconds) }

    /// `2026-01-04 15:16:46`
    package static func database(_ milliseconds: Int64) -> String {
        String(ISO8601.text(milliseconds: milliseconds).prefix(19)).replacing("T", with: " ")
    }

    /// `2026-01-04`, the day in UTC.
    package static func date(_ milliseconds: Int64) -> String {
        String(ISO8601.text(milliseconds: milliseconds).prefix(10))
    }

    /// The first moment of a day given as `2026-01-04`; `nil` for what is no day of the calendar.
    package static func start(ofDate text: String) -> Int64? {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard text.utf8.count == 10, parts.map(\.utf8.count) == [4, 2, 2],
            let year = number(parts[0]), let month = number(parts[1]), let dayOfMonth = number(parts[2]),
            year >= 1970, (1...12).contains(month), (1...31).contains(dayOfMonth)
        else { return nil }
        // Counted from March, a year ends with its leap day.
        let (shifted, fromMarch) = month > 2 ? (year, month - 3) : (year - 1, month + 9)
        let number =
            shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + (153 * fromMarch + 2) / 5 + dayOfMonth - 1
            - 719_468
        // A day that the calendar does not have prints as another one.
        return ISO8601.date(day: number) == text ? number * day : nil
    }

    private static func number(_ digits: Substring) -> Int64? {
        digits.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int64(digits) : nil
    }
}
