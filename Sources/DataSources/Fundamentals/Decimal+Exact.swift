import FoundationEssentials
import JSON

extension Decimal {
    /// The exact value of a JSON number; `nil` where it is too large or has too many digits.
    init?(exactly number: JSONNumber) {
        if let whole = number.integer {
            self = Decimal(whole)
        } else if let value = Decimal(string: number.literal), !value.isNaN, number == value.jsonNumber {
            self = value
        } else {
            return nil
        }
    }

    /// `nil` only for not-a-number.
    var jsonNumber: JSONNumber? { JSONNumber(literal: description) }

    var json: JSON { jsonNumber.map(JSON.number) ?? .null }

    var double: Double { Double(description) ?? .nan }

    var magnitude: Decimal { isSignMinus ? -self : self }

    /// Rounded half away from zero to at most so many decimals (0 to 12).
    func rounded(decimals: Int) -> Decimal {
        let unit = Decimal(sign: .plus, exponent: -decimals, significand: 1)
        let scaled = (magnitude / unit + Decimal(sign: .plus, exponent: -1, significand: 5)).description
        guard let whole = Decimal(string: String(scaled.prefix { $0 != "." })) else { return self }
        return isSignMinus ? -(whole * unit) : whole * unit
    }

    /// Half of the last digit that was written: the most that rounding can have changed. For whole numbers the
    /// trailing zeros count as rounding (62,658 thousand becomes 63 million in a later filing).
    var halfUnit: Decimal {
        guard self != 0 else { return 0 }
        var exponent = self.exponent
        var digits = significand.description
        while digits.hasSuffix("0"), digits.count > 1 {
            digits.removeLast()
            exponent += 1
        }
        return Decimal(sign: .plus, exponent: exponent - 1, significand: 5)
    }
}
