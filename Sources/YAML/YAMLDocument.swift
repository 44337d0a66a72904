/// One YAML document, as the JSON value that it stands for and with the place of every part of it.
///
///     let document = try YAMLDocument(parsing: "checklist:\n  - rule: low debt\n")
///     document.json                                  // {"checklist":[{"rule":"low debt"}]}
///     document.line(of: ["checklist", "0", "rule"])  // 2
///
/// Scalars follow the core schema of YAML 1.2: `yes`, `no`, `on` and `off` are strings, `010` is ten and `0o10` is
/// eight. Keys keep their order and numbers their exact decimal text. Aliases and merge keys (`<<`) are resolved.
public struct YAMLDocument: Sendable {
    private let root: YAMLNode

    /// The value as JSON text on one line.
    public let json: String

    /// Reads a text that holds one document at most; an empty text is `null`.
    ///
    /// - Throws: `YAMLError` for text that is not YAML, and for what has no meaning as JSON or no place in a file of
    ///   ours: duplicate keys, keys that are no scalars, tags, NUL characters, infinities, a second document, aliases
    ///   that expand beyond `YAMLLimits`.
    public init(parsing text: String) throws(YAMLError) {
        root = try YAMLComposer.compose(text)
        var writer = JSONTextWriter()
        writer.write(root)
        json = writer.text
    }

    /// The place of what a path leads to: keys of mappings and indexes of sequences, as text.
    ///
    /// For a member of a mapping this is where its key stands. What came in by an alias or a merge key has the place
    /// where it was written.
    ///
    /// - Returns: `nil` when the path leads nowhere.
    public func position(of path: [String]) -> YAMLPosition? {
        let place = nearest(to: path)
        return place.isExact ? place.position : nil
    }

    /// The line of what a path leads to, counting from 1; see `position(of:)`.
    public func line(of path: [String]) -> Int? { position(of: path)?.line }

    /// The line of what a path leads to or of the closest thing around it: where a missing member should have been.
    public func line(nearest path: [String]) -> Int { nearest(to: path).position.line }

    private func nearest(to path: [String]) -> (position: YAMLPosition, isExact: Bool) {
        var node = root
        var position = root.position
        for step in path {
            switch node.content {
            case .mapping(let members):
                guard let member = members.first(where: { $0.key == step }) else { return (position, false) }
                (node, position) = (member.value, member.position)
            case .sequence(let elements):
                guard let index = Int(step), elements.indices.contains(index) else { return (position, false) }
                node = elements[index]
                position = node.position
            case .scalar:
                return (position, false)
            }
        }
        return (position, true)
    }
}
