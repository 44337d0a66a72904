/// A number as it stands in a text, with what stands beside it: a sign, a currency, a percentage, millions.
struct PassageFigure: Hashable, Sendable {
    var digits: String
    var isPercent: Bool
    var isNegative = false
    var currency: Character?
    /// `million`, `billion`…
    var scale: String?

    /// Whether a figure of a passage bears this one of a claim out. What the passage leaves to the head of a table, such
    /// as "in millions", may stand anywhere in it.
    func isStated(by other: PassageFigure, among words: Set<String>) -> Bool {
        guard digits == other.digits, isPercent == other.isPercent, !isNegative || other.isNegative else {
            return false
        }
        if let currency, let own = other.currency, currency != own { return false }
        if let currency, other.currency == nil, currency != "$" { return false }
        guard let scale else { return other.scale == nil }
        return scale == other.scale || (other.scale == nil && words.contains { $0.hasPrefix(scale) })
    }

    private static let currencies: Set<Character> = ["$", "€", "£", "¥"]
    private static let scales = ["thousand", "million", "billion", "trillion"]

    /// All numbers of a text, without the marks that group digits, and those in words.
    static func all(in text: String) -> Set<PassageFigure> {
        let characters = Array(text)
        var found = PassageNumberWords.figures(in: text)
        var place = 0
        while place < characters.count {
            guard characters[place].isASCII, characters[place].isNumber else {
                place += 1
                continue
            }
            let start = place
            while place < characters.count, characters[place].isNumber || ",.".contains(characters[place]) {
                place += 1
            }
            var digits = String(characters[start..<place]).filter { $0 != "," }
            while digits.last == "." { digits.removeLast() }
            // "Item 1A" and "p3" are names.
            let isName =
                (start > 0 && characters[start - 1].isLetter)
                || (place < characters.count && characters[place].isLetter)
            if digits.contains("."), digits.hasSuffix("0") {
                while digits.hasSuffix("0") { digits.removeLast() }
                if digits.hasSuffix(".") { digits.removeLast() }
            }
            let rest = String(characters[place..<min(place + 9, characters.count)]).lowercased()
            let after = rest.drop { $0 == " " || $0 == "\u{A0}" }
            let isPercent = after.hasPrefix("%") || after.hasPrefix("percent") || after.hasPrefix("per cent")
            guard !isName, !digits.isEmpty else { continue }
            // "-5", "$(5)" and "(5)" are below zero; of "2024-2025" and "5-6" the second is not.
            var before = Array(characters[max(0, start - 3)..<start].reversed())[...]
            var figure = PassageFigure(digits: digits, isPercent: isPercent)
            if let sign = before.first, "-−–(".contains(sign) {
                before = before.dropFirst()
                let isRange = before.first.map { $0.isNumber || $0.isLetter } ?? false
                let isClosed = sign != "(" || (place < characters.count && ")%".contains(characters[place]))
                figure.isNegative = isClosed && !isRange
            }
            if let mark = before.first, currencies.contains(mark) {
                figure.currency = mark
                if let sign = before.dropFirst().first, "-−–".contains(sign) { figure.isNegative = true }
            }
            figure.scale = scales.first { after.hasPrefix($0) }
            found.insert(figure)
        }
        return found
    }
}
