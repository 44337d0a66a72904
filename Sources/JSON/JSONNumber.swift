/// A JSON number that keeps its exact decimal text.
///
/// `391035000000`, `6.11` and `1e400` survive a round trip unchanged. Two numbers are equal when they have the same
/// value, however they were written: `1`, `1.0` and `10e-1` are one number.
public struct JSONNumber: Sendable {
    private enum Storage: Sendable {
        case integer(Int64)
        case literal(String)
    }

    private let storage: Storage

    public init(_ value: Int64) { storage = .integer(value) }

    /// The shortest decimal text that reads back as the same double; `nil` for infinities and not-a-number.
    public init?(_ value: Double) {
        guard value.isFinite else { return nil }
        if let whole = Int64(exactly: value), abs(whole) < 1 << 53 {
            storage = .integer(whole)
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
    public static func == (left: JSONNumber, right: JSONNumber) -> Bool {
        if case .integer(let one) = left.storage, case .integer(let other) = right.storage { return one == other }
        return left.canonical == right.canonical
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(canonical) }
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
        // All at once: a number of a million zeros must not take a million moves of what follows.
        let leading = digits.prefix { $0 == zero }.count
        digits.removeFirst(leading)
        point -= leading
        while digits.last == zero { digits.removeLast() }
    }

    /// Far beyond every number that anything computes with, far below where adding the number of digits would overflow.
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
}
