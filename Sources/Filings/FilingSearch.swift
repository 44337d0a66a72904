internal import Foundation

/// Finds the passages of a filing whose words answer a question (BM25 over stems).
package struct FilingSearch: Sendable {
    package struct Passage: Sendable, Equatable {
        /// The id of the first paragraph.
        package let id: String
        package let text: String
        /// The estimate of four characters a token.
        package let tokens: Int

        init(id: String, text: String, tokens: Int) { (self.id, self.text, self.tokens) = (id, text, tokens) }

        /// A paragraph as it stands.
        package init(_ paragraph: Filing.Paragraph) {
            self.init(id: paragraph.id, text: paragraph.text, tokens: (paragraph.text.utf8.count + 3) / 4)
        }
    }

    private struct Entry {
        var passage: Passage
        var stems: [String: Int]
        var length: Double
        /// A line without an end, which tells nothing without the text under it.
        var isHeading = false
    }

    private let entries: [Entry]
    private let frequencies: [String: Int]
    private let meanLength: Double

    /// Most characters of a passage that is joined from short paragraphs.
    private static let joined = 900

    /// Prepares the search in the items with text, and in the pointers of those without, all or those given.
    package init(_ filing: Filing, items: [String]? = nil) {
        var entries: [Entry] = []
        for section in filing.sections {
            if let items, !items.contains(section.item) { continue }
            // A pointer has no heading of its own.
            let title = FilingItem.annual.first { $0.number == section.item }?.titles.first ?? ""
            let paragraphs = section.paragraphs + section.pointer
            for (heading, passage) in Self.passages(paragraphs, under: section.pointer.isEmpty ? "" : title) {
                let words = Self.stems(heading + " " + passage.text)
                entries.append(
                    Entry(
                        passage: passage, stems: words.reduce(into: [:]) { $0[$1, default: 0] += 1 },
                        length: Double(words.count), isHeading: Self.isHeading(passage.text)))
            }
        }
        self.entries = entries
        frequencies = entries.reduce(into: [:]) { for stem in $1.stems.keys { $0[stem, default: 0] += 1 } }
        meanLength = max(entries.reduce(0) { $0 + $1.length } / Double(max(entries.count, 1)), 1)
    }

    /// Prepares the search in passages, each found by words of its own.
    package init(_ passages: [(passage: Passage, words: String)]) {
        entries = passages.map { passage, words in
            let words = Self.stems(words)
            return Entry(
                passage: passage, stems: words.reduce(into: [:]) { $0[$1, default: 0] += 1 },
                length: Double(words.count))
        }
        frequencies = entries.reduce(into: [:]) { for stem in $1.stems.keys { $0[stem, default: 0] += 1 } }
        meanLength = max(entries.reduce(0) { $0 + $1.length } / Double(max(entries.count, 1)), 1)
    }

    /// All passages, in their order.
    package var all: [Passage] { entries.map(\.passage) }

    /// The passages that share words with a question, best first, as many as the tokens allow.
    package func passages(for question: String, tokens: Int) -> [Passage] {
        let terms = LayWords.weighted(Set(Self.stems(String(question.prefix(2000)))))
        let scored = entries.enumerated().map { place, entry in (place: place, score: score(entry, terms)) }
            .filter { $0.score > 0 }
            .sorted { one, other in
                let (first, second) = (entries[one.place].isHeading, entries[other.place].isHeading)
                return first == second ? (other.score, one.place) < (one.score, other.place) : second
            }
        var left = tokens
        var found: [Passage] = []
        for (place, _) in scored {
            let passage = entries[place].passage
            guard passage.tokens <= left else { continue }
            left -= passage.tokens
            found.append(passage)
        }
        return found
    }

    private func score(_ entry: Entry, _ terms: [(stem: String, weight: Double)]) -> Double {
        terms.reduce(0) { sum, term in
            guard let count = entry.stems[term.stem].map(Double.init) else { return sum }
            let frequency = Double(frequencies[term.stem] ?? 0)
            let rarity = log(1 + (Double(entries.count) - frequency + 0.5) / (frequency + 0.5))
            return sum + term.weight * rarity * count * 2.2 / (count + 1.2 * (0.25 + 0.75 * entry.length / meanLength))
        }
    }

    /// The paragraphs of a section, each with the last heading before it. Rows of a table are joined.
    private static func passages(
        _ paragraphs: [Filing.Paragraph], under title: String
    ) -> [(heading: String, passage: Passage)] {
        var passages: [(heading: String, passage: Passage)] = []
        var heading = title
        var rows: (id: String, text: String)?
        func add(_ id: String, _ text: String) {
            passages.append((heading, Passage(id: id, text: text, tokens: (text.utf8.count + 3) / 4)))
        }
        for paragraph in paragraphs {
            if paragraph.isRow {
                let length = paragraph.text.utf8.count
                if let before = rows, before.text.utf8.count + length <= joined {
                    rows = (before.id, before.text + "\n" + paragraph.text)
                } else {
                    if let before = rows { add(before.id, before.text) }
                    rows = (paragraph.id, paragraph.text)
                }
                continue
            }
            if let before = rows { add(before.id, before.text) }
            rows = nil
            add(paragraph.id, paragraph.text)
            if isHeading(paragraph.text) { heading = paragraph.text }
        }
        if let before = rows { add(before.id, before.text) }
        return passages
    }

    private static func isHeading(_ text: String) -> Bool {
        text.utf8.count <= 200 && text.last != "." && !text.contains("\n")
    }

    // MARK: - Words

    private static let common: Set<String> = [
        "the", "and", "for", "are", "was", "were", "has", "have", "had", "its", "our", "their", "with", "that", "this",
        "from", "what", "which", "who", "how", "does", "did", "why", "when", "where", "company", "they", "them", "any",
        "can", "could", "would", "will", "there", "been", "than", "these", "those", "into", "about", "such", "not",
        "is", "it", "of", "to", "in", "on", "by", "as", "at", "be", "or", "an", "do", "we", "if", "us",
    ]

    /// The stems of a text's words.
    private static func stems(_ text: String) -> [String] {
        FilingLine.folded(text).split { !$0.isLetter && !$0.isNumber }.compactMap { word in
            word.count < 2 || common.contains(String(word)) ? nil : PorterStemmer.stem(String(word))
        }
    }
}
