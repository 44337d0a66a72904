/// Removes from an article the parts between its paragraphs that do not belong to it: forms, boxes of links, share
/// buttons.
struct ContentCleaner {
    var tree: HTMLTree
    /// The elements of the article.
    private(set) var parts: [HTMLTree.Index]
    let usesClassWeights: Bool
    let cleansConditionally: Bool
    private var dataTables: Set<HTMLTree.Index> = []

    private static let embeds: HTMLTagSet = [.object, .embed, .iframe]
    private static let controls: HTMLTagSet = [.iframe, .input, .textarea, .select, .button]

    init(_ tree: HTMLTree, parts: [HTMLTree.Index], usesClassWeights: Bool, cleansConditionally: Bool) {
        self.tree = tree
        self.parts = parts
        self.usesClassWeights = usesClassWeights
        self.cleansConditionally = cleansConditionally
    }

    mutating func run() {
        dataTables = DataTables.find(in: parts, tree)
        removeUnlikely([.form])
        removeUnlikely([.fieldset])
        remove([.object, .embed, .footer, .link, .aside])
        removeSharing()
        remove(Self.controls)
        removeHeadings()
        removeUnlikely([.table])
        removeUnlikely([.ul])
        removeUnlikely([.div])
    }

    // MARK: - Removed unconditionally

    /// Videos stay: the weighing of the boxes around them counts them.
    private mutating func remove(_ tags: HTMLTagSet) {
        for index in below(tags).reversed() where !(Self.embeds.contains(tree[index].tag) && isVideo(index)) {
            tree.remove(index)
        }
    }

    private mutating func removeSharing() {
        for part in parts {
            var current = tree[part].first
            while current != HTMLTree.none {
                let isSharing =
                    tree[current].tag != .textNode && tree[current].count > 0
                    && ClassHints.of(current, in: tree).contains(.sharing) && tree.measure(current).length < 500
                let next = tree.following(current, in: part, skippingChildren: isSharing)
                if isSharing { tree.remove(current) }
                current = next
            }
        }
    }

    private mutating func removeHeadings() {
        guard usesClassWeights else { return }
        for index in below([.h1, .h2]).reversed() where ClassHints.weight(of: index, in: tree) < 0 {
            tree.remove(index)
        }
    }

    // MARK: - Removed by weight

    /// Removes the elements that do not look like text. The last come first, so that inner boxes are gone when
    /// the outer ones are weighed.
    private mutating func removeUnlikely(_ tags: HTMLTagSet) {
        guard cleansConditionally else { return }
        for index in below(tags).reversed() where mustGo(index) { tree.remove(index) }
    }

    private func mustGo(_ index: HTMLTree.Index) -> Bool {
        let tag = tree[index].tag
        if tag == .table, dataTables.contains(index) { return false }
        if isInDataTable(index) || tree.hasAncestor(index, [.code], within: 4) { return false }
        if tree.elements([.table], in: index).contains(where: dataTables.contains) { return false }
        let weight = usesClassWeights ? ClassHints.weight(of: index, in: tree) : 0
        if weight < 0 { return true }
        let measure = tree.measure(index)
        if measure.commas >= 10 { return false }
        let census = BoxCensus(of: index, in: tree)
        if census.hasVideo { return false }
        let isList = tag == .ul || tag == .ol || census.listShare(of: measure) > 0.9
        guard
            census.speaksAgainst(
                measure, weight: weight, isList: isList, isInFigure: isInFigure(index), in: tree, index)
        else { return false }
        return !(isList && census.isGallery)
    }

    private func isInFigure(_ index: HTMLTree.Index) -> Bool { tree.hasAncestor(index, [.figure], within: 4) }

    private func isInDataTable(_ index: HTMLTree.Index) -> Bool {
        var current = tree[index].parent
        while current != HTMLTree.none {
            if dataTables.contains(current) { return true }
            current = tree[current].parent
        }
        return false
    }

    private func isVideo(_ index: HTMLTree.Index) -> Bool { VideoHosts.names(index, in: tree) }

    /// In document order; a part of the article itself counts as well.
    private func below(_ tags: HTMLTagSet) -> [HTMLTree.Index] {
        parts.flatMap { part in
            (tags.contains(tree[part].tag) && tree[part].parent != HTMLTree.none ? [part] : [])
                + tree.elements(tags, in: part)
        }
    }
}

/// Distinguishes tables that show data from tables that lay out a page.
enum DataTables {
    static func find(in scopes: [HTMLTree.Index], _ tree: HTMLTree) -> Set<HTMLTree.Index> {
        var found: Set<HTMLTree.Index> = []
        for scope in scopes {
            let inner = tree.elements([.table], in: scope)
            for table in (tree[scope].tag == .table ? [scope] : []) + inner where showsData(table, tree) {
                found.insert(table)
            }
        }
        return found
    }

    private static func showsData(_ table: HTMLTree.Index, _ tree: HTMLTree) -> Bool {
        if tree.attribute(.role, of: table) == "presentation" || tree.attribute(.datatable, of: table) == "0" {
            return false
        }
        if tree.attribute(.summary, of: table)?.isEmpty == false { return true }
        if let caption = tree.elements([.caption], in: table).first, tree[caption].first != HTMLTree.none {
            return true
        }
        if !tree.elements([.col, .colgroup, .tfoot, .thead, .th], in: table).isEmpty { return true }
        if !tree.elements([.table], in: table).isEmpty { return false }
        let rows = tree.elements([.tr], in: table)
        let columns = rows.map { row in tree.children(of: row).count { tree[$0].tag == .td } }.max() ?? 0
        if rows.count == 1 || columns == 1 { return false }
        return rows.count >= 10 || columns > 4 || rows.count * columns > 10
    }
}

/// Embedded players that belong to an article.
enum VideoHosts {
    private static let hosts = [
        "youtube.com/", "youtube-nocookie.com/", "player.vimeo.com/", "dailymotion.com/", "player.twitch.tv/",
        "v.qq.com/", "archive.org/embed", "upload.wikimedia.org/",
    ]

    static func names(_ index: HTMLTree.Index, in tree: HTMLTree) -> Bool {
        [HTMLAttribute.src, .data].contains { key in
            guard let address = tree.attribute(key, of: index) else { return false }
            return hosts.contains { address.contains($0) }
        }
    }
}
