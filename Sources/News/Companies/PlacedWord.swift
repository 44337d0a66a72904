internal import Basics

/// A word with its place in a text, for matching names.
struct PlacedWord {
    /// With its hyphens, without quotes and a possessive's ending.
    var written: String
    /// In lower case; in English where a glossary has it.
    var lower: String
    /// In lower case, without accents.
    var folded: String
    /// Whether a glossary has a word of business for it.
    var isGlossed = false
    /// Its place, in scalars.
    var place: Int
    var isPossessive: Bool
    /// Whether a clause begins here.
    var opensClause: Bool
    /// Whether a comma stands before it.
    var followsComma = false
    /// Whether nothing but a hyphen stands before it: `Meta-analysis`.
    var followsHyphen = false

    var isCapitalised: Bool { written.contains { $0.isUppercase } }

    /// The words of a text, at most 1,000, and its language.
    static func all(in text: String) -> (words: [PlacedWord], language: Language) {
        let words = split(text)
        guard let glossary = HeadlineWords.glossary(of: words.map(\.folded)) else { return (words, .english) }
        var parts = glossary.language == .french ? words.flatMap(\.withoutElision) : words
        for (place, meaning) in glossary.meanings(of: parts.map(\.folded)) {
            parts[place].lower = meaning
            parts[place].isGlossed = !CommonWords.functional.contains(Stemmer.stem(meaning))
        }
        return (parts, glossary.language)
    }

    /// `d` and `Apple` of `d'Apple`.
    private var withoutElision: [PlacedWord] {
        guard let parts = Elision.split(written) else { return [self] }
        var (opening, rest) = (self, self)
        (opening.written, opening.lower, opening.folded) = (parts.opening, parts.opening.lowercased(), parts.opening)
        (rest.written, rest.lower) = (parts.rest, parts.rest.lowercased())
        rest.folded = Words.of(parts.rest).first?.folded ?? rest.lower
        rest.place += parts.opening.unicodeScalars.count + 1
        (rest.opensClause, rest.followsComma, rest.followsHyphen) = (false, false, false)
        return [opening, rest]
    }

    private static func split(_ text: String) -> [PlacedWord] {
        var words: [PlacedWord] = []
        var current = String.UnicodeScalarView()
        var start = 0
        var opens = true
        var pendingBreak = false
        var (comma, pendingComma) = (false, false)
        var (hyphen, pendingHyphen) = (false, false)
        func finish() {
            guard !current.isEmpty else { return }
            for part in Words.of(String(current)) {
                words.append(
                    PlacedWord(
                        written: part.written, lower: part.written.lowercased(), folded: part.folded, place: start,
                        isPossessive: String(current).hasSuffix("'s") && !part.written.hasSuffix("'s"),
                        opensClause: opens, followsComma: comma, followsHyphen: hyphen))
                (opens, comma, hyphen) = (false, false, false)
            }
            current.removeAll()
        }
        for (place, scalar) in text.unicodeScalars.enumerated() {
            guard words.count < 1000 else { break }
            let isWord = scalar.properties.isAlphabetic || Words.isDigit(scalar)
            let isInner = scalar == "&" || scalar == "'" || scalar == "\u{2019}" || scalar == "."
            if isWord || isInner && !current.isEmpty {
                if current.isEmpty {
                    start = place
                    opens = words.isEmpty || pendingBreak
                    pendingBreak = false
                    comma = pendingComma
                    pendingComma = false
                    hyphen = pendingHyphen
                    pendingHyphen = false
                }
                current.append(scalar == "\u{2019}" ? "'" : scalar)
            } else {
                // The end of a sentence, but not of `J.P.` or `Co.`.
                if current.last == ".", current.count > 3, current.count(where: { $0 == "." }) == 1 {
                    pendingBreak = true
                }
                pendingHyphen = !current.isEmpty && (scalar == "-" || scalar == "\u{2010}" || scalar == "\u{2011}")
                finish()
                if scalar == "," { pendingComma = true }
                if ":;,()|?!\"\u{201C}\u{201D}\u{2013}\u{2014}".unicodeScalars.contains(scalar) { pendingBreak = true }
            }
        }
        finish()
        return words
    }
}
