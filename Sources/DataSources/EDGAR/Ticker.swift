/// A ticker in the SEC's spelling: upper case, a class or series suffix after a hyphen (`BRK-B`).
package struct Ticker: Hashable, Sendable, CustomStringConvertible {
    package let text: String
    package var description: String { text }

    /// Accepts any case, surrounding space and the three common spellings of a class (`BRK-B`, `BRK.B`, `BRK/B`).
    ///
    /// - Throws: `DataSourceError.invalidTicker`.
    package init(_ input: String) throws(DataSourceError) {
        let trimmed = input.drop(while: \.isWhitespace)
        let end = trimmed.lastIndex { !$0.isWhitespace }.map { trimmed.index(after: $0) } ?? trimmed.startIndex
        let canonical = String(trimmed[..<end].map { $0 == "." || $0 == "/" ? "-" : $0 }).uppercased()
        guard Self.isValid(canonical) else { throw .invalidTicker(input) }
        text = canonical
    }

    /// One to six letters or digits that begin with a letter, and perhaps a suffix of one to three.
    private static func isValid(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard let root = parts.first, parts.count <= 2, (1...6).contains(root.count), isLetter(root.first) else {
            return false
        }
        if parts.count == 2, !(1...3).contains(parts[1].count) { return false }
        return parts.joined().allSatisfy { isLetter($0) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    private static func isLetter(_ byte: UInt8?) -> Bool {
        byte.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) } ?? false
    }
}
