internal import Basics

/// Holds text of a model to plain words: no addresses, no telephone numbers, no markup, nothing that a reader does not
/// see.
package enum PlainTextRule {
    /// Ends of names of sites.
    private static let domains: Set<Substring> = [
        "com", "net", "org", "io", "ai", "co", "app", "dev", "xyz", "info", "biz", "shop", "online", "site", "top",
        "club", "me", "tv", "ly", "gg", "us", "uk", "de", "fr", "es", "eu", "cn", "ru", "link", "page", "example",
    ]

    /// What is wrong with a text, as the end of a sentence about it; `nil` for plain words.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - sources: Texts whose names of sites are names of things: "Amazon.com".
    ///   - hasLines: Whether the text may have several lines.
    /// - Returns: The words after the text's place.
    package static func fault(in text: String, sources: [String], hasLines: Bool) -> String? {
        var before: Unicode.Scalar = " "
        let isVisible = text.unicodeScalars.allSatisfy { scalar in
            defer { before = scalar }
            if isPartOfCharacter(scalar, after: before) { return true }
            if scalar == "\n" { return hasLines }
            if scalar.isASCII { return scalar.value >= 0x20 && scalar.value != 0x7F }
            switch scalar.properties.generalCategory {
            case .control, .format, .privateUse, .surrogate, .unassigned, .lineSeparator, .paragraphSeparator:
                return false
            default: return !scalar.properties.isDefaultIgnorableCodePoint
            }
        }
        if !isVisible || !text.hasSameBytes(as: text.sanitized) {
            return "has characters that nobody sees; say it in plain words"
        }
        let folded = text.lowercased()
        if hasMarkup(folded) || hasAddress(folded, sources) { return "has a link or markup; say it in plain words" }
        if PhoneNumber.isIn(folded) { return "has a telephone number; leave it out" }
        return nil
    }

    /// Joiners of emoji and scripts, selectors of a form, and the tags of a flag, which texts from outside may have: where
    /// they hide something, sanitizing takes them out.
    private static func isPartOfCharacter(_ scalar: Unicode.Scalar, after before: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x200C, 0x200D: !before.isASCII
        case 0xFE00...0xFE0F, 0xE0020...0xE007F, 0xE0100...0xE01EF: true
        default: false
        }
    }

    private static let marks = [
        "://", "www.", "](", "**", "__", "`", "mailto:", "javascript:", "&lt;", "&gt;", "&amp;", "&#",
    ]

    /// Whether a text has marks of HTML or Markdown, an address with its protocol, or the name of an account.
    private static func hasMarkup(_ folded: String) -> Bool {
        if marks.contains(where: { folded.containsBytes(of: $0) }) { return true }
        // Without one of these there is nothing to look for, and splitting a text into characters takes long.
        guard folded.utf8.contains(where: "<*_@#".utf8.contains) else { return false }
        let tags = folded.ranges(of: "<")
        let hasTag = tags.contains { range in
            folded[range.upperBound...].first.map { $0.isLetter || "/!?".contains($0) } ?? false
        }
        let isEmphasised = folded.split(separator: " ").contains { word in
            word.count > 2 && ["*", "_"].contains { word.hasPrefix($0) && word.dropFirst().contains($0) }
        }
        let hasAccount = folded.split { !($0.isLetter || $0.isNumber || "@_.".contains($0)) }.contains { word in
            word.first == "@" && word.dropFirst().first?.isLetter == true
        }
        return hasTag || isEmphasised || hasAccount || folded.split(separator: "\n").contains { $0.hasPrefix("#") }
    }

    /// Whether a text has an address without a protocol that is none of the sources'.
    private static func hasAddress(_ folded: String, _ sources: [String]) -> Bool {
        // A name of a site has a dot before a letter.
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        let hasDot = zip(folded.utf8, folded.utf8.dropFirst()).contains { dot, next in
            dot == UInt8(ascii: ".") && next > UInt8(ascii: " ") && !digits.contains(next)
        }
        guard hasDot else { return false }
        let words = folded.split { $0.isWhitespace || "()[]\"“”„«»,;".contains($0) }
        return words.contains { word in
            let host = word.prefix { $0.isLetter || $0.isNumber || "-.@".contains($0) }
            var name = host
            while name.last == "." { name = name.dropLast() }
            let labels = name.split(separator: ".", omittingEmptySubsequences: false)
            guard labels.count > 1, let last = labels.last, labels.allSatisfy({ !$0.isEmpty }),
                last.count > 1, last.allSatisfy(\.isLetter)
            else { return false }
            let hasPath = word[host.endIndex...].first == "/"
            // Nobody is sent to an address of mail, also not to one that a source has.
            if name.contains("@") { return true }
            guard domains.contains(last) || hasPath else { return false }
            return hasPath || !sources.contains { $0.lowercased().containsBytes(of: name) }
        }
    }
}
