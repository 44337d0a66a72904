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
