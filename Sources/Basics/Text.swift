internal import Glibc

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
    package func hasSameBytes(as other: some StringProtocol) -> Bool {
        let same = utf8.withContiguousStorageIfAvailable { text in
            other.utf8.withContiguousStorageIfAvailable { other in
                guard text.count == other.count else { return false }
                guard let bytes = text.baseAddress, let others = other.baseAddress else { return true }
                return memcmp(bytes, others, text.count) == 0
            }
        }
        return (same ?? nil) ?? utf8.elementsEqual(other.utf8)
    }

    /// Whether the text has the bytes of another one in it. `contains` also compares what are other spellings of the
    /// same characters, and takes a hundred times as long.
    package func containsBytes(of part: some StringProtocol) -> Bool {
        let found = utf8.withContiguousStorageIfAvailable { text in
            part.utf8.withContiguousStorageIfAvailable { part in Self.holds(text, part) }
        }
        if let found = found ?? nil { return found }
        return Array(utf8).withUnsafeBufferPointer { text in
            Array(part.utf8).withUnsafeBufferPointer { part in Self.holds(text, part) }
        }
    }

    private static func holds(_ text: UnsafeBufferPointer<UInt8>, _ part: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let first = part.first, let start = part.baseAddress else { return true }
        guard var place = UnsafeRawPointer(text.baseAddress) else { return false }
        let end = place + text.count
        // The places at which the rest is long enough.
        while end - place >= part.count,
            let next = memchr(place, Int32(first), end - place - part.count + 1).map({ UnsafeRawPointer($0) })
        {
            if memcmp(next, start, part.count) == 0 { return true }
            place = next + 1
        }
        return false
    }
}

extension String {
    /// The entries of a list that is written with spaces between them.
    package var listed: [String] { split(whereSeparator: \.isWhitespace).map(String.init) }
}
