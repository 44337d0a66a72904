internal import Basics

/// Words of a text without those that every text has, cut so that a plural is the same as a singular.
enum Words {
    static func stems(of text: String) -> Set<String> { Set(allStems(of: text)) }

    /// The stems in the order of the text, repeated ones too.
    static func allStems(of text: String) -> [String] {
        text.lowercased().split { !$0.isLetter }.map(String.init).filter(isTelling).map(stem)
    }

    /// Whether a word in lower case names a topic of a text.
    static func isTelling(_ word: String) -> Bool { word.count > 2 && !common.contains(word) }

    static func count(_ text: String) -> Int { text.split(whereSeparator: \.isWhitespace).count }

    private static func stem(_ word: String) -> String {
        for ending in ["ing", "ed", "es", "s"] where word.hasSuffix(ending) && word.count - ending.count >= 4 {
            return String(word.dropLast(ending.count))
        }
        return word
    }

    private static let common = Set(
        """
        about after all also and any are because been before but can did does each every few first for from had has have
        her his how into its just learn like made make many more most much new not now one only other our out over said
        say says see she some such take than that the their them then there these they this those through too two under
        understand until use used very want was well were what when where which while who why will with would you your
        aber als auch auf aus bei beim bis dann das dass dem den der des dich dies diese dieser dieses durch ein eine einem
        einen einer eines es für gegen haben hat hatte ich ihr ihre ihren ihnen ist kann können mehr mit nach nicht noch
        nur oder ohne schon sehr sein seine sich sie sind so soll sollte sowie über um und uns unter vom von vor waren
        warum was wegen weil wenn wer werden wie wird wo wurde wurden zu zum zur zwischen geht wann welche welcher welches
        verstehen funktionieren möchte
        al algo como con cómo cuál cuáles cuando cuándo cuánto del desde donde dos el ella ellos en entre era eran es esa
        ese eso esta está están este esto estos fue fueron ha han hasta la las le les lo los más mientras muy no nos o
        para pero por porque qué que quien quién se según ser si sí sobre su sus también tan tiene tienen todo un
        una uno unos y ya comprender entender quiero funciona funcionan
        alors après au aussi aux avant avec ce cela ces cet cette chaque chez combien comme dans de depuis des
        dont du elle elles en entre est et été être eux fait il ils je la le les leur leurs lorsque lui mais même mes moins
        ne nos notre nous on ont ou où par parce pas peut peuvent plus pourquoi pour quand que quel quelle quelles quels qui
        quoi sa sans se sera ses si sont sous très tout tous une un vous votre y fonctionnent comprendre
        """.listed)
}

/// The sentences of a text, by how they may be used.
enum Sentences {
    /// The sentences of a text, at most as many as `limit`; preferably those of a usual length.
    static func all(in text: String, limit: Int = 24) -> [String] {
        var found: [String] = []
        for line in text.split(whereSeparator: \.isNewline) {
            var sentence = ""
            for word in line.split(separator: " ") {
                sentence += sentence.isEmpty ? word : " " + word
                guard let last = word.last, ".!?".contains(last) else { continue }
                found.append(sentence)
                sentence = ""
            }
            if sentence.contains(" ") { found.append(sentence) }
        }
        let whole = found.filter { (20...300).contains($0.utf8.count) }
        return Array((whole.isEmpty ? found : whole).prefix(limit))
    }

    /// Sentences that can be quoted as they are: of a readable length, without addresses or orders to the reader.
    static func quotable(in text: String) -> [String] {
        all(in: text).filter { sentence in
            (5...40).contains(Words.count(sentence)) && !holds(Phrases.shared.unfit, sentence) && !isNote(sentence)
        }
    }

    /// Quotable sentences that are whole and advise nothing.
    static func neutral(in text: String) -> [String] {
        quotable(in: text).filter { isWhole($0) && !holds(Phrases.shared.advice, $0) }
    }

    /// Neutral sentences that are short, plain and free of words that alarm.
    static func calm(in text: String) -> [String] {
        quotable(in: text).filter { sentence in
            let words = Words.count(sentence)
            let letters = sentence.count(where: \.isLetter)
            return words <= 18 && Double(letters) / Double(words) <= 5.6 && isWhole(sentence)
                && !holds(Phrases.shared.restless, sentence)
        }
    }

    /// Whether a sentence only says that an article is the simulator's own.
    static func isNote(_ sentence: String) -> Bool { holds(Phrases.shared.notes, sentence) }

    private static func isWhole(_ sentence: String) -> Bool { sentence.last.map { ".?".contains($0) } == true }

    private static func holds(_ words: [String], _ sentence: String) -> Bool {
        let lower = sentence.lowercased()
        return words.contains { lower.containsBytes(of: $0) }
    }
}

/// A stream of numbers that a seed determines (SplitMix64), so that the same request gets the same answer.
struct SeededRandom: RandomNumberGenerator, Sendable {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    /// Seeded with the first 64 bits of a hexadecimal digest.
    init(digest: String) { self.init(seed: UInt64(digest.prefix(16), radix: 16) ?? 0) }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A fraction from 0 up to, but without, 1.
    mutating func fraction() -> Double { Double(next() >> 11) / Double(1 << 53) }
}
