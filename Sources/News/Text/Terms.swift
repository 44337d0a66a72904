internal import Basics

/// A term of an article and its weight before the day's other articles are known.
struct Term: Hashable {
    /// Whether a headline shows the word as a name, by a capital within a sentence, or as a plain one.
    enum Case: Hashable { case name, plain, unknown }

    /// The end of a word that is a company's name elsewhere, but not here.
    static let ordinary = " (a word)"

    var text: String
    var weight: Double
    var letterCase = Case.unknown
}

/// Turns a headline into terms.
struct TermReader {
    let rules: GroupingRules

    /// The terms of an article, each once, the strongest occurrence deciding; the description counts for less.
    ///
    /// The words in `ordinary` are companies' names elsewhere, but not here: they are terms of their own.
    func terms(of article: StoryArticle, ordinary: Set<String> = []) -> [Term] {
        var terms: [Term] = []
        var places: [String: Int] = [:]
        func add(_ term: Term) {
            if let place = places[term.text] {
                terms[place].weight = max(terms[place].weight, term.weight)
                if terms[place].letterCase == .unknown { terms[place].letterCase = term.letterCase }
            } else {
                places[term.text] = terms.count
                terms.append(term)
            }
        }
        read(HeadlineCleaner.clean(article.title, source: article.source), isTitle: true, ordinary).forEach(add)
        if let description = article.description {
            for term in read(String(description.unicodeScalars.prefix(400)), isTitle: false, ordinary) {
                add(Term(text: term.text, weight: term.weight * rules.description))
            }
        }
        return terms
    }

    /// The terms of a company's name as it is written.
    func terms(ofName words: [String]) -> [String] {
        Words.of(words.joined(separator: " ")).map { Synonyms.of(Stemmer.stem($0.folded)) }
    }

    private func read(_ text: String, isTitle: Bool, _ ordinary: Set<String>) -> [Term] {
        let (words, language) = HeadlineWords.of(text)
        let showsNames = isTitle && language != .german && !Self.isTitleCase(words)
        let actors = KnownTopics.topics(in: words).actors
        return words.enumerated().compactMap { place, word in
            // `Bank of England` is one word, the same as `BoE`.
            if let actor = actors.first(where: { $0.name.contains(place) }) {
                guard place == actor.name.lowerBound else { return nil }
                return Term(text: actor.topic.key, weight: isTitle ? lead(at: place) : 1)
            }
            let stem = Synonyms.of(Stemmer.stem(word.folded))
            if CommonWords.functional.contains(stem) { return nil }
            let isNumber = stem.utf8.first.map { $0 >= 0x30 && $0 <= 0x39 } ?? false
            let isOrdinary = ordinary.contains(word.plain)
            let isGeneric = CommonWords.generic.contains(stem) || stem.utf8.count == 1
            let weight = isNumber ? rules.number : isGeneric ? rules.generic : 1
            let letterCase: Term.Case =
                !showsNames || isNumber ? .unknown : !word.startsWithCapital ? .plain : place > 0 ? .name : .unknown
            return Term(
                text: isOrdinary ? stem + Term.ordinary : stem, weight: isTitle ? weight * lead(at: place) : weight,
                letterCase: letterCase)
        }
    }

    /// Whether a headline gives most words a capital, which then shows no name.
    private static func isTitleCase(_ words: [Word]) -> Bool {
        let lettered = words.filter { $0.written.first?.isLetter == true }
        return 3 * lettered.count(where: \.startsWithCapital) > 2 * lettered.count
    }

    /// The extra weight of an early word: a headline opens with its subject.
    private func lead(at place: Int) -> Double {
        1 + rules.lead * max(0, 1 - Double(place) / Double(rules.leadWords))
    }
}

/// A word of a headline: as written, and folded for comparison.
struct Word: Hashable {
    /// With its capitals, without quotes and a possessive's ending.
    var written: String
    /// Lower case, without accents and inner points and hyphens; in English where a glossary has it.
    var folded: String
    /// The same in the language of the text.
    var plain: String

    init(written: String, folded: String) { (self.written, self.folded, plain) = (written, folded, folded) }

    var startsWithCapital: Bool { written.first?.isUppercase == true }
}

/// Cuts text into words.
enum Words {
    /// The words of a text; bounded, since a title has tens of them and a description hundreds at most.
    static func of(_ text: String, limit: Int = 400) -> [Word] {
        var words: [Word] = []
        var current: [Unicode.Scalar] = []
        func finish() {
            defer { current.removeAll(keepingCapacity: true) }
            while let last = current.last, isInner(last) { current.removeLast() }
            while let first = current.first, isInner(first) { current.removeFirst() }
            if current.count > 2, current[current.count - 2] == "'", current.last == "s" || current.last == "S" {
                current.removeLast(2)
            }
            guard !current.isEmpty, words.count < limit else { return }
            var written = ""
            written.unicodeScalars.append(contentsOf: current)
            let folded = fold(current)
            if !folded.isEmpty { words.append(Word(written: written, folded: folded)) }
        }
        for scalar in text.unicodeScalars {
            let scalar = plain(scalar)
            if scalar.properties.isAlphabetic || isDigit(scalar) {
                current.append(scalar)
            } else if isInner(scalar), !current.isEmpty {
                if current.last.map(isInner) == true { finish() } else { current.append(scalar) }
            } else if scalar.properties.generalCategory == .nonspacingMark {
                continue
            } else {
                finish()
            }
        }
        finish()
        return words
    }

    /// Characters allowed inside a word: `S&P`, `7.1`, `McDonald's`.
    private static func isInner(_ scalar: Unicode.Scalar) -> Bool { scalar == "." || scalar == "'" || scalar == "&" }

    static func isDigit(_ scalar: Unicode.Scalar) -> Bool { scalar >= "0" && scalar <= "9" }

    private static func plain(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar {
        case "\u{2018}", "\u{2019}", "\u{02BC}", "\u{0060}", "\u{00B4}": "'"
        default: scalar
        }
    }

    /// `7.1` keeps its point, `U.S.` and `J.C.` lose theirs.
    private static func fold(_ scalars: [Unicode.Scalar]) -> String {
        let numeric = scalars.first.map(isDigit) == true
        var folded = String.UnicodeScalarView()
        for scalar in scalars where scalar != "'" && scalar != "&" && (numeric || scalar != ".") {
            if scalar.isASCII {
                folded.append(contentsOf: scalar.properties.lowercaseMapping.unicodeScalars)
            } else {
                for part in scalar.properties.lowercaseMapping.unicodeScalars {
                    folded.append(contentsOf: (bare[part] ?? String(part)).unicodeScalars)
                }
            }
        }
        return String(folded)
    }

    /// The accented letters of Europe's languages without their accents.
    private static let bare: [Unicode.Scalar: String] = {
        let table = [
            "a": "àáâãäåāăą", "c": "çćĉċč", "d": "ďđð", "e": "èéêëēĕėęě", "g": "ĝğġģ", "h": "ĥħ", "i": "ìíîïĩīĭįı",
            "j": "ĵ", "k": "ķ", "l": "ĺļľŀł", "n": "ñńņňŋ", "o": "òóôõöøōŏő", "r": "ŕŗř", "s": "śŝşšș", "t": "ţťŧț",
            "u": "ùúûüũūŭůűų", "w": "ŵ", "y": "ýÿŷ", "z": "źżž", "ss": "ß", "ae": "æ", "oe": "œ", "th": "þ",
        ]
        var bare: [Unicode.Scalar: String] = [:]
        for (letter, accented) in table {
            for scalar in accented.unicodeScalars { bare[scalar] = letter }
        }
        return bare
    }()
}
