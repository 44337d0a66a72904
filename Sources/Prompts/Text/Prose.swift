internal import Basics

/// The parts of a text that the checks count.
struct Prose {
    let text: String

    init(_ text: String) { self.text = text }

    /// The parts between spaces that have a letter or a digit.
    var words: [Substring] {
        text.split(whereSeparator: \.isWhitespace).filter { word in word.contains(where: \.isWordPart) }
    }

    var sentences: [String] { Sentences.split(text) }

    /// Stretches of text with empty lines between them.
    var paragraphs: [String] {
        var paragraphs: [String] = []
        var lines: [Substring] = []
        let rows: [Substring] = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for line in rows + [""] {
            if line.allSatisfy(\.isWhitespace) {
                if !lines.isEmpty { paragraphs.append(lines.joined(separator: "\n")) }
                lines = []
            } else {
                lines.append(line)
            }
        }
        return paragraphs
    }

    var averageSentenceWords: Double {
        let count = sentences.count
        return count == 0 ? 0 : Double(words.count) / Double(count)
    }

    /// Words that an adult reads in a minute, silently and in a text that is not fiction (the mean of 190 studies:
    /// Brysbaert 2019).
    private static let wordsPerMinute = 238.0
    /// Letters and digits of such a minute: long words take longer.
    private static let lettersPerMinute = 1400.0

    /// The seconds that reading takes, by the number of words or of letters, whichever is more.
    var readingSeconds: Double {
        let words = words
        let letters = words.reduce(0) { $0 + $1.unicodeScalars.count { $0.isLetter } }
        return max(Double(words.count) / Self.wordsPerMinute, Double(letters) / Self.lettersPerMinute) * 60
    }

    /// The Flesch–Kincaid grade: the years of school that reading it takes, by the length of sentences and of words.
    ///
    /// Words of other languages have more syllables than English ones of the same difficulty. The formulas of reading
    /// ease for German (Amstad), Spanish (Fernández Huerta) and French (Kandel and Moles) say how many; a text has the
    /// grade of an English text of the same ease.
    func readingGrade(in language: Language) -> Double {
        let words = words
        guard !words.isEmpty else { return 0 }
        let syllables = Double(words.reduce(0) { $0 + Self.syllables(in: $1) }) / Double(words.count)
        let english =
            switch language {
            case .english: syllables
            case .german: (26.8 + 58.5 * syllables) / 84.6
            case .spanish: 60 / 84.6 * syllables
            case .french: 73.6 / 84.6 * syllables
            }
        return 0.39 * averageSentenceWords + 11.8 * english - 15.59
    }

    /// Groups of vowels, without a silent final e; at least one.
    private static func syllables(in word: Substring) -> Int {
        let letters = word.lowercased().filter(\.isWordLetter)
        var count = 0
        var wasVowel = false
        for letter in letters {
            let isVowel = "aeiouyáéíóúäëïöüàèìòùâêîôûœæ".contains(letter)
            if isVowel, !wasVowel { count += 1 }
            wasVowel = isVowel
        }
        if letters.hasSuffix("e"), !letters.hasSuffix("le"), count > 1 { count -= 1 }
        return max(count, 1)
    }
}

/// Splits prose into sentences: abbreviations, initials, decimals, quotations and list items are not mistaken for ends.
package enum Sentences {
    /// The sentences of a text with their places in it, in UTF-16 units.
    package static func places(in text: String) -> [(range: Range<Int>, text: String)] {
        let plain = NormalizedText(text)
        let places = NormalizedText.places(in: text)
        return ranges(in: plain).compactMap { range in
            guard let begin = places[range].first, let end = places[range].last else { return nil }
            return (begin.lowerBound..<end.upperBound, plain.string(range))
        }
    }

    /// The sentences of a text, without the space around them.
    static func split(_ text: String) -> [String] {
        let plain = NormalizedText(text)
        return ranges(in: plain).map(plain.string)
    }

    /// The ranges of the sentences, which cover every letter and digit.
    static func ranges(in text: NormalizedText) -> [Range<Int>] {
        var splitter = SentenceSplitter(scalars: text.scalars)
        return splitter.split()
    }
}

private struct SentenceSplitter {
    private static let closers: Set<Unicode.Scalar> = ["\"", "'", ")", "]", "}", "”", "»", "’"]
    private static let openers: Set<Unicode.Scalar> = ["\"", "'", "(", "[", "{", "“", "«", "‘"]
    private static let bullets: Set<Unicode.Scalar> = ["-", "•", "–", "·", "#"]

    let scalars: [Unicode.Scalar]
    private var start = 0
    private var sentences: [Range<Int>] = []

    init(scalars: [Unicode.Scalar]) { self.scalars = scalars }

    mutating func split() -> [Range<Int>] {
        var place = 0
        while place < scalars.count {
            if scalars[place].isLineBreak {
                if endsLine(at: place) { end(at: place) }
                place += 1
            } else if let next = endOfSentence(at: place) {
                end(at: next)
                place = next
            } else {
                place += 1
            }
        }
        end(at: scalars.count)
        return sentences
    }

    private mutating func end(at place: Int) {
        var range = start..<place
        start = place
        while let first = range.first, scalars[first].isSpace { range = first + 1..<range.upperBound }
        while let last = range.last, scalars[last].isSpace { range = range.lowerBound..<last }
        if scalars[range].contains(where: { $0.isLetter || $0.isDigit }) { sentences.append(range) }
    }

    /// A line break ends a sentence before an empty line and before a list item.
    private func endsLine(at place: Int) -> Bool {
        var next = place + 1
        while next < scalars.count, scalars[next].isSpace {
            if scalars[next].isLineBreak { return true }
            next += 1
        }
        guard next + 1 < scalars.count else { return true }
        if Self.bullets.contains(scalars[next]), scalars[next + 1].isSpace || scalars[next] == "#" { return true }
        return isListNumber(at: next)
    }

    private func isListNumber(at place: Int) -> Bool {
        var next = place
        while next < scalars.count, scalars[next].isDigit, next - place < 3 { next += 1 }
        guard next > place, next + 1 < scalars.count else { return false }
        return (scalars[next] == "." || scalars[next] == ")") && scalars[next + 1].isSpace
    }

    /// The place after the sentence when one ends here.
    private func endOfSentence(at place: Int) -> Int? {
        switch scalars[place] {
        case "。", "！", "？": return place + 1
        case ".", "!", "?", "…": break
        default: return nil
        }
        var next = place + 1
        while next < scalars.count, [".", "!", "?", "…"].contains(scalars[next]) { next += 1 }
        let isSingleStop = scalars[place] == "." && next == place + 1
        while next < scalars.count, Self.closers.contains(scalars[next]) { next += 1 }
        guard next < scalars.count else { return next }
        guard scalars[next].isSpace else { return nil }
        let following = nextWord(after: next)
        if let first = following.unicodeScalars.first, first.properties.isLowercase { return nil }
        if isSingleStop, isAbbreviation(endingAt: place, before: following) { return nil }
        if scalars[place] == "!", word(endingAt: place).lowercased() == "yahoo" { return nil }
        return next
    }

    private func nextWord(after place: Int) -> String {
        var first = place
        while first < scalars.count, scalars[first].isSpace || Self.openers.contains(scalars[first]) { first += 1 }
        var last = first
        while last < scalars.count, scalars[last].isLetter || scalars[last].isDigit { last += 1 }
        return string(first..<last)
    }

    /// The word before a full stop, with the full stops inside it (`U.S`).
    private func word(endingAt place: Int) -> String {
        var first = place
        while first > start, scalars[first - 1].isLetter || scalars[first - 1].isDigit || scalars[first - 1] == "." {
            first -= 1
        }
        return string(first..<place)
    }

    private func isAbbreviation(endingAt place: Int, before following: String) -> Bool {
        let word = word(endingAt: place)
        let lower = word.lowercased()
        if Abbreviations.neverLast.contains(lower) {
            // `No. 7` but `The answer is no. They …`
            return lower != "no" && lower != "art" && lower != "sec" && lower != "est"
                || following.unicodeScalars.first?.isDigit == true
        }
        let startsSentence = Abbreviations.sentenceStarters.contains(following.lowercased())
        if Abbreviations.sometimesLast.contains(lower) { return !startsSentence }
        if word.unicodeScalars.count == 1, word.unicodeScalars.allSatisfy(\.isUppercase) {
            return !startsSentence
        }
        // `am 15. März`, `im 3. Quartal`
        if (1...2).contains(word.unicodeScalars.count), word.unicodeScalars.allSatisfy(\.isDigit),
            Abbreviations.afterOrdinals.contains(following.lowercased())
        {
            return true
        }
        // `1. First` at the head of a list item.
        return !word.isEmpty && word.unicodeScalars.allSatisfy(\.isDigit) && isHead(place - word.unicodeScalars.count)
    }

    /// Whether there is only space between this place and the start of the sentence.
    private func isHead(_ place: Int) -> Bool { scalars[start..<place].allSatisfy(\.isSpace) }

    private func string(_ range: Range<Int>) -> String { String(scalars[range]) }
}

/// Words that end with a full stop without ending a sentence.
enum Abbreviations {
    /// A sentence never ends with these.
    static let neverLast: Set<String> = [
        "mr", "mrs", "ms", "dr", "prof", "st", "gen", "sen", "gov", "rep", "hon", "rev", "vs", "v", "e.g", "eg", "i.e",
        "ie", "cf", "viz", "no", "nos", "fig", "figs", "approx", "ca", "est", "incl", "excl", "resp", "ed", "eds",
        "vol",
        "p", "pp", "sec", "art", "mt", "ft",
        // German, Spanish, French
        "z", "bzw", "evtl", "ggf", "inkl", "zzgl", "vgl", "sog", "nr", "str", "tsd", "abs", "u.a", "z.b", "d.h", "i.d",
        "sr", "sra", "srta", "dra", "núm", "pág", "ee", "ej", "aprox", "env",
    ]

    /// Behind a German number with a full stop, these say that it is an ordinal.
    static let afterOrdinals: Set<String> = [
        "januar", "jänner", "februar", "märz", "april", "mai", "juni", "juli", "august", "september", "oktober",
        "november", "dezember", "quartal", "quartals", "halbjahr", "halbjahres", "jahrhundert", "jahrhunderts",
    ]

    /// A sentence ends with these only when the next word is one that starts sentences.
    static let sometimesLast: Set<String> = [
        "inc", "corp", "co", "cos", "ltd", "llc", "plc", "bros", "etc", "al", "jr", "sr", "u.s", "u.k", "e.u", "u.n",
        "a.m",
        "p.m", "ph.d", "b.sc", "m.b.a", "jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov",
        "dec",
        "mon", "tue", "wed", "thu", "fri", "dept", "div", "s.a", "n.v", "a.g", "yr", "yrs", "mo", "bn", "mn", "avg",
        "max",
        "min", "p.a", "q.v", "mrd", "mio", "mds", "mill", "uu",
    ]

    /// Words with a capital after a full stop that start a new sentence rather than continue a name.
    static let sentenceStarters: Set<String> = [
        "a", "about", "after", "all", "also", "although", "an", "and", "another", "any", "as", "at", "because",
        "before",
        "both", "but", "by", "despite", "during", "each", "even", "every", "few", "finally", "first", "for", "from",
        "had",
        "has", "have", "he", "her", "here", "his", "how", "however", "i", "if", "in", "instead", "is", "it", "its",
        "just",
        "last", "like", "many", "more", "most", "much", "my", "nearly", "neither", "no", "none", "nor", "not",
        "nothing",
        "now", "of", "on", "one", "only", "or", "other", "others", "our", "over", "overall", "second", "she", "since",
        "so",
        "some", "still", "such", "taken", "that", "the", "their", "then", "there", "these", "they", "third", "this",
        "those", "though", "three", "through", "thus", "to", "together", "too", "two", "under", "unlike", "until",
        "was",
        "we", "were", "what", "when", "where", "whether", "which", "while", "who", "why", "with", "without", "yet",
        "you",
        "your",
    ]
}
