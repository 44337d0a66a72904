/// Numbers in words: "eight years", "three per cent", "twenty-five", "two hundred", "nine tenths of".
enum PassageNumberWords {
    private static let small = [
        "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
        "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
    ]
    private static let tens = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
    private static let values: [String: Int] = Dictionary(
        uniqueKeysWithValues: small.enumerated().map { ($1, $0) } + tens.enumerated().map { ($1, ($0 + 2) * 10) })
    /// Parts of a whole, by their names.
    private static let parts = [
        "half": 2, "halves": 2, "third": 3, "thirds": 3, "fourth": 4, "fourths": 4, "fifth": 5, "fifths": 5, "sixth": 6,
        "sixths": 6, "eighth": 8, "eighths": 8, "tenth": 10, "tenths": 10,
    ]
    private static let scales = ["thousand", "million", "billion", "trillion"]

    /// The numbers of a text that are written in words. "One" alone is no number, since it stands for a thing as well.
    static func figures(in text: String) -> Set<PassageFigure> {
        let words = text.lowercased().split { !$0.isLetter && $0 != "%" }.map(String.init)
        var found: Set<PassageFigure> = []
        var place = 0
        while place < words.count {
            // "The first half of 2025" is a time.
            let isTime = place > 0 && ["first", "second", "latter", "last", "other"].contains(words[place - 1])
            if !isTime, let (figure, count) = part(words[place...]) {
                found.insert(figure)
                place += count
            } else if let (value, count) = number(words[place...]) {
                let after = words[(place + count)...]
                let isPercent =
                    ["%", "percent"].contains(after.first)
                    || (after.first == "per" && after.dropFirst().first == "cent")
                if value != 1 || count > 1 || isPercent || scales.contains(after.first ?? "") {
                    var figure = PassageFigure(digits: String(value), isPercent: isPercent)
                    figure.scale = scales.first { after.first?.hasPrefix($0) ?? false }
                    found.insert(figure)
                }
                place += count
            } else {
                place += 1
            }
        }
        return found
    }

    /// A whole number at the begin of words, and how many of them it has.
    private static func number(_ words: ArraySlice<String>) -> (value: Int, count: Int)? {
        let second = words.dropFirst().first ?? ""
        // "A hundred", "a dozen" and "a million": one of them.
        if ["a", "an"].contains(words.first) {
            if second == "hundred" { return (100, 2) }
            if second == "dozen" { return (12, 2) }
            return scales.contains(second) ? (1, 1) : nil
        }
        guard let first = words.first, var value = values[first] else { return nil }
        if second == "dozen" { return (value * 12, 2) }
        var count = 1
        func next() -> String { words.dropFirst(count).first ?? "" }
        if value >= 20, let unit = values[next()], (1...9).contains(unit) {
            value += unit
            count += 1
        }
        if next() == "hundred" {
            value *= 100
            count += 1
            if next() == "and", values[words.dropFirst(count + 1).first ?? ""] != nil { count += 1 }
            if let rest = number(words.dropFirst(count)), rest.value < 100 {
                value += rest.value
                count += rest.count
            }
        }
        return (value, count)
    }

    /// A part such as "two thirds", "one half" or "a third of", as a percentage.
    private static func part(_ words: ArraySlice<String>) -> (figure: PassageFigure, count: Int)? {
        guard let first = words.first else { return nil }
        let second = words.dropFirst().first ?? ""
        let third = words.dropFirst(2).first ?? ""
        let isOf = third == "of"
        // "One third" is a part, but not in "one third party" and "one fourth quarter".
        let isPart = !["party", "parties", "quarter", "quarters", "year", "time"].contains(third)
        if first == "half", ["of", "the", "its", "our", "their", "all"].contains(second) {
            return (PassageFigure(digits: "50", isPercent: true), 1)
        }
        guard let whole = parts[second] else { return nil }
        let share: Int
        if let count = values[first], (1..<whole).contains(count), count > 1 || whole == 2 || isPart {
            share = count
        } else if first == "a", isOf {
            share = 1
        } else {
            return nil
        }
        return (PassageFigure(digits: String((share * 100 + whole / 2) / whole), isPercent: true), 2)
    }
}
