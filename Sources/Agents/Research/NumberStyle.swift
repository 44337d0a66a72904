internal import Prompts

/// How numbers are written in prompts: few digits, so that a sentence can quote them as they stand.
enum NumberStyle {
    /// A number and its unit, which begins with a space where one belongs between them.
    struct Written: Sendable {
        var number: String
        var unit: String
    }

    static func write(_ value: Double, _ unit: Fact.Unit) -> Written {
        switch unit {
        case .ratio: Written(number: decimal(value * 100, 1) + "%", unit: "")
        case .percent: Written(number: decimal(value, 1) + "%", unit: "")
        case .times: Written(number: decimal(value, 2), unit: " times")
        case .years: Written(number: decimal(value, 1), unit: " years")
        case .shares: Written(number: large(value), unit: " shares")
        case .currency(let code): Written(number: large(value), unit: " " + code)
        case .number: Written(number: decimal(value, value == value.rounded() ? 0 : 1), unit: "")
        }
    }

    /// Millions from a million on, else two decimals.
    private static func large(_ value: Double) -> String {
        abs(value) >= 1_000_000
            ? decimal(value / 1_000_000, abs(value) < 10_000_000 ? 2 : 0) + " million" : decimal(value, 2)
    }

    /// With commas between thousands and so many decimals.
    static func decimal(_ value: Double, _ decimals: Int) -> String {
        let scaled = rounded(abs(value), decimals)
        // Nothing that a company reports is so large; a filing may state it nevertheless.
        guard scaled < 1e15 else { return "\(value)" }
        let whole = scaled.rounded(.down)
        var digits = String(Int64(whole))
        var grouped = ""
        while digits.count > 3 {
            grouped = "," + digits.suffix(3) + grouped
            digits.removeLast(3)
        }
        grouped = digits + grouped
        if decimals > 0 {
            let fraction = String(Int64(((scaled - whole) * power(10, Double(decimals))).rounded()))
            grouped += "." + String(repeating: "0", count: max(0, decimals - fraction.count)) + fraction
        }
        return (value < 0 && scaled > 0 ? "-" : "") + grouped
    }
}
