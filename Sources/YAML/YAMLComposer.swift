/// Builds the tree of a document from its events.
///
/// An alias becomes the part that it names at once: an anchor is known only when its part is complete, so a part can
/// never contain itself.
struct YAMLComposer {
    /// A collection that is still open.
    private struct Frame {
        let isMapping: Bool
        let anchor: String?
        let position: YAMLPosition
        var elements: [YAMLNode] = []
        var members = YAMLMappingBuilder()
        /// The key whose value comes next.
        var key: YAMLKey?
    }

    private let events: YAMLEventStream
    private var frames: [Frame] = []
    private var anchors: [String: YAMLNode] = [:]
    private var root: YAMLNode?

    private init(_ text: String) throws(YAMLError) { events = try YAMLEventStream(text) }

    static func compose(_ text: String) throws(YAMLError) -> YAMLNode {
        var composer = try YAMLComposer(text)
        return try composer.composeDocument()
    }

    private mutating func composeDocument() throws(YAMLError) -> YAMLNode {
        var documents = 0
        while let event = try events.next() {
            switch event.kind {
            case .documentStart:
                documents += 1
                if documents > 1 { throw event.position.failure("only one document is allowed in a file") }
            case .documentEnd: break
            case .sequenceStart, .mappingStart: try open(event)
            case .collectionEnd: try close(event)
            case .scalar(let scalar, let text, let isPlain):
                if let anchor = event.anchor { try forbidReuse(of: anchor, event.position) }
                if expectsKey {
                    try take(key: YAMLKey(text: text, isMerge: isPlain && text == "<<", position: event.position))
                    if let anchor = event.anchor {
                        anchors[anchor] = YAMLNode(scalar: scalar, position: event.position)
                    }
                } else {
                    try add(YAMLNode(scalar: scalar, position: event.position), anchor: event.anchor)
                }
            case .alias(let name): try addAlias(name, event.position)
            }
        }
        return root ?? YAMLNode(scalar: .null, position: YAMLPosition(line: 1, column: 1))
    }

    private var expectsKey: Bool {
        guard let frame = frames.last else { return false }
        return frame.isMapping && frame.key == nil
    }

    private mutating func open(_ event: YAMLEvent) throws(YAMLError) {
        guard !expectsKey else { throw event.position.failure("a key must be a scalar") }
        guard frames.count < YAMLLimits.depth else {
            throw event.position.failure("nested deeper than \(YAMLLimits.depth) levels")
        }
        if let anchor = event.anchor { try forbidReuse(of: anchor, event.position) }
        let isMapping = if case .mappingStart = event.kind { true } else { false }
        frames.append(Frame(isMapping: isMapping, anchor: event.anchor, position: event.position))
    }

    private mutating func close(_ event: YAMLEvent) throws(YAMLError) {
        guard let frame = frames.popLast() else { throw event.position.failure("this is not YAML") }
        let node =
            frame.isMapping
            ? try YAMLNode(mapping: frame.members.resolved(), position: frame.position)
            : try YAMLNode(sequence: frame.elements, position: frame.position)
        try add(node, anchor: frame.anchor)
    }

    private mutating func addAlias(_ name: String, _ position: YAMLPosition) throws(YAMLError) {
        guard let node = anchors[name] else {
            let isOpen = frames.contains { $0.anchor == name }
            throw position.failure(isOpen ? "the alias *\(name)* contains itself" : "the alias *\(name) has no anchor")
        }
        guard !expectsKey else { throw position.failure("an alias cannot be a key") }
        try add(node, anchor: nil)
    }

    private mutating func take(key: YAMLKey) throws(YAMLError) {
        guard var frame = frames.popLast() else { return }
        try frame.members.check(key)
        frame.key = key
        frames.append(frame)
    }

    private mutating func add(_ node: YAMLNode, anchor: String?) throws(YAMLError) {
        if let anchor { anchors[anchor] = node }
        guard !frames.isEmpty else {
            root = node
            return
        }
        let top = frames.count - 1
        guard let key = frames[top].key else {
            guard !frames[top].isMapping else { throw node.position.failure("a key must be a scalar") }
            frames[top].elements.append(node)
            return
        }
        frames[top].key = nil
        try frames[top].members.add(key, node)
    }

    /// A second anchor of the same name is legal YAML, and nearly always a slip of copying.
    private func forbidReuse(of anchor: String, _ position: YAMLPosition) throws(YAMLError) {
        if anchors[anchor] != nil { throw position.failure("the anchor &\(anchor) is used twice") }
    }
}

/// A key on its way into a mapping.
struct YAMLKey {
    let text: String
    /// Whether this is `<<`, which brings in the members of other mappings.
    let isMerge: Bool
    let position: YAMLPosition
}

/// Collects the members of a mapping in their order and resolves merge keys.
struct YAMLMappingBuilder {
    private enum Entry {
        case member(YAMLMember)
        case merged([YAMLMember])
    }

    private var entries: [Entry] = []
    private var keys: Set<String> = []
    private var hasMerge = false

    /// - Throws: `YAMLError` when the mapping already has the key.
    mutating func check(_ key: YAMLKey) throws(YAMLError) {
        let isNew: Bool
        if key.isMerge {
            isNew = !hasMerge
            hasMerge = true
        } else {
            isNew = keys.insert(key.text).inserted
        }
        guard isNew else { throw key.position.failure("the key '\(key.text)' occurs twice") }
    }

    mutating func add(_ key: YAMLKey, _ value: YAMLNode) throws(YAMLError) {
        guard key.isMerge else {
            entries.append(.member(YAMLMember(key: key.text, position: key.position, value: value)))
            return
        }
        switch value.content {
        case .mapping(let members): entries.append(.merged(members))
        case .sequence(let elements):
            for element in elements {
                guard case .mapping(let members) = element.content else { throw Self.wrongMerge(key) }
                entries.append(.merged(members))
            }
        case .scalar: throw Self.wrongMerge(key)
        }
    }

    /// The members: those written here win over merged ones, and of merged ones the first.
    func resolved() -> [YAMLMember] {
        var seen = keys
        var members: [YAMLMember] = []
        for entry in entries {
            switch entry {
            case .member(let member): members.append(member)
            case .merged(let others): members += others.filter { seen.insert($0.key).inserted }
            }
        }
        return members
    }

    private static func wrongMerge(_ key: YAMLKey) -> YAMLError {
        key.position.failure("'<<' needs a mapping or a list of mappings")
    }
}
