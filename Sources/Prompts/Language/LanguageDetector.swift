package import Basics

/// Tells by the commonest words in which language a text is written.
///
/// Words that several languages share count for each of them with their part. Portuguese, Italian and Dutch are known
/// so that they are not taken for their neighbours.
package struct LanguageDetector: Sendable {
    /// Words of a text below which nothing is said about its language.
    private static let shortest = 6

    /// The weight of the words of each language, by the tag.
    private let scores: [String: Double]
    /// Words that are no numbers.
    let words: Int

    package init(_ text: String) { self.init(NormalizedText(text)) }

    init(_ text: NormalizedText) { self.init(CalmWords.split(text)) }

    init(_ text: [CalmWords.Word]) {
        var scores: [String: Double] = [:]
        var words = 0
        for word in text where word.lower.unicodeScalars.first?.isLetter == true {
            words += 1
            for (tag, weight) in Self.weights[word.lower] ?? [] { scores[tag, default: 0] += weight }
        }
        self.scores = scores
        self.words = words
    }

    /// The language of the text; `nil` where it is too short to say, or none of those that are written here.
    package var language: Language? {
        words >= Self.shortest ? Self.best(of: scores, atLeast: 1.5, times: 1.25) : nil
    }

    /// The language with the most weight, if it has enough and is so many times before the next one.
    private static func best(of scores: [String: Double], atLeast least: Double, times: Double) -> Language? {
        guard let best = scores.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }), best.value >= least else {
            return nil
        }
        let second = scores.filter { $0.key != best.key }.values.max() ?? 0
        return best.value >= times * second ? Language(rawValue: best.key) : nil
    }

    /// The language of a question, which may be too short for its words alone to say: `Was ist ein Anleihefonds?`
    package static func language(ofQuestion text: String) -> Language? {
        let words = CalmWords.split(NormalizedText(text))
        let detector = LanguageDetector(words)
        if let language = detector.language { return language }
        var scores = detector.scores
        for (tag, known) in questionWords {
            scores[tag, default: 0] += 1.25 * Double(words.count { known.contains($0.lower) })
        }
        return best(of: scores, atLeast: 1.25, times: 1.5)
    }

    /// Words that ask. Those of one language may be common words of another: `was`, `comment`.
    private static let questionWords: [String: Set<String>] = [
        "en": ["what", "how", "why", "which", "when", "where", "who", "does", "do", "did", "should", "explain"],
        "de": [
            "was", "wie", "warum", "wieso", "weshalb", "welche", "welcher", "welches", "wann", "wer", "wo", "wozu",
            "wodurch", "wofür", "erkläre", "erklären", "soll", "sollte", "ich",
        ],
        "es": [
            "qué", "cómo", "cuál", "cuáles", "cuándo", "dónde", "quién", "cuánto", "cuánta", "explica", "explique",
            "debo", "debería",
        ],
        "fr": [
            "quoi", "quel", "quelle", "quels", "quelles", "comment", "pourquoi", "quand", "où", "combien", "explique",
            "expliquez", "dois", "devrais", "je",
        ],
    ]

    /// Whether the text is clearly not in this language. Names, tickers and a short quotation do not make it so.
    func isOther(than language: Language) -> Bool {
        guard words >= Self.shortest else { return false }
        let own = scores[language.rawValue] ?? 0
        let other = scores.filter { $0.key != language.rawValue }.values.max() ?? 0
        if other >= 1.5, other > 1.25 * own { return true }
        // A text of this length has its own language's commonest words, or is in a language that is not known here.
        return words >= 12 && own < 0.04 * Double(words)
    }

    /// Marks that no other of these languages has.
    private static let lists: [String: String] = [
        "en": """
        the of to and in that is was for on with as it by at from are this be have has not which its will \
        their been
        than who were had after would about what when there but they he she his her you your can into more also
        because over up out how may some other could these those said while one
        """,
        "de": """
        der die das und den von zu ist mit für auf dem nicht ein eine einen einem einer eines im sich auch \
        als es an
        werden aus er hat haben dass sie nach wird bei um am sind noch wie über so zum zur war waren nur oder aber
        vor bis mehr durch man dieser diese dieses wenn wurde wurden kann können weil damit ihre ihr sein seine
        gegen unter seit ihren deren sowie ohne zwischen jedoch des in
        """,
        "es": """
        de la que el en y a los del se las por un para con no una su al lo como más pero sus le ya o este sí porque
        esta entre cuando muy sin sobre también me hasta hay donde quien desde todo nos durante ha han fue son es
        está están era ser dos uno puede pueden sino cada otros otro otra tras según aunque estos estas esto mientras
        """,
        "fr": """
        de la le et les des en un du une que est pour qui dans a par plus pas au sur ne se ce il sont avec son ses
        aux mais ont cette comme ou sa leur elle été entre ces leurs peut peuvent sans sous depuis après avant donc
        n qu d l s c j à était même très tout tous ils elles afin lors ainsi selon y fait
        """,
        "pt": """
        de a o que e do da em um para é com não uma os no na por mais as dos como mas foi ao ele das tem à seu sua
        ou ser quando muito há nos já está também só pelo pela até isso ela entre era depois sem mesmo aos ter seus
        são
        """,
        "it": """
        di e che la il un a per è in una non ma lo ha le si con i da del della dei delle nel nella alla al dal gli
        sono più anche come o se su ai alle questo questa suo loro l d tra fra dopo stato essere dell
        """,
        "nl": """
        de het een en van ik te dat die in is niet op zijn voor met als er aan om ook bij maar uit naar dan wordt
        door over ze heeft hun nog deze worden werd meer
        """,
    ]

    /// The languages of a word, each with an equal part of 1.
    private static let weights: [String: [(tag: String, weight: Double)]] = {
        var tags: [String: [String]] = [:]
        for (tag, list) in lists {
            for word in Set(list.split(whereSeparator: \.isWhitespace)) { tags[String(word), default: []].append(tag) }
        }
        return tags.mapValues { found in found.sorted().map { ($0, 1 / Double(found.count)) } }
    }()
}

/// The rule that a text is in the language that was asked for.
enum LanguageRule {
    /// The problem of a text; `nil` when there is none. A long text is also read sentence by sentence, so that no
    /// sentence stays in another language.
    static func problem(in text: String, wanted language: Language) -> String? {
        let plain = NormalizedText(text)
        if LanguageDetector(plain).isOther(than: language) { return "It has to be in \(language.englishName)." }
        let stray = Sentences.ranges(in: plain).map(plain.string).first { sentence in
            let found = LanguageDetector(sentence)
            return found.words >= 8 && found.isOther(than: language)
        }
        return stray.map { "It has to be in \(language.englishName), also \"\($0.prefix(scalars: 80))\"." }
    }
}
