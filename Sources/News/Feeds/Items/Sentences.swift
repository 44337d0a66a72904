/// Cuts plain prose into its sentences.
enum Sentences {
    /// A sentence ends at a point, a question or an exclamation mark before a space and a capital, unless the point belongs
    /// to an abbreviation of single letters (`U.S. shares`).
    static func of(_ text: String) -> [String] {
        var sentences: [String] = []
        var current = ""
        let characters = Array(text)
        for (place, character) in characters.enumerated() {
            current.append(character)
            guard ".!?".contains(character), place + 1 < characters.count, characters[place + 1].isWhitespace,
                let next = characters[(place + 1)...].first(where: { !$0.isWhitespace }),
                next.isUppercase || next.isNumber || next == "\"" || next == "“",
                !(character == "." && isInitial(characters[..<place]))
            else { continue }
            sentences.append(current)
            current = ""
        }
        return (sentences + [current]).map(trimmed).filter { !$0.isEmpty }
    }

    /// Whether what stands before a point is a single capital, or a capital behind a point.
    private static func isInitial(_ before: ArraySlice<Character>) -> Bool {
        guard before.last?.isUppercase == true else { return false }
        guard let previous = before.dropLast().last else { return true }
        return previous.isWhitespace || previous == "."
    }

    private static func trimmed(_ text: String) -> String {
        let rest = text.drop(while: \.isWhitespace)
        return String(rest.reversed().drop(while: \.isWhitespace).reversed())
    }
}
