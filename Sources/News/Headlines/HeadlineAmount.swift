/// The first amount that a headline states: money, a percentage, or a number of thousands.
enum HeadlineAmount {
    /// The amount as the headline writes it, with its scale: `14%`, `$853 million`, `€1.2bn`, `312,000`; `nil` for none.
    static func first(in title: String) -> String? {
        let tokens = title.split(whereSeparator: \.isWhitespace)
        for (place, token) in tokens.enumerated() where token.count <= longest && token.contains(where: \.isNumber) {
            let amount = trimmed(token)
            let digits = amount.drop(while: \.isCurrencySymbol).prefix { $0.isNumber || ".,".contains($0) }
            let isMoney = amount.first?.isCurrencySymbol == true
            let unit = amount.drop(while: \.isCurrencySymbol).dropFirst(digits.count)
            guard digits.last?.isNumber == true, unit.isEmpty || unit == "%" || isMoney && suffixes.contains("\(unit)")
            else { continue }
            let isWhole = token.last == amount.last
            let next = tokens[(place + 1)...].first.map { trimmed($0) } ?? ""
            if unit.isEmpty, isWhole, scales.contains(next.lowercased()) { return "\(amount) \(next)" }
            let groups: [Substring] = digits.split(separator: ",")
            if unit == "%" || isMoney || groups.dropFirst().contains(where: { $0.count == 3 }) { return String(amount) }
        }
        return nil
    }

    /// Without the signs around a word.
    private static func trimmed(_ token: Substring) -> Substring {
        let isPart = { (character: Character) in
            character.isNumber || character.isLetter || character.isCurrencySymbol || character == "%"
        }
        guard let first = token.firstIndex(where: isPart), let last = token.lastIndex(where: isPart) else { return "" }
        return token[first...last]
    }

    /// Longer words are no amounts.
    private static let longest = 16
    private static let suffixes: Set<String> = ["k", "m", "mn", "b", "bn", "tn", "K", "M", "B"]
    private static let scales: Set<String> = [
        "%", "percent", "pct", "prozent", "thousand", "million", "billion", "trillion", "millionen", "milliarden",
        "millones", "millions", "milliards", "mio", "mrd",
    ]
}
