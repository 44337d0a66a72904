/// Characters that show nothing: marks of direction, spaces without a width, soft hyphens, tags and fillers.
///
/// Titles come with them from pages in Arabic and Hebrew and from editors, and a hostile page hides text in them. A
/// reader does not see them, but they make one word two and a title unequal to its copy.
package enum InvisibleMarks {
    /// The text without them, except where writing needs them: a joiner (U+200C, U+200D) between two characters beyond
    /// ASCII (Persian, the scripts of India, emoji), the tags of a flag (England's), and one variation selector behind
    /// a character.
    package static func removed(from text: String) -> String {
        guard text.unicodeScalars.contains(where: { isMark($0) || isJoiner($0) || isTag($0) || isSelector($0) })
        else { return text }
        let visible = Array(text.unicodeScalars.filter { !isMark($0) })
        var kept: [Unicode.Scalar] = []
        var flagTags = 0
        for (place, scalar) in visible.enumerated() {
            if scalar == flag { flagTags = tagsOfFlag(behind: place, in: visible) }
            if isTag(scalar) {
                if flagTags > 0 { kept.append(scalar) }
                flagTags -= 1
            } else if isSelector(scalar) {
                if let before = kept.last, !isSelector(before), !before.properties.isWhitespace { kept.append(scalar) }
            } else if isJoiner(scalar) {
                let next = visible[(place + 1)...].first { !isTag($0) }
                if let before = kept.last, let next, isJoined(before), isJoined(next) { kept.append(scalar) }
            } else {
                kept.append(scalar)
            }
        }
        var result = String.UnicodeScalarView()
        result.append(contentsOf: kept)
        return String(result)
    }

    private static let flag: Unicode.Scalar = "\u{1F3F4}"
    /// The regions whose flags are written with tags: England, Scotland and Wales.
    private static let regions = ["gbeng", "gbsct", "gbwls"]

    /// The number of tags behind a black flag that make it a region's; none for other tags.
    private static func tagsOfFlag(behind place: Int, in text: [Unicode.Scalar]) -> Int {
        let tags = text[(place + 1)...].prefix(6).map(\.value)
        let isRegion = regions.contains { region in
            tags == region.unicodeScalars.map { 0xE0000 + $0.value } + [0xE007F]
        }
        return isRegion ? tags.count : 0
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0xAD, 0x61C, 0x115F, 0x1160, 0x180E, 0x200B, 0x200E, 0x200F, 0x202A...0x202E, 0x2060...0x2064,
            0x2066...0x206F, 0x3164,
            0xFDD0...0xFDEF, 0xFEFF, 0xFFA0, 0xFFF9...0xFFFB:
            true
        default: false
        }
    }

    private static func isTag(_ scalar: Unicode.Scalar) -> Bool { (0xE0000...0xE007F).contains(scalar.value) }

    private static func isSelector(_ scalar: Unicode.Scalar) -> Bool {
        (0xFE00...0xFE0F).contains(scalar.value) || (0xE0100...0xE01EF).contains(scalar.value)
    }

    private static func isJoiner(_ scalar: Unicode.Scalar) -> Bool { scalar == "\u{200C}" || scalar == "\u{200D}" }

    private static func isJoined(_ scalar: Unicode.Scalar) -> Bool {
        !scalar.isASCII && !isJoiner(scalar) && !scalar.properties.isWhitespace
    }
}
