/// A page as a tree whose nodes lie in one array and name each other by index.
///
/// White space is collapsed while the tree is built, across elements too, but not in preformatted text. Copying a tree
/// is cheap, so that an extraction can cut in it and start again. Every walk is a loop: depth costs no stack.
struct HTMLTree: Sendable {
    typealias Index = Int32

    /// Stands for "no node".
    static let none: Index = -1

    struct Node: Sendable {
        var tag: HTMLTag
        var parent: Index = HTMLTree.none
        var first: Index = HTMLTree.none
        var last: Index = HTMLTree.none
        var next: Index = HTMLTree.none
        var previous: Index = HTMLTree.none
        /// Of a text, its bytes in `bytes`; of an element, its attributes in `attributes`.
        var start: Int32 = 0
        var count: Int32 = 0
        /// Of a text, how many characters and commas it has.
        var length: Int32 = 0
        var commas: Int32 = 0
        /// Of a text, whether it is white space alone.
        var isBlank = false
    }

    struct Attribute: Sendable {
        var key: HTMLAttribute
        var start: Int32
        var count: Int32
    }

    var nodes: [Node] = [Node(tag: .html)]
    var attributes: [Attribute] = []
    var bytes: [UInt8] = []

    static let root: Index = 0

    subscript(index: Index) -> Node {
        get { nodes[Int(index)] }
        _modify { yield &nodes[Int(index)] }
    }

    // MARK: - Attributes

    func bytes(of key: HTMLAttribute, at index: Index) -> ArraySlice<UInt8>? {
        let node = self[index]
        guard node.tag != .textNode, node.count > 0 else { return nil }
        for place in Int(node.start)..<Int(node.start + node.count) where attributes[place].key == key {
            let attribute = attributes[place]
            return bytes[Int(attribute.start)..<Int(attribute.start + attribute.count)]
        }
        return nil
    }

    func attribute(_ key: HTMLAttribute, of index: Index) -> String? {
        bytes(of: key, at: index).map { String(decoding: $0, as: UTF8.self) }
    }

    // MARK: - Walking

    /// The next node in document order within `scope`; `none` at its end.
    func following(_ index: Index, in scope: Index, skippingChildren: Bool = false) -> Index {
        let node = nodes[Int(index)]
        if !skippingChildren, node.first != Self.none { return node.first }
        var current = index
        while current != scope, current != Self.none {
            let next = nodes[Int(current)].next
            if next != Self.none { return next }
            current = nodes[Int(current)].parent
        }
        return Self.none
    }

    /// Calls `body` with every node below `scope`, in document order; `false` skips the children of that node.
    @inline(__always)
    func walk(_ scope: Index, _ body: (Index, Node) -> Bool) {
        var current = nodes[Int(scope)].first
        while current != Self.none {
            let node = nodes[Int(current)]
            current = following(current, in: scope, skippingChildren: !body(current, node))
        }
    }

    func children(of index: Index) -> [Index] {
        var children: [Index] = []
        var child = self[index].first
        while child != Self.none {
            children.append(child)
            child = self[child].next
        }
        return children
    }

    /// Every element with one of the tags below `scope`, in document order.
    func elements(_ tags: HTMLTagSet, in scope: Index) -> [Index] {
        var found: [Index] = []
        walk(scope) { index, node in
            if tags.contains(node.tag) { found.append(index) }
            return true
        }
        return found
    }

    func hasAncestor(_ index: Index, _ tags: HTMLTagSet, within levels: Int = .max) -> Bool {
        var current = self[index].parent
        var level = 0
        while current != Self.none, level < levels {
            if tags.contains(self[current].tag) { return true }
            current = self[current].parent
            level += 1
        }
        return false
    }

    /// The only child that is an element, when there is no other and no text beside it.
    func onlyChild(of index: Index) -> Index? {
        var only: Index?
        var child = self[index].first
        while child != Self.none {
            let node = self[child]
            if node.tag != .textNode {
                if only != nil { return nil }
                only = child
            } else if !node.isBlank {
                return nil
            }
            child = node.next
        }
        return only
    }
}
