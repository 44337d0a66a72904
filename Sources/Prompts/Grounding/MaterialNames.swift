internal import Basics

/// Names of companies and people that texts have.
enum MaterialNames {
    /// Names of companies and people in a text whose language tells them from other nouns.
    static func of(_ text: ParsedText, _ language: Language) -> Set<String> {
        guard language != .german else { return [] }
        let words = text.words
        let places = Gazetteer.places(in: words).reduce(into: Set<Int>()) { $0.formUnion($1.range) }
        let small = Set(words.filter { $0.text == $0.lower }.map(\.folded))
        return Set(
            words.indices.filter { place in
                let folded = words[place].folded
                return words[place].isCapitalised && folded.count > 2 && !places.contains(place)
                    && !small.contains(folded) && !NameWords.isOrdinary(folded, language)
                    && !WordLists.of(language).common.contains(folded)
                    && !NameWords.titles.contains(folded)
            }.filter { place in
                // At the start of a sentence only what is a name elsewhere, or goes on with a name.
                let folded = words[place].folded
                if !words[place].startsSentence { return true }
                let next = place + 1 < words.count ? words[place + 1] : nil
                return words.contains { !$0.startsSentence && $0.isCapitalised && $0.folded == folded }
                    || next?.isCapitalised == true
                    || words.contains { $0.startsSentence && $0.folded == folded } && !folded.hasSuffix("s")
            }.map { words[$0].folded })
    }
}
