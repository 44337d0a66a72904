import Foundation

/// Times on the wire: `2026-01-04T15:16:46.000Z` with any number of digits behind the point or none, an offset in place
/// of `Z`, or `2026-01-04 15:16:46`, which is UTC.
///
/// Read and written by hand: Foundation's formatters read one form each.
enum WireTime {
    static func date(_ text: String) -> Date? {
        var reader = Reader(bytes: Array(text.utf8))
        guard let year = reader.number(4), reader.skip("-"), let month = reader.number(2), reader.skip("-"),
            let day = reader.number(2), reader.skip("T") || reader.skip("t") || reader.skip(" "),
            let hour = reader.number(2), reader.skip(":"), let minute = reader.number(2), reader.skip(":"),
            let second = reader.number(2), (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60,
            second <= 60
        else { return nil }
        let fraction = reader.fraction()
        guard let offset = reader.offset(), reader.isAtEnd else { return nil }
        let seconds = ((daysSince1970(year, month, day) * 24 + hour) * 60 + minute) * 60 + second - offset
        return Date(timeIntervalSince1970: Double(seconds) + fraction)
    }

    /// With milliseconds and `Z`.
    static func text(_ date: Date) -> String {
        let limit = 253_402_300_799.999
        let time = min(max(date.timeIntervalSince1970, -62_135_596_800), limit)
        let milliseconds = Int((time * 1000).rounded())
        let (days, rest) = milliseconds.quotientAndRemainder(flooredBy: 86_400_000)
        let (year, month, day) = civilDay(days)
        let seconds = rest / 1000
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
            + "T\(padded(seconds / 3600, 2)):\(padded(seconds / 60 % 60, 2)):\(padded(seconds % 60, 2))"
            + ".\(padded(rest % 1000, 3))Z"
    }

    private static func padded(_ number: Int, _ digits: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
    }

    /// Days of the Gregorian calendar, counted in years that begin in March, so that leap days come last.
    private static func daysSince1970(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let shifted = month <= 2 ? year - 1 : year
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
    }

    private static func civilDay(_ days: Int) -> (year: Int, month: Int, day: Int) {
        let (cycle, day) = (days + 719_468).quotientAndRemainder(flooredBy: 146_097)
        let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365
        let dayOfYear = day - (365 * year + year / 4 - year / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (cycle * 400 + year + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }

    private struct Reader {
        let bytes: [UInt8]
        var place = 0

        var isAtEnd: Bool { place == bytes.count }

        mutating func skip(_ character: Unicode.Scalar) -> Bool {
            guard place < bytes.count, bytes[place] == UInt8(ascii: character) else { return false }
            place += 1
            return true
        }

        mutating func digit() -> Int? {
            guard place < bytes.count, bytes[place] >= 48, bytes[place] <= 57 else { return nil }
            defer { place += 1 }
            return Int(bytes[place]) - 48
        }

        mutating func number(_ digits: Int) -> Int? {
            var number = 0
            for _ in 0..<digits {
                guard let digit = digit() else { return nil }
                number = number * 10 + digit
            }
            return number
        }

        /// To the nearest millisecond that a `Double` of today's seconds can hold.
        mutating func fraction() -> Double {
            guard skip(".") else { return 0 }
            var (value, scale) = (0.0, 0.1)
            while let digit = digit() {
                value += Double(digit) * scale
                scale /= 10
            }
            return (value * 1_000_000).rounded() / 1_000_000
        }

        /// Seconds east of Greenwich.
        mutating func offset() -> Int? {
            if isAtEnd || skip("Z") || skip("z") { return 0 }
            let sign = skip("+") ? 1 : skip("-") ? -1 : 0
            guard sign != 0, let hours = number(2) else { return nil }
            _ = skip(":")
            guard let minutes = number(2) else { return nil }
            return sign * (hours * 3600 + minutes * 60)
        }
    }
}

extension Date {
    /// As the wire has it.
    var inWholeMilliseconds: Date { WireTime.date(WireTime.text(self)) ?? self }
}

extension Int {
    /// The remainder is never negative.
    fileprivate func quotientAndRemainder(flooredBy divisor: Int) -> (Int, Int) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
