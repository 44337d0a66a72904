internal import Basics
internal import JSON
internal import LanguageModels

/// The claims of a report, each with its proof, and those that are the persona's view for want of one.
struct ReportClaims: Sendable {
    /// The checks of a claim's proof. A sentence that fails these alone may be right, but nothing shows it.
    private static let checksOfProof: Set<String> = ["claims-cited", "passages-in-input", "quote-in-passage"]
    /// The share of a sentence's words in a passage from which on it repeats that passage.
    private static let shareOfEcho = 0.6

    let passages: [GivenPassage]

    func json(of answer: CheckedAnswer) -> JSON {
        let first = answer.answers.first?.answer.response.json
        return json(
            of: answer.content, atFirst: first?[ClaimRules.path]?.array ?? [], leftOut: answer.leftOut)
    }

    /// The claims that hold, then the views; none of a report without passages.
    ///
    /// - Parameters:
    ///   - content: The answer.
    ///   - atFirst: The claims before anything was put right.
    ///   - leftOut: The claims that failed twice.
    /// - Returns: A list.
    func json(of content: JSON, atFirst: [JSON], leftOut: [CheckedAnswer.LeftOut]) -> JSON {
        let byName = Dictionary(passages.map { ($0.name, $0) }) { first, _ in first }
        let claims = (content[ClaimRules.path]?.array ?? []).compactMap { claim -> JSON? in
            let cited = (claim["passages"]?.array ?? []).compactMap { $0.string.flatMap { byName[$0] } }
            guard let quote = claim["quote"]?.string, let text = claim["text"]?.string,
                let home = PassageText.home(of: quote, among: cited)?.passage
            else { return nil }
            return [
                "topic": claim["topic"] ?? .null, "text": JSON(text), "quote": JSON(quote), "item": JSON(home.item),
                "year": JSON(home.year), "passages": JSON(cited.map(\.id)),
                "url": JSON(home.url + "#:~:text=" + Self.escaped(quote)),
                "status": JSON(atFirst.contains(claim) ? "verified" : "repaired"),
            ]
        }
        return .array(claims + views(leftOut))
    }

    /// The sentences without a proof that are shown as the persona's view: those with nothing in them that could be
    /// wrong by a passage, such as a figure or a risk that became a fact.
    private func views(_ leftOut: [CheckedAnswer.LeftOut]) -> [JSON] {
        guard !passages.isEmpty else { return [] }
        return leftOut.compactMap { left -> JSON? in
            guard left.checks.isSubset(of: Self.checksOfProof),
                let text = left.element["text"]?.string?.trimmed, !text.isEmpty,
                !text.contains(where: \.isNumber), !MachineOrders.are(in: text), !isEcho(text)
            else { return nil }
            return [
                "topic": left.element["topic"] ?? .null, "text": JSON(text), "quote": .null, "item": .null,
                "year": .null, "passages": [], "url": .null, "status": "view",
            ]
        }
    }

    /// Whether a sentence says what a passage orders programs to say.
    private func isEcho(_ text: String) -> Bool {
        let words = PassageText.words(text)
        return passages.contains { passage in
            guard MachineOrders.are(in: passage.text) else { return false }
            let shared = words.intersection(PassageText.words(passage.text)).count
            return Double(shared) >= Self.shareOfEcho * Double(words.count)
        }
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
