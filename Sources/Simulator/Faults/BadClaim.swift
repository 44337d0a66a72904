internal import JSON

/// What is wrong with the claims of an answer.
package enum BadClaim: String, Sendable, Hashable, CaseIterable {
    /// A quote with a word that its passage does not have.
    case quote
    /// A passage that the request does not have.
    case passage
    /// No passage at all.
    case uncited
    /// A "may" or "could" of the quote is dropped.
    case negation
    /// A year that the passage does not have.
    case year
    /// Advice to trade behind what the claim says.
    case advice
    /// A link behind what the claim says.
    case link

    private static let reservations: Set<Substring> = ["not", "no", "may", "could", "might"]
    /// Words that keep a reservation in other words.
    private static let others: Set<Substring> = ["can", "would", "if", "risk", "risks"]

    /// An answer whose claims all have the fault. One without claims stays as it is.
    func spoiled(_ answer: JSON, passages: [JSON]) -> JSON {
        guard let claims = answer["claims"]?.array, !claims.isEmpty else { return answer }
        var answer = answer
        answer["claims"] = .array(claims.map { spoiled(claim: $0, passages: passages) })
        return answer
    }

    private func spoiled(claim: JSON, passages: [JSON]) -> JSON {
        var claim = claim
        let (text, quote) = (claim["text"]?.string ?? "", claim["quote"]?.string ?? "")
        switch self {
        case .quote: claim["quote"] = JSON("Moreover " + quote)
        case .passage: claim["passages"] = ["p999"]
        case .uncited: claim["passages"] = []
        case .year: claim["text"] = JSON((text.hasSuffix(".") ? String(text.dropLast()) : text) + " since 1911.")
        case .advice: claim["text"] = JSON(text + " You should buy this stock now.")
        case .link: claim["text"] = JSON(text + " See [here](https://example.com/offer).")
        case .negation:
            guard let (id, sentence) = Self.reserved(in: passages) else { return claim }
            let kept = sentence.split(separator: " ").filter { !Self.reservations.contains($0) }
            claim["text"] = JSON(kept.joined(separator: " ") + ".")
            claim["quote"] = JSON(sentence)
            claim["passages"] = [id]
        }
        return claim
    }

    /// A sentence with a reservation that no other word of it keeps.
    private static func reserved(in passages: [JSON]) -> (id: JSON, sentence: String)? {
        for passage in passages {
            for sentence in (passage["text"]?.string ?? "").split(separator: ". ") {
                let words = sentence.lowercased().split { !$0.isLetter }
                guard (8...38).contains(words.count), !reservations.isDisjoint(with: words),
                    others.isDisjoint(with: words), let id = passage["id"]
                else { continue }
                return (id, String(sentence.hasSuffix(".") ? sentence.dropLast() : sentence))
            }
        }
        return nil
    }
}
