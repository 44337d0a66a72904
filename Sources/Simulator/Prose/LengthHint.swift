/// What a description says about length: "three to five sentences", "exactly two", "at most 12 words".
struct LengthHint: Equatable, Sendable {
    var low: Int
    var high: Int

    /// The range that stands before a noun (`sentence`, `word`), at most three adjectives away.
    static func range(of noun: String, in description: String) -> LengthHint? {
        let words = words(description)
        for (place, word) in words.enumerated() where word.hasPrefix(noun) {
            for end in stride(from: place - 1, through: max(0, place - 4), by: -1) where number(words[end]) != nil {
                return range(endingAt: end, in: words)
            }
        }
        return nil
    }

    /// How many elements of a list a description asks for: its first number that counts nothing else.
    static func count(in description: String) -> LengthHint? {
        let words = words(description)
        var place = 0
        while place < words.count {
            guard number(words[place]) != nil else {
                place += 1
                continue
            }
            var end = place
            if let second = continuation(after: place, in: words) { end = second }
            let follows = words[(end + 1)...].prefix(3)
            if !follows.contains(where: { word in Self.otherNouns.contains { word.hasPrefix($0) } }) {
                return range(endingAt: end, in: words)
            }
            place = end + 1
        }
        return nil
    }

    private static let otherNouns = [
        "sentence", "paragraph", "word", "character", "percent", "year", "quarter", "line", "digit",
    ]

    private static let numbers = [
        "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
        "eleven": 11, "twelve": 12, "fifteen": 15, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "single": 1,
        "couple": 2,
    ]

    private static func number(_ word: String) -> Int? {
        if let known = numbers[word] { return known }
        guard let value = Int(word), value > 0, value <= 1_000 else { return nil }
        return value
    }

    private static func words(_ text: String) -> [String] {
        text.lowercased().split { !($0.isLetter || $0.isNumber) }.map(String.init)
    }

    /// The place of the second number of `three to five`, `3–5`, `two or three`, `between three and five`.
    private static func continuation(after place: Int, in words: [String]) -> Int? {
        if place + 1 < words.count, number(words[place + 1]) != nil { return place + 1 }
        if place + 2 < words.count, ["to", "or", "and"].contains(words[place + 1]), number(words[place + 2]) != nil {
            return place + 2
        }
        return nil
    }

    private static func range(endingAt end: Int, in words: [String]) -> LengthHint? {
        guard let high = number(words[end]) else { return nil }
        for start in [end - 1, end - 2] where start >= 0 && continuation(after: start, in: words) == end {
            if let low = number(words[start]), low <= high { return LengthHint(low: low, high: high) }
        }
        let before = words[max(0, end - 3)..<end].joined(separator: " ")
        if before.hasSuffix("at least") || before.hasSuffix("or more") { return LengthHint(low: high, high: high + 1) }
        let limits = [
            "at most", "up to", "no more than", "not more than", "maximum of", "under", "below", "max", "fewer than",
        ]
        if limits.contains(where: { before.hasSuffix($0) }) { return LengthHint(low: 1, high: high) }
        return LengthHint(low: high, high: high)
    }
}
