internal import Basics

/// Timestamps as text, without Foundation's cost.
package enum ISO8601 {
    /// `2026-11-21T09:30:00.123Z` for milliseconds since 1970.
    package static func text(milliseconds: Int64) -> String {
        let day = milliseconds.quotientRoundedDown(by: 86_400_000)
        let time = milliseconds - day * 86_400_000
        let (year, month, dayOfMonth) = calendar(day: day)
        // A year before 0 or after 9999 has another width.
        guard (0...9999).contains(year) else {
            return date(day: day) + clock(time)
        }
        return String(unsafeUninitializedCapacity: 24) { text in
            write(year, month, dayOfMonth, to: text)
            write(time, to: UnsafeMutableBufferPointer(rebasing: text[10...]))
            return 24
        }
    }

    /// `2026-11-21` for the number of a day since 1970-01-01, by the proleptic Gregorian calendar.
    package static func date(day: Int64) -> String {
        let (year, month, dayOfMonth) = calendar(day: day)
        guard (0...9999).contains(year) else {
            return String(year)
                + String(unsafeUninitializedCapacity: 10) { text in
                    write(0, month, dayOfMonth, to: text)
                    return 10
                }.dropFirst(4)
        }
        return String(unsafeUninitializedCapacity: 10) { text in
            write(year, month, dayOfMonth, to: text)
            return 10
        }
    }

    private static func calendar(day: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let (year, month, dayOfMonth) = CalendarDate(dayNumber: Int(day)).components
        return (Int64(year), Int64(month), Int64(dayOfMonth))
    }

    private static func clock(_ time: Int64) -> String {
        String(unsafeUninitializedCapacity: 14) { text in
            write(time, to: text)
            return 14
        }
    }

    // MARK: Digits in their places

    private static func write(_ year: Int64, _ month: Int64, _ day: Int64, to text: UnsafeMutableBufferPointer<UInt8>) {
        write(year, 4, to: text, at: 0)
        text[4] = UInt8(ascii: "-")
        write(month, 2, to: text, at: 5)
        text[7] = UInt8(ascii: "-")
        write(day, 2, to: text, at: 8)
    }

    /// `T09:30:00.123Z`
    private static func write(_ time: Int64, to text: UnsafeMutableBufferPointer<UInt8>) {
        text[0] = UInt8(ascii: "T")
        write(time / 3_600_000, 2, to: text, at: 1)
        text[3] = UInt8(ascii: ":")
        write(time / 60_000 % 60, 2, to: text, at: 4)
        text[6] = UInt8(ascii: ":")
        write(time / 1000 % 60, 2, to: text, at: 7)
        text[9] = UInt8(ascii: ".")
        write(time % 1000, 3, to: text, at: 10)
        text[13] = UInt8(ascii: "Z")
    }

    private static func write(_ number: Int64, _ width: Int, to text: UnsafeMutableBufferPointer<UInt8>, at start: Int)
    {
        var rest = number
        for place in (start..<(start + width)).reversed() {
            text[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
    }
}

extension Int64 {
    fileprivate func quotientRoundedDown(by divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
