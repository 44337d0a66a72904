internal import Basics
internal import JobQueue

/// The noun phrases of sentences that can name what a text teaches.
///
/// No word is looked up: a noun shows by what goes before and after it. Where neither shows one, there is none, so a text
/// has rather fewer phrases than wrong ones.
struct NounPhrases {
    /// A phrase at one place of the text.
    struct Found {
        var name: String
        /// Whether the text says there what it is: `X is a …`, `called X`.
        var isDefined = false
        /// Whether it is a word that names something worth knowing only where it returns.
        var isWeak = false
    }

    private let found: [Found]
    private let wanted: Set<String>

    /// `wanted` are the stems of words that the answer is to be about.
    init(_ sentences: [String], wanted: Set<String> = []) {
        self.wanted = wanted
        switch AnswerLanguage.of(sentences.joined(separator: " ")) {
        case .german: found = sentences.flatMap(GermanNouns.all)
        case .spanish, .french: found = sentences.flatMap(RomanceNouns.all)
        default: found = EnglishNouns.all(in: sentences)
        }
    }

    /// The phrases, each once: those first that the answer is to be about, then those that the text defines, then the
    /// most frequent.
    var ranked: [String] {
        let counts = found.reduce(into: [String: Int]()) { $0[$1.name, default: 0] += 1 }
        let defined = Set(found.filter(\.isDefined).map(\.name))
        let telling = found.filter { phrase in
            !phrase.isWeak || counts[phrase.name] ?? 0 > 1 || defined.contains(phrase.name)
                || !Words.stems(of: phrase.name).isDisjoint(with: wanted)
        }
        let names = (telling.isEmpty ? found : telling).map(\.name).uniqued().enumerated().map { place, name in
            (
                name: name, place: place,
                rank: (
                    Words.stems(of: name).isDisjoint(with: wanted) ? 0 : 1, defined.contains(name) ? 1 : 0,
                    min(counts[name] ?? 0, 3), name.contains(" ") ? 1 : 0
                )
            )
        }
        return names.sorted { $0.rank == $1.rank ? $0.place < $1.place : $0.rank > $1.rank }.map(\.name)
    }
}

/// Nouns in German have a capital.
enum GermanNouns {
    static func all(in sentence: String) -> [NounPhrases.Found] {
        let words = sentence.split(separator: " ").map(String.init)
        return words.indices.dropFirst().compactMap { place in
            let noun = words[place].drop { !$0.isLetter }.prefix { $0.isLetter || $0 == "-" }
            let isEnd = words[place - 1].last.map { ".!?:".contains($0) } == true
            guard noun.count > 3, noun.first?.isUppercase == true, !isEnd, !pronouns.contains(String(noun)),
                Words.isTelling(noun.lowercased())
            else { return nil }
            let next = words[(place + 1)...].first?.lowercased()
            let second = words[(place + 1)...].dropFirst().first?.lowercased() ?? ""
            let isDefined =
                ["ist", "sind"].contains(next ?? "") && second.hasPrefix("ein")
                || ["hei\u{DF}t", "nennt", "genannte", "sogenannte", "man"].contains(words[place - 1].lowercased())
            return NounPhrases.Found(name: String(noun), isDefined: isDefined)
        } + opening(words)
    }

    /// A noun behind the article that begins the sentence, and what the sentence says that it is.
    private static func opening(_ words: [String]) -> [NounPhrases.Found] {
        guard words.count > 4, ["der", "die", "das", "ein", "eine"].contains(words[0].lowercased()),
            ["ist", "sind"].contains(words[2].lowercased()), words[3].lowercased().hasPrefix("ein"),
            words[1].first?.isUppercase == true, words[1].allSatisfy({ $0.isLetter || $0 == "-" })
        else { return [] }
        return [NounPhrases.Found(name: words[1], isDefined: true)]
    }

    private static let pronouns: Set<String> = ["Ihnen", "Ihre", "Ihrem", "Ihren", "Ihrer", "Ihres"]
}

/// Nouns in Spanish and French follow an article, or `de` behind another noun.
enum RomanceNouns {
    static func all(in sentence: String) -> [NounPhrases.Found] {
        let words = sentence.split(separator: " ").map(String.init)
        return words.indices.compactMap { place in
            guard let (noun, rest) = noun(at: place, in: words) else { return nil }
            var name = String(noun)
            var next = place + 1
            if rest.isEmpty, place + 2 < words.count, ["de", "del"].contains(words[place + 1]) {
                let second = words[place + 2].prefix { $0.isLetter }
                if second.count > 3 {
                    name += " \(words[place + 1]) \(second)"
                    next = place + 3
                }
            }
            let isDefined =
                rest.isEmpty && next + 1 < words.count && ["es", "son", "est", "sont"].contains(words[next])
                && ["un", "una", "une", "des", "unos", "unas"].contains(words[next + 1])
            return NounPhrases.Found(name: name, isDefined: isDefined)
        }
    }

    /// The noun at a place and the marks behind it; `nil` for other words.
    private static func noun(at place: Int, in words: [String]) -> (noun: Substring, rest: Substring)? {
        var bare = words[place].drop { !$0.isLetter }
        if let mark = bare.firstIndex(where: { "'\u{2019}".contains($0) }) {
            guard ["l", "d"].contains(bare[..<mark].lowercased()) else { return nil }
            bare = bare[bare.index(after: mark)...]
        } else {
            guard place > 0, articles.contains(words[place - 1].lowercased()) else { return nil }
            // A pronoun looks like an article: `il les vend`, `que la usa`.
            if place > 1, pronouns.contains(words[place - 2].lowercased()) { return nil }
        }
        let noun = bare.prefix { $0.isLetter || $0 == "-" }
        guard noun.count > 3, noun.first?.isLowercase == true, Words.isTelling(String(noun)),
            !adjectives.contains(String(noun))
        else { return nil }
        return (noun, bare[noun.endIndex...])
    }

    private static let articles: Set<String> = [
        "el", "la", "los", "las", "un", "una", "unos", "unas", "del", "al", "su", "sus", "le", "les", "une", "des",
        "du", "au", "aux", "leur", "leurs", "son", "ses", "ce", "cette",
    ]
    private static let pronouns: Set<String> = [
        "il", "ils", "elle", "elles", "on", "je", "nous", "vous", "qui", "ne", "se", "no", "quien", "quienes",
    ]
    /// Adjectives that go before their noun.
    private static let adjectives: Set<String> = [
        "gran", "grande", "grandes", "nuevo", "nueva", "nuevos", "nuevas", "mismo", "misma", "mismos", "mismas",
        "primer", "primera", "primero", "segundo", "segunda", "mayor", "menor", "mejor", "peor", "buen", "buena",
        "propio", "propia", "\u{FA}ltimo", "\u{FA}ltima", "pr\u{F3}ximo", "pr\u{F3}xima", "nouveau", "nouvelle",
        "nouveaux", "nouvelles", "petit", "petite", "petits", "petites", "grands", "m\u{EA}me", "m\u{EA}mes",
        "premier", "premi\u{E8}re", "second", "seconde", "dernier", "derni\u{E8}re", "autre", "autres", "bonne",
        "meilleur", "meilleure", "prochain", "prochaine", "plupart", "seul", "seule", "otro", "otra", "otros", "otras",
        "mayor\u{ED}a",
    ]
}
