/// A JSON number that keeps its exact decimal text.
///
/// `391035000000`, `6.11` and `1e400` survive a round trip unchanged. Two numbers are equal when they have the same
/// value in any notation: `1`, `1.0` and `10e-1` are one number.
public struct JSONNumber: Sendable {
    private enum Storage: Sendable {
        case integer(Int64)
        case literal(String)
    }

    private let storage: Storage

    /// A whole number.
    public init(_ value: Int64) { storage = .integer(value) }

    /// The shortest decimal text that reads back as the same double; `nil` for infinities and not-a-number.
    public init?(_ value: Double) {
        guard value.isFinite else { return nil }
        // `Int64(exactly:)` would need the C library's `trunc`, which is linked only where Foundation is used.
        if value.magnitude < 0x1p53, Double(Int64(value)) == value {
            storage = .integer(Int64(value))
        } else {
            storage = .literal("\(value)")
        }
    }

    /// A number from text that has already been checked to be a JSON number.
    init(checked literal: String) {
        if literal.utf8.count < 19, literal != "-0", let whole = Int64(literal) {
            storage = .integer(whole)
        } else {
            storage = .literal(literal)
        }
    }

    /// A number from its JSON text (`-12.5e3`); `nil` when the text is not a JSON number.
    public init?(literal: String) {
        guard case .number(let number)? = try? JSON(parsing: literal) else { return nil }
        self = number
    }

    /// The text as it was written.
    public var literal: String {
        switch storage {
        case .integer(let value): String(value)
        case .literal(let text): text
        }
    }

    /// The nearest double; infinite when the number is too large for one.
    public var double: Double {
        switch storage {
        case .integer(let value): Double(value)
        case .literal(let text): Double(text) ?? .nan
        }
    }

    /// The value when it is exactly a 64-bit integer.
    public var integer: Int64? {
        switch storage {
        case .integer(let value): value
        case .literal: Int64(canonical)
        }
    }

    /// One text for each value: plain decimal notation without superfluous zeros where that is short, else
    /// `digits` + `e` + exponent.
    public var canonical: String {
        guard case .literal(let text) = storage else { return literal }
        return DecimalText(text).canonical
    }
}

extension JSONNumber: Hashable {
    /// Whether both have the same value.
    public static func == (left: JSONNumber, right: JSONNumber) -> Bool {
        if case .integer(let one) = left.storage, case .integer(let other) = right.storage { return one == other }
        return left.canonical == right.canonical
    }

    /// Hashes the value, independent of its notation.
    public func hash(into hasher: inout Hasher) { hasher.combine(canonical) }
}

extension JSONNumber: Comparable {
    /// Compares the exact values: `1e400` is more than every double, and `0.1` is less than `0.1000000000000000001`.
    public static func < (left: JSONNumber, right: JSONNumber) -> Bool {
        if case .integer(let one) = left.storage, case .integer(let other) = right.storage { return one < other }
        return DecimalText(left.literal) < DecimalText(right.literal)
    }
}

extension JSONNumber {
    /// Whether the value has no fraction, of any size: true for `3`, `3.0` and `1e30`.
    public var isWhole: Bool {
        guard case .literal(let text) = storage else { return true }
        return DecimalText(text).isWhole
    }

    /// Whether the exact value is a whole multiple of a divisor: `0.3` of `0.1`, `1e400` of `2`.
    ///
    /// - Returns: `nil` when the divisor is zero or has more than 19 significant digits.
    public func isMultiple(of divisor: JSONNumber) -> Bool? {
        if case .integer(let value) = storage, case .integer(let divisor) = divisor.storage, divisor != 0 {
            return value.remainderReportingOverflow(dividingBy: divisor).partialValue == 0
        }
        return DecimalText(literal).isMultiple(of: DecimalText(divisor.literal))
    }
}

/// A decimal number taken apart into sign, digits and a power of ten.
private struct DecimalText {
    var isNegative = false
    var digits: [UInt8] = []
    /// The value is `0.digits × 10^point`.
    var point = 0

    init(_ text: String) {
        var exponent = 0
        var mantissa = Substring(text)
        if let mark = text.firstIndex(where: { $0 == "e" || $0 == "E" }) {
            mantissa = text[..<mark]
            exponent = Self.exponent(text[text.index(after: mark)...])
        }
        if mantissa.first == "-" {
            isNegative = true
            mantissa.removeFirst()
        }
        let parts = mantissa.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        digits = parts.flatMap { $0.utf8 }
        point = parts[0].utf8.count + exponent
        let zero = UInt8(ascii: "0")
        // Removed at once: one by one, each of a million zeros would move all digits after it.
        let leading = digits.prefix { $0 == zero }.count
        digits.removeFirst(leading)
        point -= leading
        while digits.last == zero { digits.removeLast() }
    }

    /// Larger than the exponent of any number in use, and small enough that adding a number of digits cannot overflow.
    private static let largestExponent = 1 << 60

    private static func exponent(_ text: Substring) -> Int {
        let limit = text.first == "-" ? -largestExponent : largestExponent
        guard let exponent = Int(text) else { return limit }
        return min(max(exponent, -largestExponent), largestExponent)
    }

    var canonical: String {
        guard !digits.isEmpty else { return "0" }
        let sign = isNegative ? "-" : ""
        let text = String(decoding: digits, as: UTF8.self)
        let count = digits.count
        if point >= count, point <= 21 { return sign + text + String(repeating: "0", count: point - count) }
        if point > 0, point < count { return sign + text.prefix(point) + "." + text.dropFirst(point) }
        if point <= 0, point > -6 { return sign + "0." + String(repeating: "0", count: -point) + text }
        return sign + text + "e" + String(point - count)
    }

    var isWhole: Bool { digits.isEmpty || point >= digits.count }

    static func < (left: DecimalText, right: DecimalText) -> Bool {
        guard left.sign == right.sign else { return left.sign < right.sign }
        return left.isNegative ? right.isBelow(left) : left.isBelow(right)
    }

    private var sign: Int { digits.isEmpty ? 0 : isNegative ? -1 : 1 }

    /// Compares the absolute values of two numbers other than zero.
    private func isBelow(_ other: DecimalText) -> Bool {
        point == other.point ? digits.lexicographicallyPrecedes(other.digits) : point < other.point
    }

    func isMultiple(of divisor: DecimalText) -> Bool? {
        guard !divisor.digits.isEmpty, divisor.digits.count <= 19 else { return nil }
        if digits.isEmpty { return true }
        let shift = (point - digits.count) - (divisor.point - divisor.digits.count)
        // The last digit is not 0, so the number is no multiple of a divisor with more zeros at its end.
        guard shift >= 0 else { return false }
        let modulus = divisor.digits.reduce(UInt128(0)) { $0 * 10 + UInt128($1 & 0xF) }
        var remainder = digits.reduce(UInt128(0)) { ($0 * 10 + UInt128($1 & 0xF)) % modulus }
        var (power, exponent) = (10 % modulus, shift)
        while exponent > 0 {
            if exponent & 1 == 1 { remainder = remainder * power % modulus }
            power = power * power % modulus
            exponent >>= 1
        }
        return remainder == 0
    }
}
