internal import Basics

/// A thing with the direction that an adjective or a noun gives it: "lower malt prices", "the rise in profit".
///
/// A clause may have two directions, "the rise in profit came from lower malt prices", so that each has to be held against
/// the sources with its own thing.
struct DirectedThing: Sendable {
    var isUp: Bool
    /// The keys of each word of the thing.
    var words: [Set<String>]

    /// Whether another one is about the same thing. A price or a cost of one thing is not that of another.
    func isAbout(_ other: DirectedThing) -> Bool {
        func shared(_ left: [Set<String>], _ right: [Set<String>]) -> [Set<String>] {
            left.filter { word in right.contains { !$0.isDisjoint(with: word) } }
        }
        let (few, many) = words.count <= other.words.count ? (words, other.words) : (other.words, words)
        let common = shared(few, many)
        guard !few.isEmpty, common.count == few.count else { return false }
        return few.count == many.count || !common.allSatisfy { !$0.isDisjoint(with: Self.measures) }
    }

    private static let measures: Set<String> = ["c:price", "c:cost", "c:rate", "c:wage"]

    /// Those of a text.
    static func all(in text: ParsedText, _ language: Language) -> [DirectedThing] {
        let lists = DirectionWords.of(language)
        return text.sentences.flatMap { all(in: text.words(of: $0), language, lists) }
    }

    private static let reach = 3

    private static func all(
        in words: [CalmWords.Word], _ language: Language, _ lists: DirectionWords
    ) -> [DirectedThing] {
        let folded = words.map(\.folded)
        let common = WordLists.of(language).common
        func isContent(_ place: Int) -> Bool {
            words.indices.contains(place) && words[place].folded.beginsWithLetter && !common.contains(folded[place])
                && folded[place].count > 2
        }
        func thing(_ isUp: Bool, _ range: Range<Int>) -> DirectedThing? {
            let keys = ClauseReader(language: language).keys(ofPart: words[range])
            return keys.isEmpty ? nil : DirectedThing(isUp: isUp, words: keys)
        }
        /// The content words from a place on, at most as many as count.
        func behind(_ place: Int) -> Range<Int> {
            var end = place
            while end - place < reach - 1, isContent(end), lists.direction(of: folded[end...]) == nil {
                end += 1
                if words[end - 1].endsSentence { break }
            }
            return place..<end
        }
        return words.indices.compactMap { place in
            if let (isUp, count) = lists.adjective(at: folded[place...]) {
                let next = place + count
                // "higher than", "lower by 3 percent"
                if lists.precedes, !words[place].endsSentence { return thing(isUp, behind(next)) }
                guard !lists.precedes else { return nil }
                var start = place
                while place - start < reach, start > 0,
                    isContent(start - 1) || lists.genitives.contains(folded[start - 1]),
                    !words[start - 1].endsSentence
                {
                    start -= 1
                }
                return thing(isUp, start..<place)
            }
            guard let isUp = lists.noun(folded[place]), place + 1 < words.count, !words[place].endsSentence,
                lists.genitives.contains(folded[place + 1])
            else { return nil }
            var next = place + 2
            while next < words.count, lists.articles.contains(folded[next]) { next += 1 }
            return thing(isUp, behind(next))
        }
    }
}
