/// A text in which quotations are looked up.
///
/// What only looks different counts as the same: typographic and plain quotation marks, dashes, invisible characters,
/// and any run of white space. Letters, their case, digits and all other marks have to agree.
package struct SourceText: Sendable {
    private let source: [Unicode.Scalar]
    /// The source with white space as single spaces, and for each scalar its place in the source.
    private let scalars: [Unicode.Scalar]
    private let places: [Int]

    package init(_ text: String) {
        source = Array(text.unicodeScalars)
        (scalars, places) = Self.normal(source)
    }

    /// A passage as the source writes it; `nil` when it does not hold the quotation, whole words at both ends.
    ///
    /// Quotation marks and an ellipsis around the quotation are not part of it.
    package func passage(_ quote: String) -> String? {
        let wanted = Self.bare(Self.normal(Array(quote.unicodeScalars)).scalars)
        guard let first = wanted.first, let last = wanted.last, scalars.count >= wanted.count else { return nil }
        for start in 0...(scalars.count - wanted.count) where scalars[start] == first {
            let end = start + wanted.count
            guard scalars[end - 1] == last, scalars[start..<end].elementsEqual(wanted),
                isEdge(start - 1, first), isEdge(end, last)
            else { continue }
            var text = String.UnicodeScalarView()
            text.append(contentsOf: source[places[start]...places[end - 1]])
            return String(text)
        }
        return nil
    }

    /// Whether a neighbour does not go on with the word.
    private func isEdge(_ neighbour: Int, _ scalar: Unicode.Scalar) -> Bool {
        guard scalars.indices.contains(neighbour) else { return true }
        return !(Self.isWord(scalars[neighbour]) && Self.isWord(scalar))
    }

    private static func isWord(_ scalar: Unicode.Scalar) -> Bool { scalar.isLetter || scalar.isDigit }

    private static func normal(_ source: [Unicode.Scalar]) -> (scalars: [Unicode.Scalar], places: [Int]) {
        var scalars: [Unicode.Scalar] = []
        var places: [Int] = []
        for (place, scalar) in source.enumerated() {
            guard let plain = PlainText.plain(scalar) else { continue }
            if plain.isSpace {
                if scalars.last == " " || scalars.isEmpty { continue }
                scalars.append(" ")
            } else {
                scalars.append(
                    ["\u{201C}", "\u{201D}", "\u{201E}"].contains(plain) ? "\"" : plain == "–" ? "-" : plain)
            }
            places.append(place)
        }
        return (scalars, places)
    }

    private static func bare(_ scalars: [Unicode.Scalar]) -> ArraySlice<Unicode.Scalar> {
        let around: Set<Unicode.Scalar> = [" ", "\"", "'", "«", "»", "…"]
        var rest = scalars[...]
        while let first = rest.first, around.contains(first) { rest.removeFirst() }
        while let last = rest.last, around.contains(last) { rest.removeLast() }
        return rest
    }
}
