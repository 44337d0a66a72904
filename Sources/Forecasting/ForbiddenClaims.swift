/// What a text about a forecast must never claim: a direction as a fact, advice, a return, or praise.
package enum ForbiddenClaims {
    /// In lower case, as whole words with one space between them.
    private static let claims = [
        "will rise", "will fall", "will go up", "will go down", "will increase", "will decrease", "is going to rise",
        "is going to fall", "will climb", "will drop", "buy", "sell", "strong hold", "you should hold", "accurate",
        "accurately", "reliable", "predicts", "predict", "predictive", "ai powered", "powered by ai", "guarantee",
        "guaranteed", "guarantees", "expected return", "will return", "profit", "profits", "profitable", "outperform",
        "outperforms", "beat the market", "beats the market", "sure to", "certain to", "more history improves",
        "longer horizon improves", "because the model found",
    ]

    /// The first claim in a text; `nil` where there is none.
    package static func first(in text: String) -> String? {
        let letters = text.lowercased().map { $0.isLetter || $0.isNumber ? $0 : " " }
        let words = " " + String(letters).split(separator: " ").joined(separator: " ") + " "
        return claims.first { words.contains(" \($0) ") }
    }
}
