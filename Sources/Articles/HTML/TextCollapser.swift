/// Copies text with every run of white space made one space, and counts what it copies.
enum TextCollapser {
    struct Counts {
        var length: Int32 = 0
        var commas: Int32 = 0
        var isBlank = true
    }

    /// - Parameters:
    ///   - lastIsSpace: whether white space came before; then no more of it is copied.
    ///   - isPreformatted: keeps white space as it is.
    static func append(
        _ text: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8], lastIsSpace: inout Bool, isPreformatted: Bool
    ) -> Counts {
        var counts = Counts()
        var index = 0
        while index < text.count {
            let byte = text[index]
            index += 1
            var isSpace = byte == 0x20 || (byte >= 0x09 && byte <= 0x0D)
            if byte == 0xC2, index < text.count {
                // A no-break space, and the places 0x80 to 0x9F, which pages of Windows writers use for quotes.
                if text[index] == 0xA0 {
                    isSpace = true
                    index += 1
                } else if text[index] < 0xA0 {
                    bytes += Windows1252.utf8(of: text[index])
                    index += 1
                    counts.length += 1
                    (lastIsSpace, counts.isBlank) = (false, false)
                    continue
                }
            }
            if isSpace {
                if isPreformatted {
                    bytes.append(byte == 0xC2 ? 0x20 : byte)
                    counts.length += 1
                } else if !lastIsSpace {
                    bytes.append(0x20)
                    counts.length += 1
                }
                lastIsSpace = true
                continue
            }
            lastIsSpace = false
            counts.isBlank = false
            bytes.append(byte)
            if byte & 0xC0 != 0x80 { counts.length += 1 }
            if byte == 0x2C {
                counts.commas += 1
            } else if byte >= 0x80, isComma(text, endingAt: index) {
                counts.commas += 1
            }
        }
        return counts
    }

    /// The Arabic and the full-width comma.
    private static func isComma(_ text: UnsafeBufferPointer<UInt8>, endingAt end: Int) -> Bool {
        switch text[end - 1] {
        case 0x8C:
            (end >= 2 && text[end - 2] == 0xD8) || (end >= 3 && text[end - 2] == 0xBC && text[end - 3] == 0xEF)
        default: false
        }
    }
}

/// Windows-1252 from 0x80 to 0x9F, where ISO 8859-1 has control characters.
enum Windows1252 {
    private static let scalars: [UInt32] = [
        0x20AC, 0xFFFD, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0xFFFD,
        0x017D, 0xFFFD, 0xFFFD, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A,
        0x0153, 0xFFFD, 0x017E, 0x0178,
    ]

    /// The character of a byte from 0x80 to 0x9F.
    static func scalar(of byte: UInt8) -> Unicode.Scalar {
        (0x80...0x9F).contains(byte) ? Unicode.Scalar(scalars[Int(byte) - 0x80]) ?? "\u{FFFD}" : Unicode.Scalar(byte)
    }

    static func utf8(of byte: UInt8) -> [UInt8] { Array(String(scalar(of: byte)).utf8) }
}
