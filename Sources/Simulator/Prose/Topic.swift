/// What a piece of prose is about, by the name of the property that it fills.
enum Topic: CaseIterable, Sendable {
    case summary, thesis, risk, valuation, change, plain

    init(name: String, parents: [String]) {
        for text in [name] + parents.reversed() {
            if let topic = Self.words.first(where: { entry in entry.words.contains { text.contains($0) } })?.topic {
                self = topic
                return
            }
        }
        self = .plain
    }

    /// Whether a fact fits: what a company owes or pays is no strength, and rather a risk than what it earns.
    func suits(_ fact: FactLine) -> Bool {
        let label = fact.label.lowercased()
        let burdens = [
            "debt", "liabilit", "expense", "expenditure", "cost", "tax", "payable", "deficit", "loss", "dilution",
            "buyback",
        ]
        let isBurden =
            burdens.contains { label.contains($0) } || label.hasSuffix("shares") || fact.value.hasPrefix("-")
        return switch self {
        case .thesis, .valuation: !isBurden
        case .risk: isBurden
        case .summary, .change, .plain: true
        }
    }

    private static let words: [(topic: Topic, words: [String])] = [
        (.change, ["change", "watch", "trigger", "scenario", "would"]),
        (.risk, ["risk", "concern", "weak", "threat", "bear", "caution", "downside", "against"]),
        (.valuation, ["valu", "price", "worth", "multiple"]),
        (.thesis, ["thesis", "strength", "moat", "bull", "case", "reason", "quality"]),
        (.summary, ["summary", "overview", "conclusion", "headline", "abstract"]),
    ]
}
