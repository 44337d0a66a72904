/// Reads who wrote an article from a line on the page.
enum BylineReader {
    /// The name marked within the line, when one is, or else the whole line.
    static func line(at index: HTMLTree.Index, in tree: HTMLTree) -> String? {
        var name: String?
        tree.walk(index) { inner, node in
            if name == nil, node.tag != .textNode, tree.attribute(.itemprop, of: inner)?.contains("name") == true {
                name = tree.line(inner, limit: 400).nonBlank
            }
            return name == nil
        }
        return name ?? tree.line(index, limit: 400).nonBlank
    }
}
