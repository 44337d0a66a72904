internal import Basics

/// The words of a headline, with the English of what a German, French or Spanish one says of business.
///
/// The rules for subjects, events and companies know the wording of English headlines. So the words of others are looked
/// up in a glossary first, and `steigert den Gewinn` is read as `raises the profit`: one set of rules serves four
/// languages, and reports of one event in two languages meet.
enum HeadlineWords {
    /// The words of a headline, each one's `folded` in English where a glossary has it; and the language of it.
    static func of(_ text: String) -> (words: [Word], language: Language) {
        let words = withoutExchanges(Words.of(text))
        guard let glossary = glossary(of: words.map(\.folded)) else { return (words, .english) }
        var split = glossary.language == .french ? words.flatMap(Elision.split) : words
        for (place, meaning) in glossary.meanings(of: split.map(\.folded)) { split[place].folded = meaning }
        return (split, glossary.language)
    }

    /// Without the exchange in `(NASDAQ:MSFT)`, which would make it news of the index.
    private static func withoutExchanges(_ words: [Word]) -> [Word] {
        words.indices.compactMap { place in
            let isExchange =
                exchanges.contains(words[place].written) && place + 1 < words.count
                && words[place + 1].written.allSatisfy { $0.isUppercase || $0 == "." }
            return isExchange ? nil : words[place]
        }
    }

    private static let exchanges: Set<String> = ["NASDAQ", "NYSE", "OTCMKTS", "NYSEARCA", "LON", "TSE", "ETR", "EPA"]

    /// The glossary of the language that most words show; `nil` for English and for languages without one.
    ///
    /// A word that English headlines have as well shows nothing: `die`, `sale`, `pour`.
    static func glossary(of words: some Sequence<String>) -> Glossary? {
        let words = Set(words)
        let english = words.count { isEnglish($0) }
        guard let (glossary, count) = mostShown(by: words), count > english || count == english && count > 1 else {
            return nil
        }
        return glossary
    }

    /// The glossary whose language most words show, and their number.
    private static func mostShown(by words: Set<String>) -> (glossary: Glossary, count: Int)? {
        Glossary.all.map { glossary in (glossary, words.count { glossary.marks($0) }) }.max { $0.1 < $1.1 }
    }

    /// Whether a headline is in another language of Latin letters than the four that are read, by its function words.
    static func isUnread(_ text: String) -> Bool {
        let words = Set(Words.of(text).map(\.folded))
        let most = unread.map { words.intersection($0).count }.max() ?? 0
        let read = mostShown(by: words)?.count ?? 0
        return (most > 2 || most > 1 && most > words.count { isEnglish($0) }) && 2 * most >= read
    }

    /// Function words of Italian, Portuguese, Dutch, Polish and Swedish that the read languages do not have.
    private static let unread: [Set<String>] = [
        "alla alle anche che contro dalla degli della delle dello dopo gli nella oltre piu sono sugli sulla verso il di",
        "acoes ao aos apos em nao nas pela pelo pelos sao tambem uma",
        "aan bij een het naar niet ondanks ook tegen uit van voor wordt zijn",
        "dla nie oraz po przed przez sie spadek w wzrost z na",
        "att efter fran inte mot och pa av vid",
    ].map { Set($0.split(separator: " ").map(String.init)) }

    static func isEnglish(_ word: String) -> Bool {
        CommonWords.written.contains(word) || Wording.verbs.contains(word) || Wording.possessed.contains(word)
    }
}

/// French articles and prepositions that lose their vowel before a word: `d'Apple`, `l'amende`.
enum Elision {
    private static let openings: Set<String> = ["d", "l", "qu", "n", "s", "j", "m", "c", "jusqu", "lorsqu", "puisqu"]

    /// The two words, each as written; one where the first belongs to a name: `L'Oréal`.
    static func split(_ word: Word) -> [Word] {
        guard let parts = split(word.written) else { return [word] }
        return Words.of(parts.opening) + Words.of(parts.rest)
    }

    static func split(_ written: String) -> (opening: String, rest: String)? {
        guard let mark = written.firstIndex(of: "'"), mark != written.startIndex else { return nil }
        let (opening, rest) = (String(written[..<mark]), String(written[written.index(after: mark)...]))
        let isName = opening.first?.isUppercase == true && rest.first?.isUppercase == true
        guard openings.contains(opening.lowercased()), !rest.isEmpty, !isName else { return nil }
        return (opening, rest)
    }
}

/// The English of the words with which one language's headlines report business.
struct Glossary: Sendable {
    /// A meaning of several words: in a row, or with others between them as the parts of a German verb have.
    private struct Phrase: Sendable {
        var words: [String]
        var meaning: String
        var isApart: Bool
    }

    /// The most words between the parts of a verb: `ruft 1,8 Millionen Fahrzeuge wegen der Motorhaube zurück`.
    private static let reach = 11

    let language: Language
    private var words: [String: String] = [:]
    /// By the first word, the longest first.
    private var phrases: [String: [Phrase]] = [:]
    /// Endings of compounds: `prognose` for `Jahresprognose`.
    private var endings: [(ending: String, meaning: String)] = []
    private var markers: Set<String> = []

    /// - Parameters:
    ///   - language: The language of the words.
    ///   - functional: Function words, each line an English one, a colon and its words, apart by commas.
    ///   - entries: Words and phrases of business in the same form. Parts of a phrase that other words may come between
    ///     are apart by `…`; `-` begins an ending.
    ///   - ambiguous: Words that English has as well.
    init(language: Language, functional: String, entries: String, ambiguous: String = "") {
        self.language = language
        for line in (functional + "\n" + entries).split(whereSeparator: \.isNewline) {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { continue }
            for entry in parts[1].split(separator: ",") { add(String(entry), meaning: String(parts[0])) }
        }
        for key in phrases.keys { phrases[key]?.sort { $0.words.count > $1.words.count } }
        let shared = Set(ambiguous.listed)
        markers = Set(words.keys).union(phrases.values.joined().flatMap(\.words)).filter {
            !shared.contains($0) && !HeadlineWords.isEnglish($0) && $0.utf8.count > 1
        }
    }

    private mutating func add(_ entry: String, meaning: String) {
        let isApart = entry.contains("…")
        let words = Words.of(entry)
        let parts = (language == .french ? words.flatMap(Elision.split) : words).map(\.folded)
        guard let first = parts.first else { return }
        if entry.contains("-") {
            endings.append((first, meaning))
        } else if parts.count > 1 {
            phrases[first, default: []].append(Phrase(words: parts, meaning: meaning, isApart: isApart))
        } else {
            self.words[first] = meaning
        }
    }

    /// Whether a word shows the language.
    func marks(_ word: String) -> Bool { markers.contains(word) || ending(of: word) != nil }

    /// The English of the words that have one, by their places.
    func meanings(of text: [String]) -> [Int: String] {
        var meanings: [Int: String] = [:]
        for place in text.indices where meanings[place] == nil {
            if let (phrase, rest) = phrase(at: place, in: text) {
                // A meaning of several words has one for each of the first places.
                let meaning = phrase.meaning.split(separator: " ").map(String.init)
                for (number, part) in ([place] + rest).enumerated() {
                    meanings[part] = number < meaning.count ? meaning[number] : "the"
                }
            } else if let meaning = words[text[place]] ?? ending(of: text[place]) {
                meanings[place] = meaning
            }
        }
        return meanings
    }

    private func phrase(at place: Int, in text: [String]) -> (Phrase, rest: [Int])? {
        for phrase in phrases[text[place]] ?? [] {
            var rest: [Int] = []
            for word in phrase.words.dropFirst() {
                let start = (rest.last ?? place) + 1
                let end = min(text.count, start + (phrase.isApart ? Self.reach : 1))
                guard start < end, let found = (start..<end).first(where: { text[$0] == word }) else { break }
                rest.append(found)
            }
            if rest.count == phrase.words.count - 1 { return (phrase, rest) }
        }
        return nil
    }

    private func ending(of word: String) -> String? {
        endings.first { word.utf8.count > $0.ending.utf8.count + 1 && word.hasSuffix($0.ending) }?.meaning
    }

    static let all = [german, french, spanish]
}
