public import JSON

/// A YAML document as a JSON value, with the place of every part of it.
///
///     let document = try YAMLDocument(parsing: "checklist:\n  - rule: low debt\n")
///     document.value                                 // {"checklist":[{"rule":"low debt"}]}
///     document.line(of: ["checklist", "0", "rule"])  // 2
///
/// Scalars follow the core schema of YAML 1.2: `yes`, `no`, `on` and `off` are strings, `010` is ten and `0o10` is
/// eight. Keys keep their order and numbers their exact decimal text. Aliases and merge keys (`<<`) are resolved.
public struct YAMLDocument: Sendable {
    private let root: YAMLNode

    /// The value of the document.
    public var value: JSON { root.value }

    /// Reads a text that holds one document at most; an empty text is `null`.
    ///
    /// - Throws: `YAMLError` for text that is not YAML, and for YAML that has no meaning as JSON or is nearly always a
    ///   slip: duplicate keys, keys that are no scalars, tags, NUL characters, infinities, a second document, aliases
    ///   that expand to more than 32 MiB.
    public init(parsing text: String) throws(YAMLError) {
        root = try YAMLComposer.compose(text)
    }

    /// The place of the part that a path leads to: keys of mappings and indices of sequences, as text.
    ///
    /// For a member of a mapping this is the place of its key. A part that came in by an alias or a merge key has the
    /// place where it was written.
    ///
    /// - Returns: `nil` when the path leads nowhere.
    public func position(of path: [String]) -> YAMLPosition? {
        let place = nearest(to: path)
        return place.isExact ? place.position : nil
    }

    /// The line of the part that a path leads to, counting from 1; see `position(of:)`.
    public func line(of path: [String]) -> Int? { position(of: path)?.line }

    /// The line of the part that a path leads to, or of the closest part around it, where a missing member should be.
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

/// Why a text cannot be read as YAML, and where.
public struct YAMLError: Error, Equatable, CustomStringConvertible {
    /// The problem.
    public let message: String
    /// The line, counting from 1.
    public let line: Int
    /// The character in the line, counting from 1; 0 when only the line is known.
    public let column: Int

    init(message: String, line: Int, column: Int) {
        self.message = message
        self.line = line
        self.column = column
    }

    /// The place and the message.
    public var description: String {
        column > 0 ? "line \(line), column \(column): \(message)" : "line \(line): \(message)"
    }
}

/// A place in a YAML text; both numbers count from 1.
public struct YAMLPosition: Sendable, Hashable {
    /// The line.
    public let line: Int
    /// The character in the line.
    public let column: Int

    init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    func failure(_ message: String) -> YAMLError { YAMLError(message: message, line: line, column: column) }
}

/// The largest size of a document; a larger one is an error.
enum YAMLLimits {
    /// Bytes of YAML text.
    static let inputSize = 16 << 20
    /// Bytes of JSON text after aliases are resolved: a few lines can expand to gigabytes.
    static let expandedSize = 32 << 20
    /// Levels of nesting, also after aliases are resolved.
    static let depth = 200
}
