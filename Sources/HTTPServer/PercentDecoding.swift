/// Decoding of `%41`, strict: a malformed escape, a NUL and what is not UTF-8 afterwards are refused, since each is a way
/// to make two readers see different text.
enum PercentDecoding {
    /// The text, or `nil` for what is refused. In queries a plus is a space.
    static func decode(_ bytes: UnsafeBufferPointer<UInt8>, plusIsSpace: Bool) -> String? {
        let percent = UInt8(ascii: "%")
        let plus = UInt8(ascii: "+")
        var isPlain = true
        for byte in bytes where byte == percent || byte >= 0x80 || (plusIsSpace && byte == plus) {
            isPlain = false
            break
        }
        if isPlain { return String(decoding: bytes, as: UTF8.self) }
        var decoded = [UInt8]()
        decoded.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            var byte = bytes[index]
            if byte == percent {
                guard index + 2 < bytes.count, let high = hex(bytes[index + 1]), let low = hex(bytes[index + 2]),
                    high << 4 | low != 0
                else { return nil }
                byte = high << 4 | low
                index += 2
            } else if plusIsSpace, byte == plus {
                byte = UInt8(ascii: " ")
            }
            decoded.append(byte)
            index += 1
        }
        return String(validating: decoded, as: UTF8.self)
    }

    private static func hex(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
