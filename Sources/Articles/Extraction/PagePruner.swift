/// The first pass over a page: removes the parts that are surely no article text, makes paragraphs, and collects the
/// elements whose text will be scored.
struct PagePruner {
    var tree: HTMLTree
    /// The title of the article, to find the heading that repeats it.
    let title: String
    /// Whether elements are removed whose class or id marks them as surroundings of an article.
    let removesUnlikely: Bool
    /// Whether the page's own statement of the author is missing, so that a line in the text is looked for.
    let wantsByline: Bool

    private(set) var byline: String?
    private(set) var paragraphs: [HTMLTree.Index] = []
    private var titleIsFound = false

    private static let scored: HTMLTagSet = [.section, .h2, .h3, .h4, .h5, .h6, .p, .td, .pre]
    private static let removedWhenEmpty: HTMLTagSet = .headings + [.div, .section, .header]
    private static let unlikelyRoles: Set<String> = [
        "menu", "menubar", "complementary", "navigation", "alert", "alertdialog", "dialog",
    ]

    init(_ tree: HTMLTree, title: String, removesUnlikely: Bool, wantsByline: Bool) {
        self.tree = tree
        self.title = title
        self.removesUnlikely = removesUnlikely
        self.wantsByline = wantsByline
    }

    mutating func run() {
        ParagraphMaker.splitAtDoubleBreaks(&tree)
        var current = tree[HTMLTree.root].first
        while current != HTMLTree.none {
            if tree[current].tag == .textNode {
                current = tree.following(current, in: HTMLTree.root)
            } else if mustGo(current) {
                let next = tree.following(current, in: HTMLTree.root, skippingChildren: true)
                tree.remove(current)
                current = next
            } else {
                if Self.scored.contains(tree[current].tag) { paragraphs.append(current) }
                if tree[current].tag == .div { current = paragraphs(in: current) }
                current = tree.following(current, in: HTMLTree.root)
            }
        }
    }

    private mutating func mustGo(_ index: HTMLTree.Index) -> Bool {
        let tag = tree[index].tag
        if tag == .head || tag == .title || tag == .meta || tag == .link { return true }
        if tag == .br || tag == .body { return false }
        if tree.isHidden(index) || tree.isModalDialog(index) || tree.isCommentSection(index) { return true }
        let hints = ClassHints.of(index, in: tree)
        if wantsByline, byline == nil, let line = byline(at: index, hints) {
            byline = line
            return true
        }
        if !titleIsFound, tag == .h1 || tag == .h2,
            WordCoverage.share(of: tree.line(index, limit: 2000), in: title) > 0.75
        {
            titleIsFound = true
            return true
        }
        if removesUnlikely {
            if hints.contains(.unlikely), !hints.contains(.possible), tag != .a,
                !tree.hasAncestor(index, [.table, .code], within: 4)
            {
                return true
            }
            if let role = tree.attribute(.role, of: index), Self.unlikelyRoles.contains(role) { return true }
        }
        return Self.removedWhenEmpty.contains(tag) && isEmpty(index)
    }

    /// Nothing but white space and line breaks.
    private func isEmpty(_ index: HTMLTree.Index) -> Bool {
        var child = tree[index].first
        while child != HTMLTree.none {
            let node = tree[child]
            guard node.tag == .br || node.tag == .hr || node.tag == .textNode && node.isBlank else { return false }
            child = node.next
        }
        return true
    }

    /// Makes paragraphs of a box; returns the element to go on with, which is the paragraph that took its place.
    private mutating func paragraphs(in box: HTMLTree.Index) -> HTMLTree.Index {
        ParagraphMaker.wrapRuns(in: box, &tree)
        if let only = tree.onlyChild(of: box), tree[only].tag == .p, tree.measure(box).linkDensity < 0.25 {
            tree.replace(box, with: only)
            paragraphs.append(only)
            return only
        }
        if !ParagraphMaker.holdsBlock(box, tree) {
            tree[box].tag = .p
            paragraphs.append(box)
        }
        return box
    }

    private func byline(at index: HTMLTree.Index, _ hints: ClassHints) -> String? {
        let isMarked =
            hints.contains(.byline) || tree.attribute(.rel, of: index) == "author"
            || tree.attribute(.itemprop, of: index)?.contains("author") == true
        guard isMarked, (1..<100).contains(tree.measure(index).length) else { return nil }
        return BylineReader.line(at: index, in: tree)
    }
}

extension HTMLTree {
    /// Whether an element says that it is not shown.
    func isHidden(_ index: Index) -> Bool {
        guard self[index].count > 0 else { return false }
        if bytes(of: .hidden, at: index) != nil { return true }
        if let style = attribute(.style, of: index), InvisibleStyle.hides(style) { return true }
        guard let hidden = attribute(.ariaHidden, of: index), hidden == "true" else { return false }
        // Formulas are hidden text beside their picture.
        return attribute(.class, of: index)?.contains("fallback-image") != true
    }

    /// The readers' comments below a short article, which would be the longer text.
    func isCommentSection(_ index: Index) -> Bool {
        let names = [HTMLAttribute.id, .class].compactMap { attribute($0, of: index) }
            .flatMap { $0.lowercased().split(whereSeparator: \.isWhitespace) }
        guard names.contains(where: { Self.commentSections.contains(String($0)) }) else { return false }
        return elements([.article, .h1, .main], in: index).isEmpty
    }

    private static let commentSections: Set<String> = [
        "comments", "comments-area", "comments-section", "comment-section", "comment-list", "commentlist",
        "disqus_thread", "fb-comments", "kommentare", "comentarios", "commentaires",
    ]

    /// A dialog in front of the page: consent, subscription.
    func isModalDialog(_ index: Index) -> Bool {
        attribute(.ariaModal, of: index) == "true" && attribute(.role, of: index) == "dialog"
    }
}

/// Short texts that say that a box is an advertisement or still loading.
enum BoilerplateLabel {
    private static let labels: Set<String> = [
        "ad", "ads", "advertising", "advertisement", "advertisements", "anzeige", "anuncio", "pub", "publicité",
        "publicidad", "pubblicità", "sponsored", "werbung", "реклама", "广告", "廣告", "広告", "loading", "chargement",
        "laden", "carregando", "cargando", "загрузка", "正在加载",
    ]

    static func matches(_ text: String) -> Bool {
        let bare = text.lowercased().filter { $0.isLetter }
        return labels.contains(bare)
    }
}
