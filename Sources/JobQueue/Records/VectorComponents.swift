/// How the parts of vectors are kept as text: 32-bit numbers, eight hexadecimal digits each.
package enum VectorComponents {
    package static func text(of values: [Float]) -> String {
        var digits: [UInt8] = []
        digits.reserveCapacity(values.count * 8)
        for value in values {
            for shift in stride(from: 28, through: 0, by: -4) {
                let digit = UInt8(truncatingIfNeeded: value.bitPattern >> UInt32(shift) & 15)
                digits.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
            }
        }
        return String(decoding: digits, as: UTF8.self)
    }

    package static func values(of text: String) -> [Float] {
        var values: [Float] = []
        var (bits, digits): (UInt32, Int) = (0, 0)
        values.reserveCapacity(text.utf8.count / 8)
        for letter in text.utf8 {
            bits = bits << 4 | UInt32(letter <= UInt8(ascii: "9") ? letter & 15 : letter & 15 + 9)
            digits += 1
            guard digits == 8 else { continue }
            values.append(Float(bitPattern: bits))
            (bits, digits) = (0, 0)
        }
        return values
    }
}
