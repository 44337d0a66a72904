/// A part of a document, with aliases and merge keys already resolved.
///
/// Resolved parts share their storage with what they refer to, so memory is bounded by the text that was read and
/// only `size` grows with every reference.
struct YAMLNode: Sendable {
    enum Content: Sendable {
        case scalar(YAMLScalar)
        case sequence([YAMLNode])
        case mapping([YAMLMember])
    }

    let content: Content
    let position: YAMLPosition
    /// Roughly the bytes of this part as JSON text.
    let size: Int
    /// Levels of nesting; 0 for a scalar.
    let depth: Int

    init(scalar: YAMLScalar, position: YAMLPosition) {
        content = .scalar(scalar)
        self.position = position
        size = scalar.size + 1
        depth = 0
    }

    init(sequence: [YAMLNode], position: YAMLPosition) throws(YAMLError) {
        content = .sequence(sequence)
        self.position = position
        size = try Self.total(sequence.lazy.map(\.size), position)
        depth = try Self.deeper(sequence.lazy.map(\.depth), position)
    }

    init(mapping: [YAMLMember], position: YAMLPosition) throws(YAMLError) {
        content = .mapping(mapping)
        self.position = position
        size = try Self.total(mapping.lazy.map { $0.key.utf8.count + 4 + $0.value.size }, position)
        depth = try Self.deeper(mapping.lazy.map(\.value.depth), position)
    }

    private static func total(_ sizes: some Sequence<Int>, _ position: YAMLPosition) throws(YAMLError) -> Int {
        var total = 2
        for size in sizes {
            total += size
            guard total <= YAMLLimits.expandedSize else {
                throw position.failure("aliases expand to more than \(YAMLLimits.expandedSize) bytes")
            }
        }
        return total
    }

    private static func deeper(_ depths: some Sequence<Int>, _ position: YAMLPosition) throws(YAMLError) -> Int {
        let depth = 1 + (depths.max() ?? 0)
        guard depth <= YAMLLimits.depth else {
            throw position.failure("nested deeper than \(YAMLLimits.depth) levels")
        }
        return depth
    }
}

/// A key of a mapping, where it stands, and its value.
struct YAMLMember: Sendable {
    let key: String
    let position: YAMLPosition
    let value: YAMLNode
}
