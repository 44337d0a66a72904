/// A pattern taken apart.
struct RoutePattern {
    enum Segment: Hashable {
        case literal(String)
        /// Text before and after the parameter, either may be empty.
        case parameter(prefix: String, suffix: String)
    }

    private(set) var segments: [Segment] = []
    /// The parameters in the order of their segments.
    private(set) var names: [String] = []

    /// `nil` unless the pattern starts with `/`, has at most one parameter in a segment, and names each differently.
    init?(_ pattern: String) {
        guard pattern.utf8.first == UInt8(ascii: "/") else { return nil }
        for text in pattern.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            guard let open = text.firstIndex(of: "{") else {
                if text.contains("}") { return nil }
                segments.append(.literal(String(text)))
                continue
            }
            guard let close = text.firstIndex(of: "}"), open < close else { return nil }
            let name = String(text[text.index(after: open)..<close])
            let suffix = text[text.index(after: close)...]
            guard !name.isEmpty, !names.contains(name), !suffix.contains("{"), !suffix.contains("}") else { return nil }
            names.append(name)
            segments.append(.parameter(prefix: String(text[..<open]), suffix: String(suffix)))
        }
    }
}
