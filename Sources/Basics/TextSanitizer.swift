/// Makes text from outside harmless: requests, pages, feeds, captions, filings and answers of providers are sanitized
/// once, where they enter, before anything compares, hashes, searches, stores or prints them.
///
/// Swift compares and hashes strings by canonical equivalence. That sorts each run of combining marks in time quadratic
/// in its length, so one long run would stop a thread for minutes. Control characters and directional overrides change
/// what a terminal or a reader sees.
///
/// - A run of marks and joiners keeps its first 30, as the stream-safe text format of UAX #15 does. No language needs
///   as many.
/// - A run of regional indicators keeps its first 128, which are 64 flags: the step to the character before one costs
///   time in proportion to the run.
/// - Control characters (NUL, the other C0 but tab, line feed and carriage return, DEL, C1) are removed. Those that end
///   lines (U+000B, U+000C, U+0085), and U+2028 and U+2029, become line feeds.
/// - Directional embeddings, overrides and isolates (U+202A–U+202E, U+2066–U+2069) are removed. The marks U+200E,
///   U+200F and U+061C stay, since ordinary Arabic and Hebrew texts have them.
/// - What shows nothing and can hide a text from readers that a model reads is removed: tags (U+E0000–U+E007F) but
///   those of a flag, fillers, spaces and operators without a width, soft hyphens, noncharacters, and variation selectors
///   but one behind an ideograph or a symbol. Joiners stay.
///
/// All other text is unchanged. Sanitizing a second time changes nothing. The cost is linear in the bytes; most texts
/// cost one look at each byte and no copy.
///
/// A sanitizer remembers the run that the last text ended in, so a text may come in parts.
package struct TextSanitizer: Sendable {
    /// The longest run of marks that is kept, in scalars.
    package static let longestRun = 30
    /// The longest run of regional indicators that is kept.
    package static let longestFlags = 128

    /// Marks at the end of the text so far.
    private var run = 0
    /// Regional indicators at its end, with the marks among them.
    private var flags = 0
    /// The last scalar that was kept.
    private var last: UInt32 = 0

    package init() {}

    /// The next part of a text, made harmless.
    package mutating func sanitize(_ text: String) -> String {
        var text = text
        let change = text.withUTF8 { firstChange(in: $0) }
        guard let change else { return text }
        var bytes = Array(text.utf8)
        rewrite(&bytes, from: change)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Makes the bytes from a place on harmless; they must begin with a whole scalar of UTF-8.
    ///
    /// - Returns: The number of scalars that were removed.
    @discardableResult
    package mutating func sanitize(_ bytes: inout [UInt8], from start: Int = 0) -> Int {
        let change = bytes.withUnsafeBufferPointer { firstChange(in: UnsafeBufferPointer(rebasing: $0[start...])) }
        guard let change else { return 0 }
        return rewrite(&bytes, from: start + change)
    }

    // MARK: Steps

    private enum Step { case keep, remove, endLine }

    /// The place of the first scalar that changes; `nil` when none does.
    private mutating func firstChange(in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        var place = 0
        while place < bytes.count {
            let byte = bytes[place]
            // Most text is printable ASCII.
            if byte >= 0x20, byte < 0x7F {
                (run, flags, last) = (0, 0, UInt32(byte))
                place += 1
                continue
            }
            let before = self
            let (scalar, length) = Self.scalar(bytes, at: place)
            guard case .keep = step(scalar) else {
                self = before
                return place
            }
            place += length
        }
        return nil
    }

    @discardableResult
    private mutating func rewrite(_ bytes: inout [UInt8], from start: Int) -> Int {
        var removed = 0
        var end = start
        bytes.withUnsafeMutableBufferPointer { bytes in
            var place = start
            while place < bytes.count {
                let (scalar, length) = Self.scalar(UnsafeBufferPointer(bytes), at: place)
                switch step(scalar) {
                case .keep:
                    for index in place..<place + length {
                        bytes[end] = bytes[index]
                        end += 1
                    }
                case .endLine:
                    bytes[end] = 0x0A
                    end += 1
                case .remove: removed += 1
                }
                place += length
            }
        }
        bytes.removeLast(bytes.count - end)
        return removed
    }

    /// Removed scalars leave the run as it is, so that they cannot divide a long one.
    private mutating func step(_ scalar: UInt32) -> Step {
        if hides(scalar) { return .remove }
        let step = stepOfVisible(scalar)
        switch step {
        case .keep: last = scalar
        case .endLine: last = 0x0A
        case .remove: break
        }
        return step
    }

    /// Whether a scalar shows nothing where it stands.
    private func hides(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0xAD, 0x34F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180E, 0x200B, 0x2060...0x2064, 0x206A...0x206F, 0x3164,
            0xFEFF, 0xFFA0, 0xFFF9...0xFFFB, 0xFDD0...0xFDEF:
            true
        case 0xFE00...0xFE0F: !Self.isSymbol(last)
        case 0xE0100...0xE01EF: !Self.isIdeograph(last)
        // The tags of a flag, as England's, follow U+1F3F4.
        case 0xE0000...0xE007F: last != 0x1F3F4 && !(0xE0000...0xE007F).contains(last)
        default: scalar & 0xFFFE == 0xFFFE
        }
    }

    /// Whether a variation selector may follow: not behind a letter of ASCII, a space or another selector.
    private static func isSymbol(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x23, 0x2A, 0x30...0x39: true
        case 0..<0xA9, 0xFE00...0xFE0F, 0xE0000...0xE01EF: false
        default: true
        }
    }

    private static func isIdeograph(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x3400..<0xA000, 0xF900..<0xFB00, 0x20000..<0x40000: true
        default: false
        }
    }

    private mutating func stepOfVisible(_ scalar: UInt32) -> Step {
        switch scalar {
        case 0x09, 0x0A, 0x0D, 0x20..<0x7F, 0xA0..<0x300: break
        case 0x0B, 0x0C, 0x85, 0x2028, 0x2029:
            (run, flags) = (0, 0)
            return .endLine
        case 0..<0x20, 0x7F..<0xA0, 0x202A...0x202E, 0x2066...0x2069: return .remove
        case _ where TextMarks.contains(scalar):
            guard run < Self.longestRun else { return .remove }
            run += 1
            return .keep
        case 0x1F1E6...0x1F1FF:
            run = 0
            guard flags < Self.longestFlags else { return .remove }
            flags += 1
            return .keep
        default: break
        }
        (run, flags) = (0, 0)
        return .keep
    }

    /// The scalar at a place and its length in bytes. Bytes that are no UTF-8 count as one scalar each.
    @inline(__always)
    private static func scalar(_ bytes: UnsafeBufferPointer<UInt8>, at place: Int) -> (UInt32, Int) {
        let first = UInt32(bytes[place])
        let length = first < 0xC0 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
        let invalid: (UInt32, Int) = (0xFFFD, 1)
        guard length > 1 else { return first < 0x80 ? (first, 1) : invalid }
        guard first < 0xF8, place + length <= bytes.count else { return invalid }
        var scalar = first & (0x7F >> UInt32(length))
        for index in place + 1..<place + length {
            guard bytes[index] & 0xC0 == 0x80 else { return invalid }
            scalar = scalar << 6 | UInt32(bytes[index] & 0x3F)
        }
        return (scalar, length)
    }
}

extension String {
    /// The text made harmless; see `TextSanitizer`.
    package var sanitized: String {
        var sanitizer = TextSanitizer()
        return sanitizer.sanitize(self)
    }
}

/// The scalars that attach to the one before them: combining marks, joiners, variation selectors, modifiers, tags.
private enum TextMarks {
    private static let limit: UInt32 = 0x20000

    /// A bit for each scalar below the limit, since Unicode's tables take ten times as long.
    private static let bits: [UInt64] = {
        var bits = [UInt64](repeating: 0, count: Int(limit) / 64)
        for value in 0x300..<limit where !isIdeographOrPrivate(value) {
            guard let scalar = Unicode.Scalar(value), isMark(scalar) else { continue }
            bits[Int(value / 64)] |= 1 << UInt64(value % 64)
        }
        return bits
    }()

    static func contains(_ value: UInt32) -> Bool {
        if value < limit { return bits[Int(value / 64)] >> UInt64(value % 64) & 1 == 1 }
        return value >= 0xE0000 && Unicode.Scalar(value).map(isMark) ?? false
    }

    /// Large blocks without marks.
    private static func isIdeographOrPrivate(_ value: UInt32) -> Bool {
        switch value {
        case 0x3400..<0xA000, 0xAC00..<0xD7A4, 0xE000..<0xF900, 0x12000..<0x13400, 0x17000..<0x18D00: true
        default: false
        }
    }

    /// Not only scalars with a combining class: some of class 0 decompose into marks that have one (U+0F73), and the
    /// others attach without limit, too.
    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        let properties = scalar.properties
        return switch properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: true
        default:
            scalar == "\u{200D}" || properties.isGraphemeExtend || properties.isEmojiModifier
                || properties.canonicalCombiningClass != .notReordered
        }
    }
}
