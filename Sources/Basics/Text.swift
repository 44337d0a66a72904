extension StringProtocol {
    /// The text without white space at its ends.
    package var trimmed: String {
        let scalars = unicodeScalars
        guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
            let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
        else { return "" }
        return String(self[first...last])
    }

    /// The beginning of the text, up to a number of scalars. One character may have any number of them.
    package func prefix(scalars limit: Int) -> SubSequence {
        self[..<(unicodeScalars.index(startIndex, offsetBy: limit, limitedBy: endIndex) ?? endIndex)]
    }

    /// Whether both texts have the same UTF-8 bytes. `==` also takes other spellings of the same characters for equal.
    package func hasSameBytes(as other: some StringProtocol) -> Bool { utf8.elementsEqual(other.utf8) }
}
