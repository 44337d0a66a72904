/// A language in which models answer readers.
package enum Language: String, Sendable, Hashable, CaseIterable {
    case english = "en"
    case german = "de"
    case spanish = "es"
    case french = "fr"

    /// The name by which prompts ask for it, and the value of their input `language`.
    package var englishName: String {
        switch self {
        case .english: "English"
        case .german: "German"
        case .spanish: "Spanish"
        case .french: "French"
        }
    }

    /// The language of this English name.
    package init?(englishName: String) {
        guard let found = Self.allCases.first(where: { $0.englishName.hasSameBytes(as: englishName) }) else {
            return nil
        }
        self = found
    }

    /// The longest language tag that is read, in bytes. RFC 5646 recommends room for 35.
    package static let longestTag = 35

    /// Looks a language tag up as RFC 4647 does: the tag itself, then with its last subtag cut off, and so on.
    ///
    /// `de-CH-1996` is German, as `de` is. `nil` for a language that nobody writes here, and for what is no tag.
    package init?(tag: String) {
        guard Self.isTag(tag) else { return nil }
        // All supported tags are single subtags, so the lookup always ends at the first.
        self.init(rawValue: tag.prefix { $0 != "-" }.lowercased())
    }

    /// Whether a text has the form of a language tag: subtags of 1 to 8 letters and digits, the first of 2 to 8 letters.
    package static func isTag(_ text: String) -> Bool {
        guard (2...longestTag).contains(text.utf8.count) else { return false }
        let subtags = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard let first = subtags.first, (2...8).contains(first.count), first.allSatisfy(isLetter) else { return false }
        return subtags.dropFirst().allSatisfy { subtag in
            (1...8).contains(subtag.count) && subtag.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) }
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }

    /// The language that an `Accept-Language` header asks for: of its supported ranges the one of the highest weight,
    /// the first of equals. `nil` when none is supported; `*` and what is no range are passed over.
    package init?(acceptLanguage header: String) {
        var best: (language: Language, weight: Int)?
        for range in header.utf8.prefix(1000).split(separator: UInt8(ascii: ",")).prefix(50) {
            let parts = range.split(separator: UInt8(ascii: ";")).map { Self.trimmed($0) }
            guard let tag = parts.first, let language = Language(tag: tag) else { continue }
            guard let weight = Self.weight(parts.dropFirst()), weight > 0, weight > best?.weight ?? 0 else { continue }
            best = (language, weight)
        }
        guard let best else { return nil }
        self = best.language
    }

    /// The weight in thousandths: `q=0.8` is 800; 1000 without one, `nil` where it is malformed.
    private static func weight(_ parameters: ArraySlice<String>) -> Int? {
        guard let parameter = parameters.first(where: { $0.lowercased().hasPrefix("q=") }) else { return 1000 }
        guard let value = Double(parameter.dropFirst(2)), (0...1).contains(value) else { return nil }
        return Int((value * 1000).rounded())
    }

    private static func trimmed(_ bytes: Substring.UTF8View.SubSequence) -> String {
        let isSpace = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
        let rest = bytes.drop(while: isSpace)
        return String(decoding: rest.reversed().drop(while: isSpace).reversed(), as: UTF8.self)
    }
}
