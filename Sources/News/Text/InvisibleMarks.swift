/// Characters that show nothing: marks of direction, spaces without a width and soft hyphens.
///
/// Titles come with them from pages in Arabic and Hebrew and from editors. A reader does not see them, but they make one
/// word two and a title unequal to its copy.
enum InvisibleMarks {
    /// The text without them. A joiner (U+200C, U+200D) stays between two characters beyond ASCII, where Persian, the
    /// scripts of India and emoji need it.
    static func removed(from text: String) -> String {
        let scalars = Array(text.unicodeScalars)
        guard scalars.contains(where: { isMark($0) || isJoiner($0) }) else { return text }
        let visible = scalars.filter { !isMark($0) }
        var kept = String.UnicodeScalarView()
        for (place, scalar) in visible.enumerated() {
            guard isJoiner(scalar) else {
                kept.append(scalar)
                continue
            }
            let next = place + 1 < visible.count ? visible[place + 1] : nil
            if let before = kept.last, let next, isJoined(before), isJoined(next) { kept.append(scalar) }
        }
        return String(kept)
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0xAD, 0x61C, 0x180E, 0x200B, 0x200E, 0x200F, 0x202A...0x202E, 0x2060, 0x2066...0x2069, 0xFEFF: true
        default: false
        }
    }

    private static func isJoiner(_ scalar: Unicode.Scalar) -> Bool { scalar == "\u{200C}" || scalar == "\u{200D}" }

    private static func isJoined(_ scalar: Unicode.Scalar) -> Bool {
        !scalar.isASCII && !isJoiner(scalar) && !scalar.properties.isWhitespace
    }
}
