internal import Basics

/// Finds terms of finance that a text uses without saying what they are.
///
/// A term counts as explained where it first stands: by words in brackets or set off behind it, by words such as
/// `called` before it, or by a next sentence that says what it is. `JargonWords` has the terms and these words for each
/// language.
enum Jargon {
    /// The terms that the text is the first to use and does not explain, as it writes them. Adds all that it uses to
    /// `known`.
    static func unexplained(in text: String, _ language: Language = .english, known: inout Set<String>) -> [String] {
        let lexicon = JargonWords.of(language)
        let sentences = Sentences.split(text)
        var found: [String] = []
        for (place, sentence) in sentences.enumerated() {
            let words = Word.all(in: sentence)
            var position = 0
            while position < words.count {
                guard let match = lexicon.term(at: position, in: words) else {
                    position += 1
                    continue
                }
                let range = position..<position + match.words.count
                position = range.upperBound
                guard !match.isKnown, known.insert(match.words.joined(separator: " ")).inserted else { continue }
                let next = place + 1 < sentences.count ? sentences[place + 1] : ""
                if isExplained(range, words, sentence, next: next, term: match.words, language) { continue }
                found.append(
                    String(
                        sentence[
                            words[range.lowerBound].range.lowerBound..<words[range.upperBound - 1].range.upperBound]))
            }
        }
        return found
    }

    private static func isExplained(
        _ range: Range<Int>, _ words: [Word], _ sentence: String, next: String, term: [String], _ language: Language
    ) -> Bool {
        let lexicon = JargonWords.of(language)
        let before = sentence[..<words[range.lowerBound].range.lowerBound]
        let start = words[range.upperBound - 1].range.upperBound
        var rest = sentence[start...].lowercased()[...]
        while let first = rest.first, "\"”'’»“".contains(first) { rest = rest.dropFirst() }
        if before.last == "(" || rest.trimmedStart.hasPrefix("(") { return true }
        // `what it earns before interest, called EBITDA`
        let earlier = words[max(0, range.lowerBound - 3)..<range.lowerBound].map(\.text)
        if earlier.contains(where: lexicon.introductions.contains) { return true }
        if let last = earlier.last, lexicon.alternatives.contains(last), before.contains(",") { return true }
        for mark in [":", " :", " –", " —", "—", " - "] where rest.hasPrefix(mark) { return true }
        if rest.first == "," {
            let set = rest.dropFirst().trimmedStart
            if lexicon.apposition.contains(where: set.hasPrefix) { return true }
        }
        // `EBITDA is what a firm earns …` and, in the next sentence, `That is …` or `EBITDA means …`.
        if lexicon.definitions.contains(where: rest.hasPrefix) { return true }
        let following = next.lowercased()
        if lexicon.restatements.contains(where: following.hasPrefix) { return true }
        // "It is the fifth rise" counts, and defines nothing.
        let order = ConceptLexicon.of(language).matches(in: Word.all(in: next).map(\.text.folded))
        guard lexicon.definitions.contains(where: following.contains),
            !order.contains(where: { $0.concept.hasPrefix("ordinal") })
        else { return false }
        return lexicon.references.contains(where: following.hasPrefix) || following.contains(term[0])
    }

    /// A word of a sentence in lower case, with its place.
    struct Word {
        var text: String
        var range: Range<String.Index>

        /// Runs of letters and digits with the marks that terms have inside: `p/e`, `m&a`, `non-gaap`.
        static func all(in sentence: String) -> [Word] {
            var words: [Word] = []
            let scalars = sentence.unicodeScalars
            var place = scalars.startIndex
            func isPart(_ scalar: Unicode.Scalar) -> Bool {
                scalar.properties.isAlphabetic || scalar.properties.numericType != nil
                    || "-/&".unicodeScalars.contains(scalar)
            }
            while place < scalars.endIndex {
                guard isPart(scalars[place]) else {
                    place = scalars.index(after: place)
                    continue
                }
                var end = place
                while end < scalars.endIndex, isPart(scalars[end]) { end = scalars.index(after: end) }
                words.append(Word(text: String(sentence[place..<end]).lowercased(), range: place..<end))
                place = end
            }
            return words
        }
    }
}

extension Substring {
    fileprivate var trimmedStart: Substring { drop(while: \.isWhitespace) }
}
