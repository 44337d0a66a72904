/// What the class or the id of an element says of its content.
struct ClassHints: OptionSet, Sendable {
    let rawValue: UInt16

    /// Around an article, hardly ever in it.
    static let unlikely = ClassHints(rawValue: 1)
    /// May hold the article, whatever else the name says.
    static let possible = ClassHints(rawValue: 2)
    /// Speaks for content when elements are scored.
    static let positive = ClassHints(rawValue: 4)
    /// Speaks against it.
    static let negative = ClassHints(rawValue: 8)
    static let byline = ClassHints(rawValue: 16)
    /// Buttons to share the page.
    static let sharing = ClassHints(rawValue: 32)

    /// The weight in the score of an element: of its class and of its id, each by itself.
    static func weight(of index: HTMLTree.Index, in tree: HTMLTree) -> Double {
        var weight = 0.0
        for key in [HTMLAttribute.class, .id] {
            guard let name = tree.bytes(of: key, at: index) else { continue }
            let hints = ClassHintMatcher.standard.hints(of: name)
            if hints.contains(.negative) { weight -= 25 }
            if hints.contains(.positive) { weight += 25 }
        }
        return weight
    }

    /// What class and id say together.
    static func of(_ index: HTMLTree.Index, in tree: HTMLTree) -> ClassHints {
        var hints: ClassHints = []
        for key in [HTMLAttribute.class, .id] {
            if let name = tree.bytes(of: key, at: index) { hints.formUnion(ClassHintMatcher.standard.hints(of: name)) }
        }
        return hints
    }
}
