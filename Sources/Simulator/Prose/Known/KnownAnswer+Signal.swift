internal import JSON

extension KnownAnswer {
    /// A judgement by the words of the text: how many of them are those of business.
    var signal: JSON {
        let text = sections["title"] + "\n" + sections["text"]
        let found = Stems.of(text).intersection(Self.business)
        let isFinancial = !found.isEmpty
        let importance = isFinancial ? min(35 + 10 * found.count, 85) : 5
        let word = found.min()
        return [
            "is_financial": .bool(isFinancial), "importance_score": JSON(importance),
            "confidence": JSON(text.split(separator: " ").count < 60 ? 55 : 70),
            "why": [
                JSON(word.map { "The text speaks of business (\($0))." } ?? "The text does not speak of business."),
                JSON(
                    isFinancial
                        ? "It may matter to whoever owns what it names." : "Nothing in it touches what people own."),
                JSON(prose(Phrases.marker)),
            ],
            "horizon": isFinancial ? "medium" : nil, "opportunity_type": "none", "opportunity_note": "",
            "action": isFinancial ? "Understand the context" : "No action needed",
        ]
    }

    private static let business = Stems.of(
        """
        shares stock stocks revenue profit profits earnings market markets bank banks inflation economy economic investor
        investors company companies price prices dividend bond bonds tariff tariffs trade sales quarter product products
        announces merger acquisition rates growth business finance financial budget tax debt currency oil
        """)
}
