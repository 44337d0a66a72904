/// One path of "what to watch next", read from the text that explanations print:
/// `1) Title (Medium likelihood): What it would look like. A sign of it.`
struct Scenario: Hashable {
    /// The title and what the path would look like.
    var path: String
    /// `Low`, `Medium` or `High`.
    var likelihood: String
    /// The sentence with a sign of it.
    var sign: String

    static func all(in text: String) -> [Scenario] {
        text.split(separator: "\n").compactMap { Scenario(String($0)) }
    }

    private init?(_ line: String) {
        var rest = line[...]
        let digits = rest.prefix { $0.isNumber }
        if !digits.isEmpty, rest.dropFirst(digits.count).first == ")" {
            rest = rest.dropFirst(digits.count + 1).drop { $0.isWhitespace }
        }
        guard let mark = rest.firstRange(of: " likelihood):"),
            let open = rest[..<mark.lowerBound].lastIndex(of: "(")
        else { return nil }
        let word = rest[rest.index(after: open)..<mark.lowerBound]
        guard ["Low", "Medium", "High"].contains(word) else { return nil }
        likelihood = String(word)
        let title = rest[..<open].reversed().drop { $0.isWhitespace }.reversed()
        var sentences = Sentences.of(String(rest[mark.upperBound...]))
        sign = sentences.count > 1 ? sentences.removeLast() : ""
        path = "\(String(title)): \(sentences.joined(separator: " "))"
    }
}
