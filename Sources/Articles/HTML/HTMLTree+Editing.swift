extension HTMLTree {
    /// A new element without attributes that stands nowhere yet.
    mutating func makeElement(_ tag: HTMLTag) -> Index {
        nodes.append(Node(tag: tag))
        return Index(nodes.count - 1)
    }

    /// Adds a node that stands nowhere as the last child.
    mutating func append(_ child: Index, to parent: Index) {
        let last = self[parent].last
        self[child].parent = parent
        self[child].previous = last
        self[child].next = Self.none
        if last == Self.none { self[parent].first = child } else { self[last].next = child }
        self[parent].last = child
    }

    /// Puts a node that stands nowhere before another.
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
        if node.previous == Self.none { self[node.parent].first = node.next } else { self[node.previous].next = node.next }
        if node.next == Self.none { self[node.parent].last = node.previous } else { self[node.next].previous = node.previous }
        self[index].parent = Self.none
        self[index].next = Self.none
        self[index].previous = Self.none
    }

    /// Puts a node that stands elsewhere or nowhere into the place of another.
    mutating func replace(_ old: Index, with new: Index) {
        remove(new)
        insert(new, before: old)
        remove(old)
    }
}
