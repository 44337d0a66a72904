/// A fraction in words: `two-thirds`, `a quarter of`, `about half`, `nine in ten`.
///
/// Halves, thirds and quarters of a year are no fractions.
struct WordFraction {
    let value: Double
    /// Behind its last token.
    let end: Int

    init?(tokens: [FigureToken], at place: Int) {
        func lower(_ offset: Int) -> String? {
            tokens.indices.contains(place + offset) ? tokens[place + offset].lower : nil
        }
        let word = tokens[place].lower
        if word == "half" {
            guard Self.isHalf(next: lower(1), after: lower(2), before: lower(-1)) else { return nil }
            value = 0.5
            end = place + 1
            return
        }
        guard let count = word == "a" ? 1 : NumberWords.small[word], count > 0 else { return nil }
        if let link = lower(1), link == "in" || link == "out", word != "a" {
            let offset = link == "out" && lower(2) == "of" ? 3 : 2
            guard let base = lower(offset).flatMap({ NumberWords.small[$0] }), base > count, base <= 12,
                link == "in" || base == 10 || base == 5
            else { return nil }
            value = count / base
            end = place + offset + 1
            return
        }
        let isHyphenated = lower(1) == "-"
        let offset = isHyphenated ? 2 : 1
        guard let part = lower(offset), let base = NumberWords.denominators[part], count < base else { return nil }
        let isOf = lower(offset + 1) == "of" && !Self.isTime(lower(offset + 2))
        let isPeriod = base == 4 || base == 2
        guard isHyphenated || isOf || word != "a" && !isPeriod else { return nil }
        guard !isHyphenated || lower(offset + 1) != "-" else { return nil }
        value = count / base
        end = place + offset + 1
    }

    private static func isHalf(next: String?, after: String?, before: String?) -> Bool {
        if let before,
            ["first", "second", "other", "latter", "former", "next", "last", "and", "a", "better"].contains(before)
        {
            return false
        }
        if next == "a", let after, NumberWords.scales[after] != nil { return false }
        if next == "-" || next == "year" || next == "years" { return false }
        if let next, ["of", "the", "its", "their", "as", "what", "that", "all"].contains(next) {
            return !isTime(next == "of" || next == "the" ? after : nil)
        }
        return before.map {
            ["by", "in", "about", "nearly", "almost", "roughly", "than", "over", "around"].contains($0)
        } ?? false
    }

    private static func isTime(_ word: String?) -> Bool {
        guard let word else { return false }
        return word.allSatisfy(\.isNumber) || ["year", "fiscal", "decade", "day", "month"].contains(word)
    }
}
