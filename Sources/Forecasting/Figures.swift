internal import Basics

/// Figures as texts.
extension Evaluation {
    package static func percent(_ share: Double, places: Int = 1) -> String {
        decimals(share * 100, places: places) + "%"
    }

    /// A number with a fixed count of decimals, rounded half away from zero.
    package static func decimals(_ value: Double, places: Int = 3) -> String {
        guard value.isFinite, abs(value) < 1e12 else { return "0" }
        var scale = 1.0
        for _ in 0..<places { scale *= 10 }
        let scaled = Int64((abs(value) * scale).rounded())
        let (whole, rest) = scaled.quotientAndRemainder(dividingBy: Int64(scale))
        let sign = value < 0 && scaled != 0 ? "-" : ""
        guard places > 0 else { return "\(sign)\(whole)" }
        let digits = String(rest)
        return "\(sign)\(whole)." + String(repeating: "0", count: places - digits.utf8.count) + digits
    }

    package static func day(_ time: Int64) -> String { CalendarDate(secondsSinceEpoch: time).description }

    /// ISO 8601 in UTC, without fractions.
    package static func timestamp(_ time: Int64) -> String {
        let date = CalendarDate(secondsSinceEpoch: time)
        let seconds = Int(time - date.secondsSinceEpoch)
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(date)T\(two(seconds / 3600)):\(two(seconds / 60 % 60)):\(two(seconds % 60))Z"
    }

    /// Rounded to six decimals, for answers: beyond that a figure says nothing.
    static func rounded(_ value: Double) -> Double { (value * 1e6).rounded() / 1e6 }
}
