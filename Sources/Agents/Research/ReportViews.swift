internal import JSON
internal import Prompts

/// Finds the sentences of a report that rest on neither a figure, nor a claim with its proof, nor a gap that code
/// states: they are the persona's view, and a reader sees that.
struct ReportViews: Sendable {
    /// The share of a sentence's words that the words of a claim must have for the sentence to rest on it.
    private static let shareOfClaim = 0.6
    /// Words of fewer letters say nothing of the subject.
    private static let shortestWord = 4

    /// What code bears out, by its words.
    private let borneOut: [Set<String>]

    /// - Parameters:
    ///   - claims: The claims of the report.
    ///   - statements: What code states: the gaps and the notes on the score.
    init(claims: [JSON], statements: [String]) {
        let proven = claims.filter { $0["status"] != "view" }.map { claim in
            (claim["text"]?.string ?? "") + " " + (claim["quote"]?.string ?? "")
        }
        borneOut = (proven + statements).map(Self.words)
    }

    /// The places of the sentences that are a view: of the thesis, the strengths and the risks.
    ///
    /// - Parameters:
    ///   - content: The answer.
    ///   - mentions: The places of figures, by path.
    /// - Returns: A list of paths with places in UTF-16 units.
    func places(in content: JSON, mentions: [String: [Range<Int>]]) -> JSON {
        .array(
            Self.texts(of: content).flatMap { path, text in
                Sentences.places(in: text).filter { sentence in
                    let figures = mentions[path] ?? []
                    return !figures.contains { $0.overlaps(sentence.range) } && !isBorneOut(sentence.text)
                }.map { sentence -> JSON in
                    [
                        "path": JSON(path), "from": JSON(sentence.range.lowerBound),
                        "to": JSON(sentence.range.upperBound),
                    ]
                }
            })
    }

    private func isBorneOut(_ sentence: String) -> Bool {
        let words = Self.words(sentence)
        guard !words.isEmpty else { return false }
        return borneOut.contains { Double(words.intersection($0).count) >= Self.shareOfClaim * Double(words.count) }
    }

    private static func texts(of content: JSON) -> [(path: String, text: String)] {
        var texts = [("thesis", content["thesis"]?.string ?? "")]
        for name in ["strengths", "risks"] {
            for (place, point) in (content[name]?.array ?? []).enumerated() {
                texts.append(("\(name)[\(place)].detail", point["detail"]?.string ?? ""))
            }
        }
        return texts
    }

    private static func words(_ text: String) -> Set<String> {
        PassageText.words(text).filter { $0.count >= shortestWord }
    }
}
