internal import Basics

/// Wrong options for a question: statements that a hasty reader could take for the right one.
///
/// Each is a sentence of the source with one thing changed, so that the source contradicts it: the direction ("rise" for
/// "fall"), a figure that belongs to something else, or a word that says how many.
enum Distractors {
    /// Wrong statements beside a passage: first changes of the passage itself, then those of sentences on the same
    /// concept, the nearest first, then those of its other neighbours.
    static func beside(
        _ passage: String, on concept: String? = nil, in source: String, _ phrases: Phrases
    ) -> [String] {
        let stems = Words.stems(of: passage)
        let names = Words.stems(of: concept ?? "")
        func nearness(_ sentence: String) -> Int {
            let words = Words.stems(of: sentence)
            return 10 * words.intersection(names).count + words.intersection(stems).count
        }
        let others = Sentences.neutral(in: source).filter { $0 != passage }.enumerated()
            .map { (sentence: $0.element, place: $0.offset, nearness: nearness($0.element)) }
            .sorted { ($1.nearness, $0.place) < ($0.nearness, $1.place) }.map(\.sentence)
        let figures = figures(in: source)
        let own = reversed(passage, phrases) + exchanged(passage, for: figures) + denied(passage, phrases)
        let near = others.flatMap {
            reversed($0, phrases).prefix(1) + exchanged($0, for: figures).prefix(1) + denied($0, phrases)
        }
        var seen: Set<String> = [passage]
        let wrong = (own + near).filter { seen.insert($0).inserted }
        return wrong.filter { !source.containsBytes(of: $0) }
    }

    /// The sentence with one word of direction turned round, for each such word.
    private static func reversed(_ sentence: String, _ phrases: Phrases) -> [String] {
        let words = sentence.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        return words.indices.compactMap { place in
            let letters = words[place].prefix { $0.isLetter }
            guard let opposite = phrases.opposites[letters.lowercased()] ?? phrases.opposites[String(letters)] else {
                return nil
            }
            var changed = words
            let isCapital = letters.first?.isUppercase == true
            changed[place] = (isCapital ? opposite.capitalizedFirst : opposite) + words[place].dropFirst(letters.count)
            return changed.joined(separator: " ")
        }
    }

    /// The sentence with one of its figures replaced by another one of the source.
    private static func exchanged(_ sentence: String, for figures: [String]) -> [String] {
        let own = self.figures(in: sentence)
        return own.compactMap { figure in
            guard let other = figures.first(where: { $0 != figure && !own.contains($0) && $0.last == figure.last }),
                let range = sentence.firstRange(of: figure)
            else { return nil }
            return sentence.replacingCharacters(in: range, with: other)
        }
    }

    /// The sentence with its first plain verb denied.
    private static func denied(_ sentence: String, _ phrases: Phrases) -> [String] {
        for (verb, denial) in phrases.pairs("denials") {
            if sentence.containsBytes(of: denial) { return [] }
            if let range = sentence.firstRange(of: verb) {
                return [sentence.replacingCharacters(in: range, with: denial)]
            }
        }
        return []
    }

    /// The parts of a text between spaces that begin with a digit or a currency, without marks at their ends.
    private static func figures(in text: String) -> [String] {
        var seen: Set<String> = []
        return text.split(whereSeparator: \.isWhitespace).compactMap { word in
            var bare = word
            while let last = bare.last, ",.;:)!?".contains(last) { bare = bare.dropLast() }
            let digits = bare.first == "$" ? bare.dropFirst() : bare
            guard digits.first?.isNumber == true, seen.insert(String(bare)).inserted else { return nil }
            return String(bare)
        }
    }
}

extension String {
    fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }

    fileprivate func replacingCharacters(in range: Range<Index>, with text: String) -> String {
        self[..<range.lowerBound] + text + self[range.upperBound...]
    }
}

/// Questions that a passage answers.
enum PassageQuestion {
    /// A question for which the passage gives a reason or a consequence; `nil` where its form tells none.
    static func about(_ passage: String, _ phrases: Phrases) -> String? {
        let plain = passage.last == "." ? String(passage.dropLast()) : passage
        let lower = plain.lowercasedFirst
        for (opening, question) in phrases.pairs("if") where lower.hasPrefix(opening) {
            guard let comma = lower.firstIndex(of: ",") else { continue }
            return question.replacing("{clause}", with: lower[..<comma].dropFirst(opening.count))
        }
        for (link, question) in phrases.pairs("links") {
            guard let range = plain.firstRange(of: link), plain[..<range.lowerBound].split(separator: " ").count > 3
            else {
                continue
            }
            // German nouns keep their capitals, and a colon goes before the clause.
            let clause = String(plain[..<range.lowerBound])
            let isInside = phrases.language == .english
            return question.replacing("{clause}", with: isInside ? clause.lowercasedFirst : clause)
        }
        return nil
    }
}
