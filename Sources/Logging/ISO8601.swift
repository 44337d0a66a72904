/// Moments as text, without Foundation's cost.
public enum ISO8601 {
    /// `2026-11-21T09:30:00.123Z` for milliseconds since 1970.
    public static func text(milliseconds: Int64) -> String {
        let day = milliseconds.quotientRoundedDown(by: 86_400_000)
        let time = milliseconds - day * 86_400_000
        return date(day: day) + "T" + padded(time / 3_600_000, 2) + ":" + padded(time / 60_000 % 60, 2) + ":"
            + padded(time / 1000 % 60, 2) + "." + padded(time % 1000, 3) + "Z"
    }

    /// `2026-11-21` for the number of a day since 1970-01-01, by the proleptic Gregorian calendar.
    public static func date(day: Int64) -> String {
        // Counted from 0000-03-01, a year ends with its leap day, and an era of 400 years has 146,097 days.
        let shifted = day + 719_468
        let era = shifted.quotientRoundedDown(by: 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let dayOfMonth = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return padded(year, 4) + "-" + padded(month, 2) + "-" + padded(dayOfMonth, 2)
    }

    private static func padded(_ value: Int64, _ width: Int) -> String {
        let digits = String(value)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

extension Int64 {
    fileprivate func quotientRoundedDown(by divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
