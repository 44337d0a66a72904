/// A number as it stands in a text, with what stands beside it: a sign, a currency, a percentage, millions.
struct PassageFigure: Hashable, Sendable {
    var digits: String
    var isPercent: Bool
    var isNegative = false
    var currency: Character?
    /// `million`, `billion`, `times`…
    var scale: String?

    /// Whether a figure of a passage bears this one of a claim out. What the passage leaves to the head of a table, such
    /// as "in millions", may stand anywhere in it.
    func isStated(by other: PassageFigure, among words: Set<String>) -> Bool {
        guard isPercent == other.isPercent, !isNegative || other.isNegative else { return false }
        if let currency {
            if let own = other.currency, currency != own { return false }
            let isOfTable = Self.names[currency].map { !words.isDisjoint(with: $0) } ?? false
            if other.currency == nil, currency != "$", !isOfTable { return false }
        }
        guard digits == other.digits else { return isSameAmount(as: other) }
        guard let scale else { return other.scale == nil || other.scale == "times" }
        return scale == other.scale || (other.scale == nil && words.contains { $0.hasPrefix(scale) })
    }

    /// `416.161 billion` is `416,161 million`.
    private func isSameAmount(as other: PassageFigure) -> Bool {
        guard let amount, let known = other.amount, scale != other.scale, !isPercent else { return false }
        return abs(amount - known) <= known * 1e-9
    }

    private var amount: Double? {
        guard let value = Double(digits) else { return nil }
        guard let scale else { return value }
        return Self.scales.firstIndex(of: scale).flatMap { place in
            Self.factors.indices.contains(place) ? value * Self.factors[place] : nil
        }
    }

    private static let names: [Character: Set<String>] = [
        "€": ["euro", "euros", "eur"], "£": ["pound", "pounds", "sterling", "gbp"],
        "¥": ["yen", "jpy", "yuan", "rmb", "renminbi", "cny"], "$": ["dollar", "dollars", "usd"],
    ]
    static let scales = ["thousand", "million", "billion", "trillion", "times"]
    private static let factors = [1e3, 1e6, 1e9, 1e12]
    /// What is written right behind digits. A small "b" or "k" is none of an item's letters.
    private static let suffixes: [String: String] = [
        "k": "thousand", "m": "million", "mn": "million", "mm": "million", "M": "million", "b": "billion",
        "bn": "billion", "tn": "trillion", "x": "times", "X": "times",
    ]
    private static let ordinals: Set<String> = ["st", "nd", "rd", "th"]

    /// All numbers of a text, without the marks that group digits, and those in words.
    static func all(in text: String) -> Set<PassageFigure> {
        let characters = text.map(plain)
        var found = PassageNumberWords.figures(in: text)
        var place = 0
        while place < characters.count {
            guard characters[place].isASCII, characters[place].isNumber else {
                if let share = share(characters[place]) { found.insert(share) }
                place += 1
                continue
            }
            let start = place
            while place < characters.count,
                characters[place].isASCII && characters[place].isNumber || ",.".contains(characters[place])
            {
                place += 1
            }
            if let figure = figure(characters, start..<place) { found.insert(figure) }
        }
        return found
    }

    /// The number at a place, with what stands beside it; `nil` for a part of a name.
    private static func figure(_ characters: [Character], _ range: Range<Int>) -> PassageFigure? {
        var digits = String(characters[range]).filter { $0 != "," }
        while digits.last == "." { digits.removeLast() }
        if digits.contains("."), digits.hasSuffix("0") {
            while digits.hasSuffix("0") { digits.removeLast() }
            if digits.hasSuffix(".") { digits.removeLast() }
        }
        // "Item 1A", "p3" and "10-K" are names.
        if digits.isEmpty || range.lowerBound > 0 && characters[range.lowerBound - 1].isLetter { return nil }
        let rest = characters[range.upperBound...].prefix(24)
        let glued = String(rest.prefix(while: \.isLetter))
        let behind = FigureBehind(String(rest).lowercased())
        var figure = PassageFigure(digits: digits, isPercent: behind.isPercent, scale: behind.scale)
        let currency = setSigns(of: &figure, characters, range)
        if !glued.isEmpty {
            if let scale = suffixes[glued] ?? (currency ? suffixes[glued.lowercased()] : nil) {
                figure.scale = scale
            } else if ["pp", "pct"].contains(glued.lowercased()) {
                figure.isPercent = true
            } else if ordinals.contains(glued.lowercased()) {
                // "3rd" may be "third" in the passage, and a century is no figure.
                guard let number = Int(digits), number > 10, !String(rest).lowercased().contains("century") else {
                    return nil
                }
            } else if scales.contains(where: glued.lowercased().hasPrefix) || glued.lowercased().hasPrefix("percent") {
                figure.scale = behind.scale
            } else {
                return nil
            }
        } else if rest.first == "-", let form = rest.dropFirst().first, "KQF".contains(form),
            rest.dropFirst(2).first?.isLetter != true
        {
            return nil
        }
        figure.currency = figure.currency ?? behind.currency
        return figure
    }

    /// Reads the sign and the currency before a number: "-5", "$(5)" and "(5)" are below zero; of "2024-2025" and "5-6" the
    /// second is not. Returns whether there is a currency.
    private static func setSigns(of figure: inout PassageFigure, _ characters: [Character], _ range: Range<Int>) -> Bool
    {
        var before = Array(characters[max(0, range.lowerBound - 3)..<range.lowerBound].reversed())[...]
        if let sign = before.first, "-−–(".contains(sign) {
            before = before.dropFirst()
            let isRange = before.first.map { $0.isNumber || $0.isLetter } ?? false
            let end = range.upperBound
            let isClosed = sign != "(" || (end < characters.count && ")%".contains(characters[end]))
            figure.isNegative = isClosed && !isRange
        }
        guard let mark = before.first, names[mark] != nil else { return false }
        figure.currency = mark
        if let sign = before.dropFirst().first, "-−–".contains(sign) { figure.isNegative = true }
        return true
    }

    /// A digit of any script as that of ASCII.
    private static func plain(_ character: Character) -> Character {
        guard !character.isASCII, let scalar = character.unicodeScalars.first,
            scalar.properties.numericType == .decimal, let value = character.wholeNumberValue
        else { return character }
        return Character("\(value)")
    }

    /// `½`, as a percentage.
    private static func share(_ character: Character) -> PassageFigure? {
        guard let scalar = character.unicodeScalars.first, scalar.properties.numericType == .numeric,
            let value = scalar.properties.numericValue, value > 0, value < 1
        else { return nil }
        return PassageFigure(digits: String(Int((value * 100).rounded())), isPercent: true)
    }

    /// What stands behind a number: a percentage, a scale, a currency in words.
    private struct FigureBehind {
        var isPercent = false
        var scale: String?
        var currency: Character?

        init(_ rest: String) {
            var words = rest.split { $0 == " " || $0 == "\u{A0}" || $0 == "\u{202F}" }.prefix(3)
            isPercent =
                words.first?.hasPrefix("%") == true || words.first?.hasPrefix("percent") == true
                || words.first == "per" && words.dropFirst().first?.hasPrefix("cent") == true
            func takeCurrency() {
                let word = words.first?.prefix(while: \.isLetter) ?? ""
                if let mark = names.first(where: { $0.value.contains(String(word)) })?.key {
                    currency = mark
                    words = words.dropFirst()
                } else if let mark = words.first?.first, names[mark] != nil {
                    currency = mark
                }
            }
            takeCurrency()
            scale = scales.first { words.first?.hasPrefix($0) ?? false }
            if scale != nil, currency == nil {
                words = words.dropFirst()
                if words.first == "of" { words = words.dropFirst() }
                takeCurrency()
            }
        }
    }
}
