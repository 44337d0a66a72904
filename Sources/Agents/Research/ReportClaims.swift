internal import JSON

/// The claims of a report, each with its proof.
struct ReportClaims: Sendable {
    let passages: [GivenPassage]
    /// Whether the answer was sent back once.
    let isRepaired: Bool

    /// The claims of an answer that hold; none of a report without passages.
    func json(of answer: JSON) -> JSON {
        let byName = Dictionary(passages.map { ($0.name, $0) }) { first, _ in first }
        let claims = (answer[ClaimRules.path]?.array ?? []).compactMap { claim -> JSON? in
            let cited = (claim["passages"]?.array ?? []).compactMap { $0.string.flatMap { byName[$0] } }
            guard let quote = claim["quote"]?.string, let text = claim["text"]?.string,
                let home = cited.first(where: { PassageText.folded($0.text).contains(PassageText.folded(quote)) })
            else { return nil }
            return [
                "topic": claim["topic"] ?? .null, "text": JSON(text), "quote": JSON(quote), "item": JSON(home.item),
                "year": JSON(home.year), "passages": JSON(cited.map(\.id)),
                "url": JSON(home.url + "#:~:text=" + Self.escaped(quote)),
                "status": JSON(isRepaired ? "repaired" : "verified"),
            ]
        }
        return .array(claims)
    }

    private static func escaped(_ text: String) -> String {
        let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._~".utf8)
        return text.prefix(300).utf8.map { byte -> String in
            if plain.contains(byte) { return String(UnicodeScalar(byte)) }
            let hex = String(byte, radix: 16, uppercase: true)
            return "%" + (hex.count == 1 ? "0" : "") + hex
        }.joined()
    }
}
