/// Finds the patterns that may occur in a sentence by its words, so that the others need not be looked for: a sentence
/// has few of the words that hundreds of patterns are made of.
struct PhraseIndex: Sendable {
    /// An element of a pattern that a word of a sentence satisfies.
    private struct Place {
        var pattern: Int
        /// With one bit, that of the element.
        var element: UInt64
    }

    private var words: [String: [Place]] = [:]
    private var prefixes: [String: [Place]] = [:]
    /// The lengths of the prefixes in bytes, the shortest first.
    private let prefixLengths: [Int]
    /// The elements that a sentence must satisfy, by the place of the pattern.
    private let needs: [UInt64]

    init(_ patterns: [PhrasePattern]) {
        var needs = Array(repeating: UInt64(0), count: patterns.count)
        for (number, pattern) in patterns.enumerated() {
            // Elements beyond the bits are left to the pattern itself.
            for (element, choices) in pattern.needs.prefix(UInt64.bitWidth).enumerated() {
                let place = Place(pattern: number, element: 1 << UInt64(element))
                needs[number] |= place.element
                for word in choices.words { words[word, default: []].append(place) }
                for prefix in choices.prefixes { prefixes[prefix, default: []].append(place) }
            }
        }
        self.needs = needs
        prefixLengths = Set(prefixes.keys.map(\.utf8.count)).sorted()
    }

    /// The places of the patterns of which the sentence has a word for each element, in their order.
    func candidates(in sentence: [String]) -> [Int] {
        var found = Array(repeating: UInt64(0), count: needs.count)
        func note(_ places: [Place]?) {
            for place in places ?? [] { found[place.pattern] |= place.element }
        }
        for word in sentence {
            note(words[word])
            for length in prefixLengths {
                guard length <= word.utf8.count else { break }
                if let prefix = String(word.utf8.prefix(length)) { note(prefixes[prefix]) }
            }
        }
        return needs.indices.filter { found[$0] == needs[$0] }
    }
}
