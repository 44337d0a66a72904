/// Finds what belongs to an article beside the element that holds most of it: the first paragraph, a part after a break.
struct SiblingCollector {
    let tree: HTMLTree
    let scores: [HTMLTree.Index: Double]

    /// The elements of the article, in order.
    func collect(around top: HTMLTree.Index) -> [HTMLTree.Index] {
        let topScore = scores[top] ?? 0
        let threshold = max(10, topScore * 0.2)
        let name = tree.attribute(.class, of: top) ?? ""
        return tree.children(of: tree[top].parent).filter { sibling in
            if sibling == top { return true }
            guard tree[sibling].tag != .textNode else { return false }
            let hasSameClass = !name.isEmpty && tree.attribute(.class, of: sibling) == name
            if let score = scores[sibling], score + (hasSameClass ? topScore * 0.2 : 0) >= threshold { return true }
            return tree[sibling].tag == .p && isProse(sibling)
        }
    }

    private func isProse(_ paragraph: HTMLTree.Index) -> Bool {
        let measure = tree.measure(paragraph)
        if measure.length > 80 { return measure.linkDensity < 0.25 }
        guard measure.length > 0, measure.linked == 0 else { return false }
        let line = tree.line(paragraph)
        return line.hasSuffix(".") || line.contains(". ")
    }
}
