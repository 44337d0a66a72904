/// The forms that a string of an answer can have besides prose.
enum StringForm {
    /// A valid text of a format; `nil` for a format that says nothing about the text.
    static func example(of format: String, index: Int) -> String? {
        switch format {
        case "date-time": "1970-01-01T00:00:00Z"
        case "date": "1970-01-01"
        case "time": "00:00:00Z"
        case "duration": "P1D"
        case "email": "simulated@example.com"
        case "hostname": "example.com"
        case "uri": "https://example.com/simulated"
        case "ipv4": "192.0.2.1"
        case "ipv6": "2001:db8::1"
        case "uuid": "00000000-0000-4000-8000-00000000000\(index % 10)"
        default: nil
        }
    }

    static func fit(_ text: String, shortest: Int, longest: Int) -> String {
        var text = text
        while text.count < shortest { text += " " + Phrases.shared.bareTitles.joined(separator: " ") }
        guard text.count > longest else { return text }
        let cut = text.prefix(longest)
        guard let space = cut.lastIndex(of: " "), cut.distance(from: cut.startIndex, to: space) >= shortest else {
            return String(cut)
        }
        return String(cut[..<space])
    }

    /// At most so many words: whole sentences where one fits, else the first words.
    static func cut(_ text: String, words limit: Int) -> String {
        let words = text.split(separator: " ")
        guard words.count > limit else { return text }
        let kept = words.prefix(limit)
        if let end = kept.lastIndex(where: { $0.last == "." }) { return kept[...end].joined(separator: " ") }
        var cut = kept.joined(separator: " ")
        while let last = cut.last, ",;:".contains(last) { cut.removeLast() }
        return cut + "."
    }

    /// The first words of a text without an end.
    static func shortened(_ text: String, words limit: Int) -> String {
        text.split(separator: " ").prefix(limit).joined(separator: " ")
    }

    /// The first text that matches a regular expression anywhere, or one made for it; `nil` when none does or the
    /// expression is not understood.
    static func matching(_ pattern: String, among candidates: [String]) -> String? {
        guard let expression = try? Regex(pattern) else { return nil }
        let common = ["simulated", "SIM", "Simulated", "2026", "1970-01-01", "sim-1"]
        let made = PatternExample.text(for: pattern).map { [$0] } ?? []
        return (candidates + common + made).first { (try? expression.firstMatch(in: $0)) != nil }
    }
}
