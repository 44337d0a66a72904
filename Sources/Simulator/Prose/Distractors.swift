internal import Basics

/// Wrong options for a question: statements that a hasty reader could take for the right one.
///
/// Each is a sentence of the source with one thing changed, so that the source contradicts it: the direction ("rise" for
/// "fall"), a figure that belongs to something else, or a word that says how many.
enum Distractors {
    /// Wrong statements beside a passage: first changes of the passage itself, then of its neighbours.
    static func beside(_ passage: String, in source: String) -> [String] {
        let others = Sentences.neutral(in: source).filter { $0 != passage }
        let figures = figures(in: source)
        let own = reversed(passage) + exchanged(passage, for: figures) + denied(passage)
        let near = others.flatMap { reversed($0).prefix(1) } + others.flatMap { exchanged($0, for: figures).prefix(1) }
        var seen: Set<String> = [passage]
        let wrong = (own.prefix(2) + near + own.dropFirst(2)).filter { seen.insert($0).inserted }
        return wrong.filter { !source.containsBytes(of: $0) }
    }

    /// The sentence with one word of direction turned round, for each such word.
    private static func reversed(_ sentence: String) -> [String] {
        let words = sentence.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        return words.indices.compactMap { place in
            let letters = words[place].prefix { $0.isLetter }
            guard let opposite = Phrases.shared.opposites[letters.lowercased()] else { return nil }
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
    private static func denied(_ sentence: String) -> [String] {
        for (verb, denial) in [
            (" is ", " is not "), (" are ", " are not "), (" can ", " cannot "), (" will ", " will not "),
            (" was ", " was not "), (" were ", " were not "), (" has ", " has never "), (" have ", " have never "),
        ] {
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
    static func about(_ passage: String) -> String? {
        let plain = passage.last == "." ? String(passage.dropLast()) : passage
        let lower = plain.lowercasedFirst
        if lower.hasPrefix("when ") || lower.hasPrefix("if "), let comma = lower.firstIndex(of: ",") {
            return "What follows \(lower[..<comma])?"
        }
        for link in [" because ", ", since ", ", as ", " so that "] {
            guard let range = lower.firstRange(of: link), lower[..<range.lowerBound].split(separator: " ").count > 3
            else {
                continue
            }
            let clause = plain[..<range.lowerBound]
            return link == " so that "
                ? "What is the purpose when \(String(clause).lowercasedFirst)?"
                : "What is the reason that \(String(clause).lowercasedFirst)?"
        }
        return nil
    }
}
