internal import Basics

/// A sentence of a text on a comparison: its words, and the companies or personas that it names.
struct ComparisonSentence: Sendable {
    struct Word: Sendable {
        var text: String
        var lower: String
        /// In UTF-16 units.
        var range: Range<Int>
        /// Whether a comma, a colon or a semicolon is between it and the word before.
        var isAfterMark = false
        /// Whether a semicolon is.
        var isAfterSemicolon = false
    }

    /// Words that name a column of the table; without one where it cannot be told which.
    struct Mention: Sendable {
        var place: Int
        var count: Int
        var owner: Int?
        /// Whether it is a name, not "its" or "the former".
        var isName: Bool
    }

    /// A way to write a column's name.
    struct Name: Sendable {
        var words: [String]
        /// Whether capitals count, as in a ticker: "ALL" is not "all".
        var isTicker = false
    }

    let words: [Word]
    private(set) var mentions: [Mention] = []

    /// Words that set one company's figure against another's.
    private static let borders: Set<String> = [
        "against", "than", "while", "whereas", "and", "but", "versus", "above", "below", "beside", "where", "compared",
    ]

    /// - Parameters:
    ///   - text: The sentence.
    ///   - names: The names of each column.
    ///   - before: The columns that the sentence before names, in their order.
    ///   - hasPronouns: Whether "it" and "its" are of a column.
    init(_ text: String, names: [[Name]], before: [Int], hasPronouns: Bool) {
        words = Self.words(of: text)
        mentions = named(by: names)
        let named = mentions.compactMap(\.owner)
        for place in words.indices {
            let isPair = ["former", "latter"].contains(words[place].lower)
            guard isPair || hasPronouns && ["its", "it"].contains(words[place].lower) else { continue }
            let earlier = mentions.filter { $0.place < place && $0.isName }
            let known = (earlier.isEmpty ? before : earlier.compactMap(\.owner)).uniqued()
            if isPair {
                let isTold = known.count == 2
                add(place, isTold ? known[words[place].lower == "former" ? 0 : 1] : nil)
            } else if let near = earlier.last, clause(at: place).contains(near.place) {
                add(place, near.owner)
            } else if !known.isEmpty {
                add(place, known.count == 1 ? known[0] : nil)
            }
        }
        mentions.sort { $0.place < $1.place }
        owners = named.uniqued()
    }

    /// The columns that it names, in their order.
    private(set) var owners: [Int] = []

    private mutating func add(_ place: Int, _ owner: Int?) {
        mentions.append(Mention(place: place, count: 1, owner: owner, isName: false))
    }

    /// The words between two that compare.
    func clause(at place: Int) -> Range<Int> {
        var start = place
        while start > 0, !isBorder(start) { start -= 1 }
        var end = place + 1
        while end < words.count, !isBorder(end) { end += 1 }
        return start..<end
    }

    /// Whether a clause begins at a word.
    private func isBorder(_ place: Int) -> Bool {
        words[place].isAfterSemicolon || Self.borders.contains(words[place].lower)
    }

    /// The word with which a clause begins, where it is one that compares or joins.
    func border(of clause: Range<Int>) -> String? {
        let word = words[clause.lowerBound].lower
        return Self.borders.contains(word) ? word : nil
    }

    /// The places of the words that a range of the text has.
    func places(of range: Range<Int>) -> Range<Int>? {
        guard let first = words.firstIndex(where: { $0.range.overlaps(range) }),
            let last = words.lastIndex(where: { $0.range.overlaps(range) })
        else { return nil }
        return first..<(last + 1)
    }

    private func named(by names: [[Name]]) -> [Mention] {
        var found: [Mention] = []
        var place = 0
        while place < words.count {
            var best: Mention?
            for (owner, names) in names.enumerated() {
                for name in names where has(name, at: place) && name.words.count > best?.count ?? 0 {
                    best = Mention(place: place, count: name.words.count, owner: owner, isName: true)
                }
            }
            if let best { found.append(best) }
            place += best?.count ?? 1
        }
        return found
    }

    private func has(_ name: Name, at place: Int) -> Bool {
        guard place + name.words.count <= words.count else { return false }
        return zip(words[place...], name.words).allSatisfy { word, part in
            name.isTicker ? word.text == part : word.lower == part.lowercased()
        }
    }

    /// The words of a text, numbers with their decimals as one; `s` of a possessive is none.
    static func words(of text: String) -> [Word] {
        var words: [Word] = []
        var (current, start, offset) = ("", 0, 0)
        var (isAfterMark, isAfterSemicolon) = (false, false)
        func close() {
            defer { current = "" }
            guard !current.isEmpty, current != "s" else { return }
            words.append(
                Word(
                    text: current, lower: current.lowercased(), range: start..<offset, isAfterMark: isAfterMark,
                    isAfterSemicolon: isAfterSemicolon))
            (isAfterMark, isAfterSemicolon) = (false, false)
        }
        let characters = Array(text)
        for (place, character) in characters.enumerated() {
            let isInNumber =
                ".,".contains(character) && current.last?.isNumber == true && place + 1 < characters.count
                && characters[place + 1].isNumber
            if character.isLetter || character.isNumber || isInNumber {
                if current.isEmpty { start = offset }
                current.append(character)
            } else {
                close()
                if ",;:".contains(character) { isAfterMark = true }
                if character == ";" { isAfterSemicolon = true }
            }
            offset += character.utf16.count
        }
        close()
        return words
    }
}
