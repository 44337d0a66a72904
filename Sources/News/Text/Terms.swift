/// A term of an article and how much it weighs before anything is known of the day.
struct Term: Hashable {
    var text: String
    var weight: Double
}

/// Turns a headline into terms.
struct TermReader {
    let rules: GroupingRules

    /// The terms of an article, each once, the strongest occurrence deciding; the description counts for less.
    func terms(of article: StoryArticle) -> [Term] {
        var terms: [Term] = []
        var places: [String: Int] = [:]
        func add(_ term: Term) {
            if let place = places[term.text] {
                terms[place].weight = max(terms[place].weight, term.weight)
            } else {
                places[term.text] = terms.count
                terms.append(term)
            }
        }
        read(HeadlineCleaner.clean(article.title, source: article.source), isTitle: true).forEach(add)
        if let description = article.description {
            for term in read(String(description.unicodeScalars.prefix(400)), isTitle: false) {
                add(Term(text: term.text, weight: term.weight * rules.description))
            }
        }
        return terms
    }

    private func read(_ text: String, isTitle: Bool) -> [Term] {
        Words.of(text).enumerated().compactMap { place, word in
            let stem = Synonyms.of(Stemmer.stem(word.folded))
            if CommonWords.functional.contains(stem) { return nil }
            let isNumber = stem.utf8.first.map { $0 >= 0x30 && $0 <= 0x39 } ?? false
            let isGeneric = CommonWords.generic.contains(stem) || stem.utf8.count == 1
            let weight = isNumber ? rules.number : isGeneric ? rules.generic : 1
            return Term(text: stem, weight: isTitle ? weight * lead(at: place) : weight)
        }
    }

    /// What a word gains by standing early: a headline opens with what it is about.
    private func lead(at place: Int) -> Double {
        1 + rules.lead * max(0, 1 - Double(place) / Double(rules.leadWords))
    }
}
