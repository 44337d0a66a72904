internal import JSON

/// A JSON value as lines that people can compare: one line for each scalar with its path, texts of several lines
/// spread over as many.
enum Outline {
    static func lines(_ value: JSON) -> [String] {
        var lines: [String] = []
        add(value, at: "", to: &lines)
        return lines
    }

    private static func add(_ value: JSON, at path: String, to lines: inout [String]) {
        switch value {
        case .object(let members) where !members.isEmpty:
            for (key, member) in members { add(member, at: path.isEmpty ? key : "\(path).\(key)", to: &lines) }
        case .array(let elements) where !elements.isEmpty:
            for (place, element) in elements.enumerated() { add(element, at: "\(path)[\(place)]", to: &lines) }
        case .string(let text):
            let parts = text.split(separator: "\n", omittingEmptySubsequences: false)
            guard parts.count > 1 || text.count > 80 else {
                lines.append("\(path): \(value.compact)")
                return
            }
            lines.append("\(path): |")
            lines += parts.map { $0.isEmpty ? "" : "  \($0)" }
        default: lines.append("\(path): \(value.compact)")
        }
    }
}

/// An answer as people read it.
enum AnswerText {
    /// JSON spread over lines; anything else as it is.
    static func readable(_ text: String) -> String {
        guard let value = try? JSON(parsing: text), value.object != nil || value.array != nil else { return text }
        return Outline.lines(value).joined(separator: "\n")
    }
}
