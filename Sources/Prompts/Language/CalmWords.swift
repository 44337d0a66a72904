internal import Basics

/// The words of a text as the rules of calm language read them.
enum CalmWords {
    struct Word {
        /// As it is written, with composed accents.
        var text: String
        var lower: String
        /// In lower case and without accents.
        var folded: String
        /// Its place in the text.
        var range: Range<Int>
        /// Whether nothing but opening marks stands between it and the start of its sentence.
        var startsSentence: Bool
        /// Whether it ends a clause that a rule may not reach beyond: a full stop, a question or exclamation mark, a
        /// semicolon.
        var endsSentence: Bool

        fileprivate init(_ text: String, _ range: Range<Int>, startsSentence: Bool) {
            (self.text, self.range, self.startsSentence, endsSentence) = (text, range, startsSentence, false)
            lower = text.lowercased()
            folded = lower.withoutAccents
        }
    }

    /// Runs of letters or of digits, percent signs and commas. Apostrophes and hyphens part words: `n'attendez`, `vendez-vous`.
    static func split(_ plain: NormalizedText) -> [Word] {
        var words: [Word] = []
        var starts = true
        var place = 0
        let scalars = plain.scalars
        while place < scalars.count {
            let scalar = scalars[place]
            if scalar.isLetter || scalar.isDigit {
                let isLetter = scalar.isLetter
                var end = place + 1
                while end < scalars.count, scalars[end].isLetter == isLetter, isPart(scalars[end]) { end += 1 }
                words.append(Word(plain.string(place..<end), place..<end, startsSentence: starts))
                starts = false
                place = end
                continue
            }
            switch scalar {
            case "%", ",":
                words.append(Word(String(scalar), place..<place + 1, startsSentence: false))
                if scalar == "%" { starts = false }
            case ".", "!", "?", "…", ";", "\n":
                if isInside(place, scalars) { break }
                if !words.isEmpty { words[words.count - 1].endsSentence = true }
                starts = true
            case ":", "–", "¡", "¿": starts = true
            default: break
            }
            place += 1
        }
        return words
    }

    /// The words of each sentence, the last one also without an end.
    static func sentences(_ plain: NormalizedText) -> [ArraySlice<Word>] {
        let words = split(plain)
        var sentences: [ArraySlice<Word>] = []
        var start = 0
        for place in words.indices where words[place].endsSentence || place == words.count - 1 {
            sentences.append(words[start...place])
            start = place + 1
        }
        return sentences
    }

    private static func isPart(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isLetter || scalar.isDigit || (0x300...0x36F).contains(scalar.value)
    }

    /// `3.5`, `z.B.`: a point within a number or an abbreviation.
    private static func isInside(_ place: Int, _ scalars: [Unicode.Scalar]) -> Bool {
        guard scalars[place] == ".", place + 1 < scalars.count else { return false }
        return scalars[place + 1].isDigit || scalars[place + 1].isLetter
    }
}

/// A phrase that a rule of calm language forbids.
///
/// Written as words with spaces between them. `a|b` is one of several, `stem*`, `*end` and `*part*` match parts of
/// words, `_4` is up to four words of any kind, `a|b?` may be missing, `#` is a number in digits. A
/// first `^` says that the phrase begins a sentence; a first `!a|b` that none of these words goes before it; a last `$`
/// that its clause ends there. Words in capitals match as written, others in any case. A comma counts as a word.
struct CalmPhrase: Sendable {
    private enum Element: Sendable {
        case word([Pattern], isOptional: Bool)
        case gap(Int)
        case notAfter(Set<String>)
        case start
        case end
    }

    private struct Pattern: Sendable {
        enum Form { case whole, prefix, suffix, infix, number }

        var text: String
        var form: Form
        var isCaseSensitive: Bool

        init(_ written: Substring) {
            var text = written
            let (hasHead, hasTail) = (text.hasPrefix("*"), text.hasSuffix("*"))
            if hasHead { text.removeFirst() }
            if hasTail, !text.isEmpty { text.removeLast() }
            form =
                written == "#" ? .number : hasHead && hasTail ? .infix : hasHead ? .suffix : hasTail ? .prefix : .whole
            self.text = String(text)
            isCaseSensitive = self.text.lowercased() != self.text
        }

        func matches(_ word: CalmWords.Word) -> Bool {
            let given = isCaseSensitive ? word.text : word.lower
            switch form {
            case .whole: return given == text
            case .prefix: return given.hasPrefix(text)
            case .suffix: return given.hasSuffix(text)
            case .infix: return given.utf8.count >= text.utf8.count && given.contains(text)
            case .number: return given.unicodeScalars.first?.isDigit == true
            }
        }
    }

    /// Words that begin another clause.
    private static let conjunctions: Set<String> = ["und", "oder", "weil", "nachdem", "obwohl", "während", "wie"]

    private let elements: [Element]

    init(_ written: some StringProtocol) {
        elements = written.split(separator: " ").map { part in
            if part == "^" { return .start }
            if part == "$" { return .end }
            if part.hasPrefix("_"), let count = Int(part.dropFirst()) { return .gap(count) }
            if part.hasPrefix("!") {
                let words: Substring = Substring(part).dropFirst()
                return .notAfter(Set(words.split(separator: "|").map(String.init)))
            }
            let isOptional = part.hasSuffix("?")
            let whole = Substring(part)
            let words = (isOptional ? whole.dropLast() : whole).split(separator: "|")
            return .word(words.map { Pattern($0) }, isOptional: isOptional)
        }
    }

    /// The words of the first match; `nil` when the phrase does not occur.
    func match(in words: [CalmWords.Word]) -> Range<Int>? {
        for start in words.indices {
            if let end = end(from: start, 0, words, start: start) { return start..<end }
        }
        return nil
    }

    private func end(from place: Int, _ index: Int, _ words: [CalmWords.Word], start: Int) -> Int? {
        guard index < elements.count else { return place > start ? place : nil }
        switch elements[index] {
        case .start: return words[start].startsSentence ? end(from: place, index + 1, words, start: start) : nil
        case .end:
            let isEnd =
                place >= words.count || words[place - 1].endsSentence || words[place].lower == ","
                || Self.conjunctions.contains(words[place].lower)
            return isEnd ? end(from: place, index + 1, words, start: start) : nil
        case .notAfter(let banned):
            guard place == 0 || !banned.contains(words[place - 1].lower) else { return nil }
            return end(from: place, index + 1, words, start: start)
        case .gap(let most):
            for skipped in 0...most {
                if let end = end(from: place + skipped, index + 1, words, start: start) { return end }
                let next = place + skipped
                // Nothing reaches beyond the end of a sentence.
                guard next < words.count, next == start || !words[next - 1].endsSentence else { return nil }
            }
            return nil
        case .word(let patterns, let isOptional):
            if place < words.count, place == start || !words[place - 1].endsSentence,
                patterns.contains(where: { $0.matches(words[place]) }),
                let end = end(from: place + 1, index + 1, words, start: start)
            {
                return end
            }
            return isOptional ? end(from: place, index + 1, words, start: start) : nil
        }
    }
}
