internal import Basics
import FoundationEssentials

/// Texts that come without markup.
package enum PlainText {
    /// The text in any encoding, with line feeds alone between lines and no other control characters.
    package static func read(_ body: [UInt8], contentType: String? = nil) -> String {
        let text = String(decoding: CharacterEncoding.utf8(body, contentType: contentType), as: UTF8.self)
        return text.sanitized.replacing("\r\n", with: "\n").replacing("\r", with: "\n").trimmed
    }
}

extension String {
    /// With every run of white space as one space, and none at the ends.
    var collapsed: String {
        var result: [UInt8] = []
        result.reserveCapacity(utf8.count)
        var pending = false
        for scalar in unicodeScalars {
            if scalar.properties.isWhitespace || scalar.value == 0xFEFF {
                pending = !result.isEmpty
            } else {
                if pending { result.append(0x20) }
                pending = false
                result += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// `nil` when there is nothing but white space.
    var nonBlank: String? {
        let text = collapsed
        return text.isEmpty ? nil : text
    }
}

/// A 64-bit fingerprint; nearly identical texts differ in few bits (SimHash over runs of three words).
package struct TextFingerprint: Sendable, Hashable {
    package let bits: UInt64
    /// Words that were counted; with few of them a fingerprint is unreliable.
    package let words: Int

    private static let run = 3
    /// Beyond this many words a text is known well enough.
    private static let longest = 20_000

    /// A fingerprint that was made before.
    package init(bits: UInt64, words: Int) {
        self.bits = bits
        self.words = words
    }

    package init(_ text: String) {
        var hashes: [UInt64] = []
        var word: UInt64 = Self.seed
        var length = 0
        func end() {
            if length > 0 { hashes.append(word) }
            word = Self.seed
            length = 0
        }
        for scalar in text.lowercased().unicodeScalars where hashes.count < Self.longest {
            guard scalar.properties.isAlphabetic || scalar.properties.numericType != nil else {
                end()
                continue
            }
            word = (word ^ UInt64(scalar.value)) &* 0x100_0000_01B3
            length += 1
            // Texts without spaces between words are taken by the character.
            if scalar.value >= 0x2E80, scalar.value < 0xAC00 { end() }
        }
        end()
        words = hashes.count
        var votes = [Int](repeating: 0, count: 64)
        for start in 0..<max(hashes.count - Self.run + 1, min(hashes.count, 1)) {
            let shingle = hashes[start..<min(start + Self.run, hashes.count)].reduce(Self.seed) { Self.mixed($0 ^ $1) }
            for bit in 0..<64 { votes[bit] += shingle >> UInt64(bit) & 1 == 1 ? 1 : -1 }
        }
        bits = votes.enumerated().reduce(0) { $1.element > 0 ? $0 | 1 << UInt64($1.offset) : $0 }
    }

    /// The number of the 64 bits in which two texts differ: 0 for equal texts, about 32 for unrelated ones.
    package func distance(to other: TextFingerprint) -> Int { (bits ^ other.bits).nonzeroBitCount }

    /// Whether two texts are the same but for an edit here and there. Texts of under 20 words never count.
    package func isNear(_ other: TextFingerprint) -> Bool {
        min(words, other.words) >= 20 && distance(to: other) <= 8
    }

    private static let seed: UInt64 = 0xCBF2_9CE4_8422_2325

    /// Spreads every bit over all others.
    private static func mixed(_ value: UInt64) -> UInt64 {
        var value = value
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}

/// Texts that feeds carry in Base64.
enum Base64 {
    /// `nil` when the text is not Base64.
    static func text(_ encoded: String) -> String? {
        Data(base64Encoded: encoded.filter { !$0.isWhitespace }).map { String(decoding: $0, as: UTF8.self).sanitized }
    }
}
