internal import JSON

/// JSON as case files hold it: over several lines, but what is a row of a table stays on one.
enum CaseText {
    private static let longestRow = 220

    static func of(_ value: JSON) -> String { text(value, indent: "") + "\n" }

    private static func text(_ value: JSON, indent: String) -> String {
        let row = value.compact
        if value.isFlat, row.utf8.count <= longestRow { return row }
        let inner = indent + "  "
        switch value {
        case .object(let members) where !members.isEmpty:
            let lines = members.map { "\(inner)\(JSON($0.key).compact): \(text($0.value, indent: inner))" }
            return "{\n\(lines.joined(separator: ",\n"))\n\(indent)}"
        case .array(let elements) where !elements.isEmpty:
            let lines = elements.map { inner + text($0, indent: inner) }
            return "[\n\(lines.joined(separator: ",\n"))\n\(indent)]"
        default: return row
        }
    }
}

extension JSON {
    /// Whether nothing in it holds anything.
    fileprivate var isFlat: Bool {
        switch self {
        case .array(let elements): elements.allSatisfy { $0.array == nil && $0.object == nil }
        case .object(let members): members.values.allSatisfy { $0.array == nil && $0.object == nil }
        default: true
        }
    }
}
