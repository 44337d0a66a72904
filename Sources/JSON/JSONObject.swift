/// The members of a JSON object in the order in which they were written.
///
/// A repeated key keeps its first place and its last value. Keys are the same when their UTF-8 bytes are. Equality
/// ignores order, as JSON does.
public struct JSONObject: Sendable {
    /// A key and its value.
    public typealias Element = (key: String, value: JSON)

    /// Up to this many members a linear search beats a dictionary.
    private static let linearLimit = 12

    private var members: [Element] = []
    private var positions: [JSONKey: Int]?

    /// An object without members.
    public init() {}

    /// An object of these members; of a repeated key the last value counts.
    public init(_ members: some Sequence<(String, JSON)>) {
        for (key, value) in members { self[key] = value }
    }

    /// The number of members.
    public var count: Int { members.count }
    /// Whether there are no members.
    public var isEmpty: Bool { members.isEmpty }
    /// The keys in their order.
    public var keys: [String] { members.map(\.key) }
    /// The values in the order of their keys.
    public var values: [JSON] { members.map(\.value) }

    /// The value of a member; setting `nil` removes the member, setting a new key appends one.
    public subscript(key: String) -> JSON? {
        get { position(of: key).map { members[$0].value } }
        set {
            switch (position(of: key), newValue) {
            case (let place?, let value?): members[place].value = value
            case (let place?, nil):
                members.remove(at: place)
                positions = nil
                indexIfLarge()
            case (nil, let value?):
                members.append((key, value))
                if positions != nil { positions?[JSONKey(key)] = members.count - 1 } else { indexIfLarge() }
            case (nil, nil): break
            }
        }
    }

    private func position(of key: String) -> Int? {
        if let positions { return positions[JSONKey(key)] }
        return members.firstIndex { $0.key.hasSameBytes(as: key) }
    }

    private mutating func indexIfLarge() {
        guard members.count > Self.linearLimit else { return }
        positions = Dictionary(uniqueKeysWithValues: members.enumerated().map { (JSONKey($1.key), $0) })
    }
}

extension JSONObject {
    /// The same members with changed texts: every key and every string at any depth. Keys that become the same merge,
    /// and the last value counts.
    func mapStrings(_ transform: (String) -> String) -> JSONObject {
        var changed = self
        var hasNewKey = false
        for place in changed.members.indices {
            let key = transform(changed.members[place].key)
            hasNewKey = hasNewKey || !key.hasSameBytes(as: changed.members[place].key)
            changed.members[place] = (key, changed.members[place].value.mapStrings(transform))
        }
        return hasNewKey ? JSONObject(changed.members) : changed
    }
}

extension JSONObject: Sequence {
    /// Goes over the members in their order.
    public func makeIterator() -> IndexingIterator<[Element]> { members.makeIterator() }
}

extension JSONObject: Hashable {
    /// Whether both have the same members, in any order.
    public static func == (left: JSONObject, right: JSONObject) -> Bool {
        left.count == right.count && left.members.allSatisfy { right[$0.key] == $0.value }
    }

    /// Hashes the members without regard to their order.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(count)
        for member in members.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
            member.key.hashBytes(into: &hasher)
            hasher.combine(member.value)
        }
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    /// An object of the literal's members.
    public init(dictionaryLiteral elements: (String, JSON)...) { self.init(elements) }
}
