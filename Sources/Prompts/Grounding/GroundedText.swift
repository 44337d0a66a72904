internal import Basics

/// A text in clauses, each with the meanings, names and numbers that it states or denies.
///
/// The rules that hold an answer against its sources compare these, so that an answer in one language can be held
/// against a source in another: meanings, names and numbers are the same in both, and stems are compared where both
/// are in one language.
struct GroundedText: Sendable {
    struct Clause: Sendable {
        var sentence: Int
        /// What it speaks of: `c:` a concept, `s:` a stem of the language, `n:` a number, `w:` a name, `p:` a
        /// place in every language.
        var keys: Set<String> = []
        /// The keys of each of its words; a word has those of its stem and its meanings.
        var words: [Set<String>] = []
        /// The keys in the reach of a negation.
        var denied: Set<String> = []
        /// The keys of things of which it says that there are none: "found no sign of an attack".
        var absent: Set<String> = []
        /// Whether it denies as a whole: "did not cut", "ruled out a cut", but not "did not rule out a cut".
        var isNegated = false
        /// Whether it says that something is not ruled out.
        var isRuledIn = false
        /// Whether it says only that something may be, or asks whether it is.
        var isOpen = false
        /// Whether it says by "may", "could" or "possible" that something may be.
        var isPossible = false
        /// Whether it says that something stays as it was.
        var isUnchanged = false
        /// Whether it says that something is given up or ends.
        var isDropped = false
        /// Whether it asks whether something is: "did not say whether".
        var isQuestion = false
        /// Whether it says that something will be or is planned.
        var isFuture = false
        /// Whether it says by its verb that something will happen, and neither denies it nor leaves it open: a plan, a wish
        /// and an expectation are none.
        var isPromise = false
        /// Whether it gives the cause of something.
        var isCause = false
        var text: String

        /// What it says is so.
        var stated: Set<String> { keys.subtracting(denied) }

        /// Whether it says what another clause does, word for word.
        func repeats(_ other: Self) -> Bool {
            text.hasSameBytes(as: other.text) && isNegated == other.isNegated && isOpen == other.isOpen
                && isQuestion == other.isQuestion && isDropped == other.isDropped
        }
    }

    private(set) var clauses: [Clause] = []
    /// The keys of each sentence.
    private(set) var sentenceKeys: [Set<String>] = []
    /// The keys of each word of each sentence.
    private(set) var sentenceWords: [[Set<String>]] = []
    let sentences: [String]
    let language: Language

    /// Reads a text as one in a language; `ParsedText.grounded` keeps what was read.
    init(_ text: ParsedText, language: Language) {
        self.language = language
        sentences = text.sentences.map { text.plain.string($0.range) }
        let reader = ClauseReader(language: language)
        for (place, sentence) in text.sentences.enumerated() {
            let found = reader.clauses(of: text.words(of: sentence), number: place)
            clauses += found
            sentenceWords.append(found.flatMap(\.words))
            sentenceKeys.append(found.reduce(into: []) { $0.formUnion($1.keys) })
        }
    }
}

/// Reads the clauses of a sentence.
struct ClauseReader {
    let language: Language

    /// The clauses of a part of a sentence.
    func clauses(ofPart words: some Sequence<CalmWords.Word>) -> [GroundedText.Clause] {
        clauses(of: Self.sentence(of: words), number: 0)
    }

    /// The keys of each word of a part of a sentence that has some.
    func keys(ofPart words: some Sequence<CalmWords.Word>) -> [Set<String>] {
        let words = Self.sentence(of: words)
        return parts(of: words).flatMap { range in
            let part = Array(words[range])
            let places = places(of: part, part.map(\.folded), WordLists.of(language))
            return places.keys.sorted().compactMap { places[$0] }
        }
    }

    /// A part of a sentence as a sentence.
    private static func sentence(of words: some Sequence<CalmWords.Word>) -> [CalmWords.Word] {
        var starts = true
        return words.map { word in
            var word = word
            (word.startsSentence, word.endsSentence) = (starts && word.text != "," && word.text != "%", false)
            if word.text != "," { starts = false }
            return word
        }
    }

    func clauses(of words: [CalmWords.Word], number: Int) -> [GroundedText.Clause] {
        parts(of: words).map { clause(Array(words[$0]), number) }
    }

    /// The clauses of words, by their places.
    private func parts(of words: [CalmWords.Word]) -> [Range<Int>] {
        var parts: [Range<Int>] = []
        var start = 0
        func close(_ end: Int) {
            defer { start = end }
            if end > start { parts.append(start..<end) }
        }
        for (place, word) in words.enumerated() {
            if word.lower == "," {
                // A comma between digits belongs to a number.
                let isInside =
                    place > 0 && place + 1 < words.count && words[place - 1].isNumber && words[place + 1].isNumber
                if !isInside { close(place + 1) }
            } else if place > start, WordLists.of(language).conjunctions.contains(word.folded) {
                close(place)
            } else if word.endsSentence {
                close(place + 1)
            }
        }
        close(words.count)
        return parts
    }

    /// What each word speaks of, by its place.
    private func places(
        of words: [CalmWords.Word], _ folded: [String], _ lists: WordLists
    ) -> [Int: Set<String>] {
        var places: [Int: Set<String>] = [:]
        for (place, word) in words.enumerated() {
            guard let key = key(of: word, folded[place], lists) else { continue }
            places[place] = key
        }
        for match in ConceptLexicon.of(language).matches(in: folded) {
            places[match.place, default: []].insert("c:" + match.concept)
        }
        for named in Gazetteer.places(in: words) {
            places[named.range.lowerBound]?.insert("p:" + named.id)
        }
        return places
    }

    private func clause(_ words: [CalmWords.Word], _ sentence: Int) -> GroundedText.Clause {
        let lists = WordLists.of(language)
        let folded = words.map(\.folded)
        var clause = GroundedText.Clause(
            sentence: sentence, text: words.map(\.text).filter { $0 != "," }.joined(separator: " "))
        let places = places(of: words, folded, lists)
        clause.words = places.keys.sorted().compactMap { places[$0] }
        clause.keys = places.values.reduce(into: []) { $0.formUnion($1) }
        clause.denied = denied(folded, places, lists)
        clause.absent = absent(folded, places, lists)
        clause.isDropped =
            folded.contains { word in lists.refusals.contains(where: word.hasPrefix) }
            && !folded.contains(where: lists.negations.contains)
            || clause.keys.contains("c:end") && !clause.denied.contains("c:end")
        let isExcluded = !clause.keys.isDisjoint(with: ["c:ruleout", "c:leaveout"])
        let hasNegation =
            !clause.denied.isEmpty
            || !isExcluded
                && folded.indices.contains { place in
                    lists.unchanged.contains(folded[place]) && !Self.isSameTime(folded, at: place)
                }
        clause.isNegated = hasNegation != isExcluded
        if isExcluded, !hasNegation { clause.denied = clause.keys.filter { $0.hasPrefix("c:") } }
        clause.isRuledIn = hasNegation && clause.keys.contains("c:ruleout")
        clause.isUnchanged = folded.contains(where: Self.unchanged.contains)
        // Without their accents, German "würde" and "hätte" are the past.
        let written = words.filter { !$0.isMonthOfMay }.map { language == .german ? $0.lower : $0.folded }
        // "Said that no jobs would be lost" tells what will be; "a deal that would cost jobs" does not.
        let isReported = language == .english && folded.first == "that" && folded.dropFirst().first != "would"
        clause.isOpen =
            clause.isRuledIn || written.contains { lists.open.contains($0) && !($0 == "would" && isReported) }
            || lists.openPhrases.contains { $0.occurs(in: folded) }
        clause.isPossible = written.contains { lists.possible.contains($0) }
        clause.isQuestion = folded.contains { ["whether", "ob", "si"].contains($0) }
        clause.isFuture = isFuture(folded, lists)
        clause.isPromise = !clause.isOpen && !clause.isNegated && isPromise(words, folded)
        clause.isCause =
            folded.contains(where: lists.causes.contains) || lists.causePhrases.contains { $0.occurs(in: folded) }
        return clause
    }

    /// "On the same day", "le même jour": nothing stayed as it was.
    private static func isSameTime(_ words: [String], at place: Int) -> Bool {
        guard ["same", "mismo", "meme"].contains(words[place]), place + 1 < words.count else { return false }
        return times.contains(words[place + 1])
    }

    private static let times: Set<String> = [
        "day", "time", "week", "month", "quarter", "year", "period", "dia", "tiempo", "semana", "mes", "ano", "jour",
        "temps", "semaine", "mois", "annee",
    ]

    /// What a word speaks of by itself; `nil` for one that every text has.
    private func key(of word: CalmWords.Word, _ folded: String, _ lists: WordLists) -> Set<String>? {
        if word.isNumber { return folded.count > 1 ? ["n:" + folded] : nil }
        guard folded.count > 2, folded.beginsWithLetter, !lists.common.contains(folded) else { return nil }
        var keys: Set<String> = ["s:\(language.rawValue):" + Self.stem(folded, language)]
        if word.text.first?.isUppercase == true, !(word.startsSentence && language != .german) || folded.count > 5 {
            keys.insert("w:" + folded.prefix(5))
        }
        return keys
    }

    static func stem(_ folded: String, _ language: Language) -> String {
        if language == .english { return Stemmer.stem(folded) }
        var stem = String(folded.prefix(7))
        while stem.count > 4, let last = stem.last, "aeiosnrt".contains(last) { stem.removeLast() }
        return stem
    }

    // MARK: Negation

    /// The keys that a negation reaches: a few words behind it, and in German the whole clause for a verb.
    private func denied(_ words: [String], _ places: [Int: Set<String>], _ lists: WordLists) -> Set<String> {
        var denied: Set<String> = []
        for (place, word) in words.enumerated()
        where lists.negations.contains(word) || lists.refusals.contains(where: word.hasPrefix) {
            // "No, it did not": an answer, not a negation of the next word.
            if place + 1 < words.count, words[place + 1] == "," { continue }
            if place + 1 < words.count, lists.notOnly.contains(words[place + 1]) { continue }
            // "Nebenwirkungen gab es keine": nothing stands behind it.
            if lists.nounNegations.contains(word), !places.keys.contains(where: { $0 > place }) {
                for keys in places.values { denied.formUnion(keys.filter { !$0.hasPrefix("n:") }) }
            }
            // "Verletzt wurde niemand": the negation of a subject, or of a German verb, is of its whole clause.
            if Self.subjects.contains(word) || language == .german && ["nicht", "nie", "niemals"].contains(word) {
                for keys in places.values { denied.formUnion(keys.filter { $0.hasPrefix("c:") }) }
            }
            var left = 3
            for next in (place + 1)..<max(place + 1, words.count) {
                guard let keys = places[next] else {
                    if lists.bounds.contains(words[next]) { break }
                    continue
                }
                // Meanings to the end of the clause; other words only near the negation.
                denied.formUnion(left > 0 ? keys : keys.filter { $0.hasPrefix("c:") })
                left -= 1
                // What is said of a denied saying is not denied itself.
                if keys.contains("c:ruleout") || keys.contains("c:announce") { break }
            }
        }
        return denied
    }

    /// The things of which a clause says that there are none: "no new side effects", "keine Verletzten".
    private func absent(_ words: [String], _ places: [Int: Set<String>], _ lists: WordLists) -> Set<String> {
        var absent: Set<String> = []
        for (place, word) in words.enumerated() where lists.nounNegations.contains(word) {
            var left = 3
            for next in (place + 1)..<max(place + 1, words.count) {
                guard left > 0, !lists.bounds.contains(words[next]), !Self.degrees.contains(words[next]) else { break }
                guard let keys = places[next] else { continue }
                absent.formUnion(keys)
                left -= 1
            }
        }
        return absent
    }

    /// "no longer", "no more than": no absence.
    private static let degrees: Set<String> = ["longer", "more", "less", "doubt", "later", "matter"]

    /// Words that say it of the clause's object alone; `same` and `left` say many things.
    private static let unchanged: Set<String> = [
        "unchanged", "maintained", "maintains", "stays", "stayed", "keeps", "kept", "retains", "retained",
        "unverandert",
        "belasst", "beliess", "behalt", "behielt", "mantuvo", "mantiene", "mantienen", "conserva", "inchange",
        "inchangee", "maintenu", "maintient", "conserve",
    ]
    private static let subjects: Set<String> = ["nobody", "niemand", "nadie", "personne"]

    // MARK: Time

    private func isFuture(_ words: [String], _ lists: WordLists) -> Bool {
        if language == .german, words.contains("wird") || words.contains("werden"), !Self.hasInfinitive(words) {
            // A passive in the present: "werden gesenkt".
            return words.contains { lists.future.contains($0) && $0 != "wird" && $0 != "werden" }
        }
        if words.contains(where: lists.future.contains) || lists.futurePhrases.contains(where: { $0.occurs(in: words) })
        {
            return true
        }
        return words.contains { word in
            word.count > 5 && lists.futureEndings.contains(where: word.hasSuffix) && !lists.notFuture.contains(word)
        }
    }
}

extension ClauseReader {
    fileprivate func isPromise(_ words: [CalmWords.Word], _ folded: [String]) -> Bool {
        switch language {
        case .english:
            return folded.contains { ["will", "shall", "ll"].contains($0) }
                || zip(folded, folded.dropFirst()).contains {
                    ["going", "bound", "sure", "certain"].contains($0) && $1 == "to"
                }
        case .german:
            return Self.hasInfinitive(folded) && folded.contains { ["wird", "werden"].contains($0) }
        case .spanish:
            // The accents tell "comprará" from "compara".
            return words.contains { word in
                ["ará", "arán", "erá", "erán", "irá", "irán", "drá", "drán"].contains(where: word.lower.hasSuffix)
            }
        case .french:
            return folded.contains { word in
                ["era", "eront", "ira", "iront", "dra", "dront"].contains(where: word.hasSuffix)
                    && !["opera", "camera"].contains(word)
            }
        }
    }

    /// Whether a German clause ends with an infinitive and no participle.
    fileprivate static func hasInfinitive(_ words: [String]) -> Bool {
        guard let last = words.last(where: \.beginsWithLetter), last.hasSuffix("n"), last != "werden" else {
            return false
        }
        let heads = ["", "ab", "an", "auf", "aus", "ein", "zu", "zuruck", "vor", "nach", "weg", "hin", "her", "um"]
        return !heads.contains { last.hasPrefix($0 + "ge") } || last.hasPrefix("geh") || last.hasPrefix("gewinn")
    }
}

extension CalmWords.Word {
    var isNumber: Bool { text.unicodeScalars.first?.isDigit == true }
    var isCapitalised: Bool { text.unicodeScalars.first?.isUppercase == true }
    /// `in May`, not `may`.
    var isMonthOfMay: Bool { text.hasSameBytes(as: "May") && !startsSentence }
}

extension String {
    /// In lower case and without accents, so that words of several languages can be compared.
    var folded: String { lowercased().withoutAccents }

    var beginsWithLetter: Bool { unicodeScalars.first?.isLetter == true }

    /// Of letters in lower case.
    var withoutAccents: String {
        if utf8.allSatisfy({ $0 < 0x80 }) { return self }
        var view = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            switch scalar {
            case "ä", "à", "â", "á", "ã", "å": view.append("a")
            case "ö", "ô", "ó", "ò", "õ", "ø": view.append("o")
            case "ü", "û", "ú", "ù": view.append("u")
            case "é", "è", "ê", "ë": view.append("e")
            case "í", "î", "ï", "ì": view.append("i")
            case "ñ": view.append("n")
            case "ç": view.append("c")
            case "ß": view.append(contentsOf: "ss".unicodeScalars)
            case "œ": view.append(contentsOf: "oe".unicodeScalars)
            default: view.append(scalar)
            }
        }
        return String(view)
    }
}

extension [String] {
    /// Whether these words are in others next to each other.
    func occurs(in words: [String]) -> Bool {
        guard let first else { return false }
        return words.indices.contains { place in
            words[place] == first && place + count <= words.count && words[place..<(place + count)].elementsEqual(self)
        }
    }
}
