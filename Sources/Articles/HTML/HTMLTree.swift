internal import Basics

/// A page as a tree; its nodes are in one array and refer to each other by index.
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
        /// The numbers of characters and commas of a text.
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

extension HTMLTree {
    /// Counts of an element's content.
    struct Measure: Sendable {
        /// Characters, white space at the ends left out.
        var length = 0
        var commas = 0
        /// Characters within links; links to the same page count less.
        var linked = 0.0

        var linkDensity: Double { length == 0 ? 0 : linked / Double(length) }
    }

    func bytes(ofText node: Node) -> ArraySlice<UInt8> { bytes[Int(node.start)..<Int(node.start + node.count)] }

    /// Length, commas and links of everything below an element.
    func measure(_ scope: Index) -> Measure {
        var measure = Measure()
        var weight = 0.0
        var linkEnd = Self.none
        var leading = true
        var trailing = 0
        var current = self[scope].tag == .textNode ? scope : self[scope].first
        while current != Self.none {
            if current == linkEnd {
                weight = 0
                linkEnd = Self.none
            }
            let node = nodes[Int(current)]
            if node.tag == .textNode {
                let hasSpace = bytes[Int(node.start)] == 0x20
                measure.length += Int(node.length) - (leading && hasSpace ? 1 : 0)
                measure.commas += Int(node.commas)
                measure.linked += Double(node.length) * weight
                leading = leading && node.isBlank
                trailing = bytes[Int(node.start + node.count) - 1] == 0x20 ? 1 : 0
            } else if node.tag == .a, weight == 0 {
                linkEnd = following(current, in: scope, skippingChildren: true)
                weight = isFragmentLink(current) ? 0.3 : 1
            }
            if current == scope { break }
            current = following(current, in: scope)
        }
        measure.length = max(measure.length - trailing, 0)
        return measure
    }

    private func isFragmentLink(_ index: Index) -> Bool {
        guard let target = bytes(of: .href, at: index) else { return false }
        return target.first == UInt8(ascii: "#") && target.count > 1
    }

    /// Whether there is any text but white space.
    func hasText(_ scope: Index) -> Bool {
        if self[scope].tag == .textNode { return !self[scope].isBlank }
        var found = false
        walk(scope) { _, node in
            if node.tag == .textNode, !node.isBlank { found = true }
            return !found
        }
        return found
    }

    /// The text below an element in one line, at most `limit` bytes of it.
    func line(_ scope: Index, limit: Int = .max) -> String {
        var text: [UInt8] = []
        if self[scope].tag == .textNode { text += bytes(ofText: self[scope]) }
        walk(scope) { _, node in
            if node.tag == .textNode {
                text += bytes(ofText: node).prefix(limit - text.count)
            } else if node.tag == .br || HTMLTagSet.blocks.contains(node.tag), text.last != 0x20 {
                text.append(0x20)
            }
            return text.count < limit
        }
        return String(decoding: text, as: UTF8.self).sanitized.collapsed
    }
}

extension HTMLTree {
    /// A new, detached element without attributes.
    mutating func makeElement(_ tag: HTMLTag) -> Index {
        nodes.append(Node(tag: tag))
        return Index(nodes.count - 1)
    }

    /// Adds a detached node as the last child.
    mutating func append(_ child: Index, to parent: Index) {
        let last = self[parent].last
        self[child].parent = parent
        self[child].previous = last
        self[child].next = Self.none
        if last == Self.none { self[parent].first = child } else { self[last].next = child }
        self[parent].last = child
    }

    /// Inserts a detached node before another.
    mutating func insert(_ node: Index, before place: Index) {
        let parent = self[place].parent
        let previous = self[place].previous
        self[node].parent = parent
        self[node].previous = previous
        self[node].next = place
        self[place].previous = node
        if previous == Self.none { self[parent].first = node } else { self[previous].next = node }
    }

    /// Takes a node with all below it out of the tree.
    mutating func remove(_ index: Index) {
        let node = self[index]
        guard node.parent != Self.none else { return }
        if node.previous == Self.none {
            self[node.parent].first = node.next
        } else {
            self[node.previous].next = node.next
        }
        if node.next == Self.none {
            self[node.parent].last = node.previous
        } else {
            self[node.next].previous = node.previous
        }
        self[index].parent = Self.none
        self[index].next = Self.none
        self[index].previous = Self.none
    }

    /// Replaces a node by another one, attached or not.
    mutating func replace(_ old: Index, with new: Index) {
        remove(new)
        insert(new, before: old)
        remove(old)
    }
}
