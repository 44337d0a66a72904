internal import Basics

/// Builds the tree from the parser's events.
///
/// Texts and attributes are sanitized here, since character references make marks and controls as well. A text that is
/// joined from several nodes is sanitized again: markup may be cut out between two runs of marks.
///
/// Scripts, styles and other unread elements are left out; elements deeper than `maximumDepth` add their text to
/// the deepest element kept.
struct HTMLBuilder {
    static let maximumDepth = 400
    static let maximumNodes = 1_000_000

    private(set) var tree = HTMLTree()
    /// The texts of `script` elements of the type `application/ld+json`.
    private(set) var structuredData: [[UInt8]] = []
    /// The text of the first `title` element.
    private(set) var title: [UInt8] = []

    private var open: [HTMLTree.Index] = [HTMLTree.root]
    private var tooDeep = 0
    private var preformatted = 0
    private var lastIsSpace = true
    private var sanitizer = TextSanitizer()
    private var skipped: [HTMLTag] = []
    private var isStructuredData = false
    private var titleIsOpen = false
    private var titleIsDone = false

    var isFull: Bool { tree.nodes.count >= Self.maximumNodes }
    var depth: Int { open.count + tooDeep }

    private static let skippedTags: HTMLTagSet = [
        .script, .style, .noscript, .template, .svg, .iframe, .canvas, .textarea, .datalist,
    ]
    private static let preformattedTags: HTMLTagSet = [.pre]
    /// Line breaks of their own: white space at their edges is none.
    private static let separating: HTMLTagSet =
        .blocks + .headings + [
            .li, .td, .th, .tr, .section, .article, .br, .header, .footer, .aside, .main, .dd, .dt, .figcaption,
        ]

    mutating func start(_ tag: HTMLTag, attributes: [(key: HTMLAttribute, value: UnsafeBufferPointer<UInt8>)]) {
        guard skipped.isEmpty else {
            if !HTMLTagSet.void.contains(tag) { skipped.append(tag) }
            return
        }
        guard !isFull else { return }
        if tag == .html || tag == .body && open.contains(where: { tree[$0].tag == .body }) {
            if tag == .html { setAttributes(of: HTMLTree.root, attributes) }
            if tag == .body { tooDeep += 1 }
            return
        }
        if tag == .title, !titleIsDone { titleIsOpen = true }
        if Self.skippedTags.contains(tag) {
            isStructuredData =
                tag == .script
                && attributes.contains { $0.key == .type && String(decoding: $0.value, as: UTF8.self).isStructuredData }
            if isStructuredData { structuredData.append([]) }
            skipped.append(tag)
            // Embedded content counts when boxes are weighed; its text does not.
            guard tag == .iframe || tag == .textarea else { return }
        }
        if Self.separating.contains(tag) { lastIsSpace = true }
        guard open.count < Self.maximumDepth || HTMLTagSet.void.contains(tag) else {
            tooDeep += 1
            return
        }
        let index = tree.makeElement(tag)
        setAttributes(of: index, attributes)
        if let parent = open.last { tree.append(index, to: parent) }
        if HTMLTagSet.void.contains(tag) || !skipped.isEmpty { return }
        open.append(index)
        if Self.preformattedTags.contains(tag) { preformatted += 1 }
    }

    mutating func end(_ tag: HTMLTag) {
        guard !HTMLTagSet.void.contains(tag), tag != .html else { return }
        guard skipped.isEmpty else {
            skipped.removeLast()
            return
        }
        if tag == .title { (titleIsOpen, titleIsDone) = (false, titleIsDone || titleIsOpen) }
        if Self.separating.contains(tag) { lastIsSpace = true }
        guard tooDeep == 0 else {
            tooDeep -= 1
            return
        }
        guard open.count > 1 else { return }
        let index = open.removeLast()
        if Self.preformattedTags.contains(tree[index].tag) { preformatted -= 1 }
    }

    /// The content of scripts and styles comes separately from other text.
    mutating func text(_ text: UnsafeBufferPointer<UInt8>, isRaw: Bool) {
        if isStructuredData, isRaw, !skipped.isEmpty, !structuredData.isEmpty {
            structuredData[structuredData.count - 1] += text
        }
        guard skipped.isEmpty, !isRaw, let parent = open.last else { return }
        if titleIsOpen { title += text }
        let last = tree[parent].last
        let continues = last != HTMLTree.none && tree[last].tag == .textNode
        guard continues || !isFull else { return }
        let start = tree.bytes.count
        var counts = TextCollapser.append(
            text, to: &tree.bytes, lastIsSpace: &lastIsSpace, isPreformatted: preformatted > 0)
        counts.length -= Int32(sanitizer.sanitize(&tree.bytes, from: start))
        let added = tree.bytes.count - start
        guard added > 0 else { return }
        if continues, Int(tree[last].start + tree[last].count) == start {
            tree[last].count += Int32(added)
            tree[last].length += counts.length
            tree[last].commas += counts.commas
            tree[last].isBlank = tree[last].isBlank && counts.isBlank
        } else {
            let index = tree.makeElement(.textNode)
            tree[index].start = Int32(start)
            tree[index].count = Int32(added)
            tree[index].length = counts.length
            tree[index].commas = counts.commas
            tree[index].isBlank = counts.isBlank
            tree.append(index, to: parent)
        }
    }

    private mutating func setAttributes(
        of index: HTMLTree.Index, _ attributes: [(key: HTMLAttribute, value: UnsafeBufferPointer<UInt8>)]
    ) {
        guard !attributes.isEmpty else { return }
        tree[index].start = Int32(tree.attributes.count)
        tree[index].count = Int32(attributes.count)
        for (key, value) in attributes {
            let start = tree.bytes.count
            var sanitizer = TextSanitizer()
            tree.bytes += value
            sanitizer.sanitize(&tree.bytes, from: start)
            tree.attributes.append(
                HTMLTree.Attribute(key: key, start: Int32(start), count: Int32(tree.bytes.count - start)))
        }
    }
}

extension String {
    /// As a script's type.
    fileprivate var isStructuredData: Bool { lowercased().hasPrefix("application/ld+json") }
}
