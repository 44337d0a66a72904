internal import Basics

/// Writes the text of an article: a blank line between blocks, a line for each item of a list and each row of a table,
/// with a tabulator between its cells; preformatted text unchanged.
struct TextRenderer {
    private let tree: HTMLTree
    private var bytes: [UInt8] = []
    /// Line feeds to write before the next text.
    private var pending = 0

    private static let blocks: HTMLTagSet =
        .headings + [
            .address, .article, .aside, .blockquote, .center, .details, .dialog, .div, .dl, .fieldset, .figcaption,
            .figure, .footer, .form, .header, .hgroup, .hr, .main, .menu, .nav, .ol, .p, .pre, .section, .summary,
            .table, .ul, .caption, .dd, .dt,
        ]
    private static let lines: HTMLTagSet = [.li, .tr, .option, .legend]
    private static let cells: HTMLTagSet = [.td, .th]

    static func text(of parts: [HTMLTree.Index], in tree: HTMLTree) -> String {
        var renderer = TextRenderer(tree)
        for part in parts { renderer.render(part) }
        renderer.trimLine()
        return String(decoding: renderer.bytes, as: UTF8.self).sanitized
    }

    private init(_ tree: HTMLTree) { self.tree = tree }

    private mutating func render(_ part: HTMLTree.Index) {
        guard tree[part].tag != .textNode else { return append(part, isPreformatted: false) }
        var open: [HTMLTree.Index] = [part]
        var preformatted = 0
        enter(part, &preformatted)
        var current = tree[part].first
        while let innermost = open.last {
            if current == HTMLTree.none {
                leave(innermost, &preformatted)
                open.removeLast()
                current = open.isEmpty ? HTMLTree.none : tree[innermost].next
            } else if tree[current].tag == .textNode {
                append(current, isPreformatted: preformatted > 0)
                current = tree[current].next
            } else {
                enter(current, &preformatted)
                open.append(current)
                current = tree[current].first
            }
        }
    }

    private mutating func enter(_ index: HTMLTree.Index, _ preformatted: inout Int) {
        let tag = tree[index].tag
        if tag == .pre { preformatted += 1 }
        if Self.blocks.contains(tag) {
            pending = max(pending, 2)
        } else if Self.lines.contains(tag) || tag == .br {
            pending = max(pending, 1)
        } else if Self.cells.contains(tag), pending == 0, !bytes.isEmpty {
            trimLine()
            bytes.append(UInt8(ascii: "\t"))
        }
    }

    private mutating func leave(_ index: HTMLTree.Index, _ preformatted: inout Int) {
        let tag = tree[index].tag
        if tag == .pre { preformatted -= 1 }
        // A table's cells are on one line even when each holds a paragraph.
        if Self.blocks.contains(tag) { pending = max(pending, 2) }
        if Self.lines.contains(tag) { pending = max(pending, 1) }
    }

    private mutating func append(_ index: HTMLTree.Index, isPreformatted: Bool) {
        var text = tree.bytes(ofText: tree[index])
        if tree[index].isBlank, pending > 0 || bytes.isEmpty { return }
        if pending > 0, !bytes.isEmpty {
            trimLine()
            bytes += Array(repeating: UInt8(ascii: "\n"), count: pending)
        }
        if !isPreformatted, let last = bytes.last, last == 0x20 || last == 0x0A || last == 0x09 || bytes.isEmpty {
            text = text.drop { $0 == 0x20 }
        }
        pending = 0
        bytes += text
    }

    private mutating func trimLine() {
        while let last = bytes.last, last == 0x20 || last == 0x0A || last == 0x09 || last == 0x0D { bytes.removeLast() }
    }
}
