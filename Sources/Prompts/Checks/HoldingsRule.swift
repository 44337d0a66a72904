/// The limits on statements about the reader's holdings: known holdings may be mentioned, others not.
enum HoldingsRule {
    /// The problem of a text, given the reader's holdings; `nil` when there is none.
    static func problem(in text: String, holdings: [String]) -> String? {
        let statements = statements(in: text)
        guard !holdings.isEmpty else {
            return statements.isEmpty && !supposesHoldings(text)
                ? nil : "It must not say that the reader holds anything: the reader's holdings are not known."
        }
        let known = Set(holdings.map { $0.uppercased() })
        let named = statements.flatMap { $0 }
        guard named.contains(where: { known.contains($0.uppercased()) }) else {
            return "It has to say \"Since you hold\" and then one of \(holdings.joined(separator: ", "))."
        }
        let strange = named.first {
            $0.count > 1 && $0 == $0.uppercased() && $0.first?.isLetter == true && !known.contains($0)
        }
        return strange.map { "It must not say that the reader holds \($0), which is none of the known holdings." }
    }

    /// For each "you hold" or "you own", the words that follow up to the next comma or end.
    private static func statements(in text: String) -> [[String]] {
        let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
        var statements: [[String]] = []
        for (place, word) in words.enumerated().dropLast() where bare(word).lowercased() == "you" {
            guard ["hold", "own"].contains(bare(words[place + 1]).lowercased()) else { continue }
            var named: [String] = []
            for next in words[(place + 2)...].prefix(16) {
                named.append(bare(next))
                if let last = next.last, ",;:.!?".contains(last) { break }
            }
            statements.append(named)
        }
        return statements
    }

    /// Whether a text assumes that the reader owns shares: `your shares`, `as a shareholder`.
    private static func supposesHoldings(_ text: String) -> Bool {
        let words = text.split(whereSeparator: \.isWhitespace).map { bare(String($0)).lowercased() }
        for (place, word) in words.enumerated() {
            let next = words[(place + 1)...].prefix(2)
            if word == "your", next.contains(where: possessions.contains) { return true }
            if word == "as", next.first == "a" || next.first == "an", next.last.map(owners.contains) == true {
                return true
            }
        }
        return false
    }

    private static let possessions: Set<String> = [
        "shares", "share", "stake", "stock", "stocks", "holding", "holdings", "position", "positions", "portfolio",
    ]

    private static let owners: Set<String> = ["shareholder", "stockholder", "holder", "owner"]

    private static func bare(_ word: String) -> String {
        let marks = { (character: Character) in !(character.isLetter || character.isNumber) }
        let rest = word.drop(while: marks)
        return String(rest.reversed().drop(while: marks).reversed())
    }
}
