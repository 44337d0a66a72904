internal import JSON

/// An answer as people read it.
enum AnswerText {
    /// JSON spread over lines; anything else as it is.
    static func readable(_ text: String) -> String {
        guard let value = try? JSON(parsing: text), value.object != nil || value.array != nil else { return text }
        return Outline.lines(value).joined(separator: "\n")
    }
}
