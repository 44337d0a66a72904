/// Gives a page the paragraphs that its author intended: text between double line breaks, and text in a box
/// beside other boxes.
enum ParagraphMaker {
    /// Makes each run of two or more line breaks the start of a paragraph.
    static func splitAtDoubleBreaks(_ tree: inout HTMLTree) {
        for br in tree.elements([.br], in: HTMLTree.root) where isAttached(br, tree) {
            var next = afterBlanks(tree[br].next, tree)
            var isDouble = false
            while next != HTMLTree.none, tree[next].tag == .br {
                isDouble = true
                let following = tree[next].next
                tree.remove(next)
                next = afterBlanks(following, tree)
            }
            guard isDouble else { continue }
            let paragraph = tree.makeElement(.p)
            tree.replace(br, with: paragraph)
            next = tree[paragraph].next
            while next != HTMLTree.none {
                if tree[next].tag == .br {
                    let after = afterBlanks(tree[next].next, tree)
                    if after != HTMLTree.none, tree[after].tag == .br { break }
                }
                guard isPhrasing(next, tree) else { break }
                let following = tree[next].next
                tree.remove(next)
                tree.append(next, to: paragraph)
                next = following
            }
            dropTrailingBlanks(of: paragraph, &tree)
            let parent = tree[paragraph].parent
            if tree[parent].tag == .p { tree[parent].tag = .div }
        }
    }

    /// Puts each run of text and inline elements in a box into a paragraph of its own.
    static func wrapRuns(in box: HTMLTree.Index, _ tree: inout HTMLTree) {
        var paragraph: HTMLTree.Index?
        var child = tree[box].first
        while child != HTMLTree.none {
            let next = tree[child].next
            if isPhrasing(child, tree) {
                if let paragraph {
                    tree.remove(child)
                    tree.append(child, to: paragraph)
                } else if !isBlank(child, tree) {
                    let new = tree.makeElement(.p)
                    tree.insert(new, before: child)
                    tree.remove(child)
                    tree.append(child, to: new)
                    paragraph = new
                }
            } else if let finished = paragraph {
                dropTrailingBlanks(of: finished, &tree)
                paragraph = nil
            }
            child = next
        }
    }

    /// Whether an element holds a box or a paragraph anywhere.
    static func holdsBlock(_ index: HTMLTree.Index, _ tree: HTMLTree) -> Bool {
        var found = false
        tree.walk(index) { _, node in
            if HTMLTagSet.blocks.contains(node.tag) { found = true }
            return !found
        }
        return found
    }

    static func isPhrasing(_ index: HTMLTree.Index, _ tree: HTMLTree) -> Bool {
        let tag = tree[index].tag
        if HTMLTagSet.phrasing.contains(tag) { return true }
        guard tag == .a || tag == .del || tag == .ins else { return false }
        var child = tree[index].first
        while child != HTMLTree.none {
            if !isPhrasing(child, tree) { return false }
            child = tree[child].next
        }
        return true
    }

    private static func isBlank(_ index: HTMLTree.Index, _ tree: HTMLTree) -> Bool {
        tree[index].tag == .br || tree[index].tag == .textNode && tree[index].isBlank
    }

    private static func afterBlanks(_ index: HTMLTree.Index, _ tree: HTMLTree) -> HTMLTree.Index {
        var current = index
        while current != HTMLTree.none, tree[current].tag == .textNode, tree[current].isBlank {
            current = tree[current].next
        }
        return current
    }

    private static func dropTrailingBlanks(of paragraph: HTMLTree.Index, _ tree: inout HTMLTree) {
        while tree[paragraph].last != HTMLTree.none, isBlank(tree[paragraph].last, tree) {
            tree.remove(tree[paragraph].last)
        }
    }

    private static func isAttached(_ index: HTMLTree.Index, _ tree: HTMLTree) -> Bool {
        tree[index].parent != HTMLTree.none
    }
}
