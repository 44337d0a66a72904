internal import Basics
internal import DataSources
internal import Prompts

/// Finds figures that a text calls by the name of another measure: a gross margin as the net margin.
struct ComparisonMeasures: Sendable {
    /// The units of figures by the words of their measure's name.
    private let measures: [[String]: Set<Fact.Unit>]

    /// Words of a name that do not tell measures apart.
    private static let common: Set<String> = [
        "median", "yearly", "latest", "of", "the", "a", "an", "on", "over", "to", "year", "years", "five", "before",
        "annual",
    ]
    /// Words that may be between a name and its figure.
    private static let links: Set<String> = common.union([
        "is", "was", "are", "were", "has", "had", "at", "in", "for", "with", "by", "from", "that", "its", "and", "but",
        "against", "than", "while", "whereas", "versus", "above", "below", "compared", "higher", "lower",
        "stands", "stood", "reached", "came", "only", "about", "fiscal", "percent", "million", "billion", "usd",
        "former", "latter", "which", "s",
    ])

    init(_ entries: [ComparisonTable.Entry]) {
        var measures: [[String]: Set<Fact.Unit>] = [:]
        for entry in entries where !entry.line.id.hasPrefix("score") && entry.line.id != "confidence" {
            let name = Self.words(of: entry.line.label).filter { !Self.common.contains($0) }
            if (2...3).contains(name.count) { measures[name, default: []].insert(entry.line.fact.unit) }
        }
        self.measures = measures
    }

    private static func words(of text: String) -> [String] { ComparisonSentence.words(of: text).map(\.lower) }

    /// The measure that a sentence names right behind a figure, or before it with nothing else between.
    func named(at places: Range<Int>, in sentence: ComparisonSentence) -> [String]? {
        let words = sentence.words
        for start in places.upperBound..<min(places.upperBound + 3, words.count) {
            if words[start].isAfterMark { break }
            if let name = name(from: start, in: words) { return name }
            guard ["of", "as", "is", "the", "its", "a", "median"].contains(words[start].lower) else { break }
        }
        var place = places.lowerBound - 1
        while place >= 0 {
            if let name = name(endingAt: place, in: words) { return name }
            let word = words[place].lower
            let isNamed = sentence.mentions.contains { ($0.place..<$0.place + $0.count).contains(place) }
            guard isNamed || Self.links.contains(word) || word.first?.isNumber == true || word.hasPrefix("fy20") else {
                return nil
            }
            place -= 1
        }
        return nil
    }

    private func name(from start: Int, in words: [ComparisonSentence.Word]) -> [String]? {
        [3, 2].lazy.map { words[start...].prefix($0).map(\.lower) }.first { measures[$0] != nil }
    }

    private func name(endingAt end: Int, in words: [ComparisonSentence.Word]) -> [String]? {
        [3, 2].lazy.map { words[...end].suffix($0).map(\.lower) }.first { measures[$0] != nil }
    }

    /// The right name of a figure that is not of a measure, among the entries that it can state; `nil` where it fits, or
    /// where the measure is of another unit.
    func conflict(_ entries: [ComparisonTable.Entry], _ measure: [String]) -> String? {
        guard let units = measures[measure], let first = entries.first,
            entries.allSatisfy({ units.contains($0.line.fact.unit) })
        else { return nil }
        let isRight = entries.contains { Set(Self.words(of: $0.line.label)).isSuperset(of: measure) }
        return isRight ? nil : first.label
    }
}
