internal import Basics
internal import JSON

/// The subject of one object of an answer: a fact, or a topic of a text.
struct Subject: Sendable {
    var fact: FactLine?
    var name: String?
    /// A sentence of the source that shows it.
    var passage: String?
    /// The id of the entry of a list in the prompt.
    var identifier: String?
    /// True when the name comes from a list in the prompt.
    var isListed = false
    /// The number of sentences of the source about the subject.
    var occurrences = 1

    /// The fact's label or the name.
    var label: String? { fact?.label ?? name }
}

/// Finds the subjects of a text: names that the prompt lists, else pairs of words that return.
struct SubjectFinder {
    private static let limit = 6

    private let sentences: [String]
    private let material: Material
    /// The word stems of all sections that state the purpose of the answer.
    private let wanted: Set<String>

    init(_ material: Material) {
        self.material = material
        sentences = Sentences.quotable(in: material.source.text)
        wanted = Words.stems(of: material.context.map(\.text).joined(separator: " "))
    }

    /// Subjects with passages of their own, no two of which share a word; where that gives too few, other sentences
    /// under their first words.
    func inText(atLeast low: Int = 0) -> [Subject] {
        let stems = sentences.map(Words.stems)
        // The lists that come last are the most specific ones.
        let lists = material.context.filter { $0.name.hasSuffix("s") && !$0.isList }
        let listed = lists.reversed().flatMap { $0.text.split(whereSeparator: \.isNewline).map(String.init) }
        var taken: Set<String> = []
        var subjects: [Subject] = []
        for (place, name) in (listed + phrases).enumerated() where subjects.count < Self.limit {
            let words = Words.stems(of: name)
            // One is the plural of the other: `Anleihe`, `Anleihen`.
            let isForm = subjects.contains { known in
                known.name.map { $0.hasPrefix(name) || name.hasPrefix($0) } == true
            }
            guard !words.isEmpty, !isForm, words.isDisjoint(with: taken) else { continue }
            let places = stems.indices.filter { words.isSubset(of: stems[$0]) }
            guard let first = places.first else { continue }
            taken.formUnion(words)
            subjects.append(
                Subject(
                    name: name, passage: sentences[first], isListed: place < listed.count, occurrences: places.count))
        }
        let passages = Set(subjects.compactMap(\.passage))
        for sentence in sentences where subjects.count < low && !passages.contains(sentence) {
            let name = sentence.split(separator: " ").prefix(3).joined(separator: " ").lowercasedFirst
            subjects.append(Subject(name: name, passage: sentence))
        }
        return subjects
    }

    /// The entries of a list in the prompt: objects with a name and, in one of their members, a passage of the source.
    var inLists: [Subject] {
        var passages: Set<String> = []
        return material.context.flatMap(\.elements).compactMap { element in
            guard let name = element["name"]?.string ?? element["title"]?.string ?? element.string else { return nil }
            let members = element.object?.values.compactMap(\.string) ?? []
            let quotes = members.filter { $0 != name && Words.count($0) > 2 && material.source.text.contains($0) }
            let quote = quotes.max { $0.utf8.count < $1.utf8.count }
            let passage = quote ?? sentences.first { $0.lowercased().contains(name.lowercased()) }
            guard let passage, passages.insert(passage).inserted else { return nil }
            return Subject(name: name, passage: passage, isListed: true)
        }
    }

    /// The entries with an id of the lists in the prompt, as far as the prompt requires them.
    var entries: [Subject] {
        material.context.flatMap(\.elements).compactMap { element in
            guard let id = element["id"]?.string, element["required"] != false else { return nil }
            return Subject(name: element["name"]?.string ?? id, identifier: id, isListed: true)
        }
    }

    /// The share of the section's words that the source contains, from 0 to 1.
    func share(of section: Material.Section) -> Double {
        let goal = Words.stems(of: section.text)
        guard !goal.isEmpty else { return 0 }
        return Double(goal.intersection(Words.stems(of: material.source.text)).count) / Double(goal.count)
    }

    /// What the sentences speak of: those first that the context names, then the most frequent.
    private var phrases: [String] {
        switch AnswerLanguage.of(material.source.text) {
        case .german, .spanish, .french: ranked(nouns)
        default: ranked(pairs)
        }
    }

    /// German nouns have a capital; Spanish and French ones follow an article, or `de` behind another noun.
    private var nouns: [String] {
        let isGerman = AnswerLanguage.of(material.source.text) == .german
        return sentences.flatMap { sentence -> [String] in
            let words = sentence.split(separator: " ").map(String.init)
            return words.indices.compactMap { place in
                guard place > 0 else { return nil }
                var bare = words[place].drop { !$0.isLetter }
                if let mark = bare.firstIndex(where: { "'\u{2019}".contains($0) }), !isGerman {
                    guard ["l", "d"].contains(bare[..<mark].lowercased()) else { return nil }
                    bare = bare[bare.index(after: mark)...]
                } else if !isGerman, !Self.articles.contains(words[place - 1].lowercased()) {
                    return nil
                }
                let noun = bare.prefix { $0.isLetter || $0 == "-" }
                let isEnd = words[place - 1].last.map { ".!?:".contains($0) } == true
                guard noun.count > 3, Words.isTelling(noun.lowercased()), !isEnd,
                    isGerman == (noun.first?.isUppercase == true)
                else { return nil }
                guard !isGerman, noun.endIndex == bare.endIndex, place + 2 < words.count,
                    ["de", "del"].contains(words[place + 1])
                else { return String(noun) }
                let second = words[place + 2].prefix { $0.isLetter }
                return second.count > 3 ? "\(noun) \(words[place + 1]) \(second)" : String(noun)
            }
        }
    }

    private static let articles: Set<String> = [
        "el", "la", "los", "las", "un", "una", "unos", "unas", "del", "al", "su", "sus", "le", "les", "une", "des",
        "du",
        "au", "aux", "leur", "leurs", "son", "ses", "ce", "cette",
    ]

    /// Pairs of neighbouring words with a meaning.
    private var pairs: [String] {
        var pairs: [String] = []
        for sentence in sentences {
            var last: String?
            for word in sentence.lowercased().split(separator: " ") {
                let bare = word.drop { !$0.isLetter }
                let letters = bare.prefix { $0.isLetter }
                guard letters.count > 3,
                    letters.count == bare.count || !bare.dropFirst(letters.count).contains(where: \.isLetter),
                    Words.isTelling(String(letters)), !Phrases.shared.verbs.contains(String(letters))
                else {
                    last = nil
                    continue
                }
                if let last {
                    pairs.append("\(last) \(letters)")
                }
                last = letters.count == bare.count ? String(letters) : nil
            }
        }
        return pairs
    }

    private func ranked(_ names: [String]) -> [String] {
        let counts = names.reduce(into: [String: Int]()) { $0[$1, default: 0] += 1 }
        let ranked = names.uniqued().enumerated().map { place, pair in
            (pair: pair, isWanted: !Words.stems(of: pair).isDisjoint(with: wanted), count: counts[pair] ?? 0, place)
        }
        return ranked.sorted { left, right in
            (left.isWanted ? 1 : 0, left.count, -left.3) > (right.isWanted ? 1 : 0, right.count, -right.3)
        }.map(\.pair)
    }
}
