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

/// Finds the subjects of a text: names that the prompt lists, else its noun phrases.
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

    /// Subjects with passages of their own, none of which is named by a word of an earlier one; where that gives too few, other sentences
    /// under their first words.
    func inText(atLeast low: Int = 0) -> [Subject] {
        let stems = sentences.map(Words.stems)
        // The lists that come last are the most specific ones.
        let lists = material.context.filter { $0.name.hasSuffix("s") && !$0.isList }
        let listed = lists.reversed().flatMap { $0.text.split(whereSeparator: \.isNewline).map(String.init) }
        var taken: Set<String> = []
        var subjects: [Subject] = []
        for (place, name) in (listed + NounPhrases(sentences, wanted: wanted).ranked).enumerated()
        where subjects.count < Self.limit {
            let words = Words.allStems(of: name)
            // One is the plural of the other: `Anleihe`, `Anleihen`.
            let isForm = subjects.contains { known in
                known.name.map { $0.hasPrefix(name) || name.hasPrefix($0) } == true
            }
            guard let head = words.last, !isForm, !taken.contains(head) else { continue }
            let places = stems.indices.filter { stems[$0].isSuperset(of: words) }
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
}
