internal import Basics

/// Finds the meanings of `ConceptTable` in words.
struct ConceptLexicon: Sendable {
    /// A meaning that several languages have words for.
    struct Concept: Sendable {
        var name: String
        var opposite: String?
        /// Whether a forecast may be about it.
        var isOutcome: Bool
        /// Whether it is something that happens or is there, so that a text which says that there was none denies it
        /// of everybody.
        var isEvent: Bool
    }

    private struct Phrase: Sendable {
        var concept: String
        /// Words next to each other.
        var words: [Stem]
        /// A further word of the clause, as the second part of a German verb.
        var later: Stem?
    }

    private struct Stem: Sendable {
        var text: String
        var isWhole: Bool

        init(_ written: Substring) {
            isWhole = written.last == "."
            text = String(isWhole ? written.dropLast() : written)
        }

        func matches(_ word: String) -> Bool { isWhole ? word == text : word.hasPrefix(text) }
    }

    /// By the first bytes of the first word.
    private let phrases: [FirstBytes: [Phrase]]
    /// Parts of compounds.
    private let parts: [(text: String, isWhole: Bool, concept: String)]

    private static let headLength = 2
    private static let reach = 9

    /// The words of a clause that name a concept: the concept and the place.
    func matches(in words: [String]) -> [(concept: String, place: Int)] {
        var found: [(concept: String, place: Int)] = []
        for (place, word) in words.enumerated() {
            for phrase in phrases[FirstBytes(word, Self.headLength)] ?? []
            where matches(phrase, at: place, in: words) {
                found.append((phrase.concept, place))
            }
            for part in parts where word.utf8.count > part.text.utf8.count {
                if part.isWhole ? word.hasSuffix(part.text) : word.contains(part.text) {
                    found.append((part.concept, place))
                }
            }
        }
        return found
    }

    private func matches(_ phrase: Phrase, at place: Int, in words: [String]) -> Bool {
        guard place + phrase.words.count <= words.count else { return false }
        guard zip(phrase.words, words[place...]).allSatisfy({ $0.matches($1) }) else { return false }
        guard let later = phrase.later else { return true }
        return words[(place + 1)...].prefix(Self.reach).contains(where: later.matches)
    }

    private init(_ language: Language) {
        var phrases: [FirstBytes: [Phrase]] = [:]
        var parts: [(String, Bool, String)] = []
        for line in ConceptTable.lines.split(separator: "\n") {
            let sides = line.split(separator: "|").map { $0.split(separator: " ") }
            guard let name = sides.first?.first, let words = sides.first(where: { $0.first == language.rawValue[...] })
            else { continue }
            let concept = String(name.prefix { $0 != "=" && $0 != "!" && $0 != "@" })
            for written in words.dropFirst() {
                if written.first == "~" {
                    let stem = Stem(written.dropFirst())
                    parts.append((stem.text, !written.dropFirst().isEmpty, concept))
                    continue
                }
                let halves = written.split(separator: "+")
                let stems = halves[0].split(separator: "_").map(Stem.init)
                let phrase = Phrase(concept: concept, words: stems, later: halves.count > 1 ? Stem(halves[1]) : nil)
                phrases[FirstBytes(stems[0].text, Self.headLength), default: []].append(phrase)
            }
        }
        self.phrases = phrases
        self.parts = parts.map { (text: $0.0, isWhole: $0.1, concept: $0.2) }
    }

    private static let all: [Language: ConceptLexicon] = Dictionary(
        uniqueKeysWithValues: Language.allCases.map { ($0, ConceptLexicon($0)) })

    /// The words of a language.
    static func of(_ language: Language) -> ConceptLexicon { all[language] ?? ConceptLexicon(language) }

    /// Whether a stem's word names the concept.
    static func names(_ concept: String, by stem: String) -> Bool {
        let parts = stem.split(separator: ":")
        guard parts.count == 3, let language = Language(rawValue: String(parts[1])) else { return false }
        return of(language).matches(in: [String(parts[2])]).contains { "c:" + $0.concept == concept }
    }

    /// What the table says of each concept.
    static let concepts: [String: Concept] = {
        var concepts: [String: Concept] = [:]
        for line in ConceptTable.lines.split(separator: "\n") {
            guard let head = line.split(separator: " ").first else { continue }
            let isOutcome = head.last == "!"
            let isEvent = head.last == "@"
            let names = head.filter { $0 != "!" && $0 != "@" }.split(separator: "=").map(String.init)
            concepts[names[0]] = Concept(
                name: names[0], opposite: names.count > 1 ? names[1] : nil, isOutcome: isOutcome, isEvent: isEvent)
        }
        return concepts
    }()
}
