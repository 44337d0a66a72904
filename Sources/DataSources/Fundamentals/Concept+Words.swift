extension Concept {
    /// The concept in words: `net income`.
    package var words: String {
        switch self {
        case .basicEPS: "basic earnings per share"
        case .dilutedEPS: "diluted earnings per share"
        default: rawValue.split(separator: "_").joined(separator: " ")
        }
    }

    /// For people: `Diluted earnings per share`.
    package var title: String {
        let words = words
        return words.prefix(1).uppercased() + words.dropFirst()
    }
}
