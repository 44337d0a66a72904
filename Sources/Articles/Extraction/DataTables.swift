/// Tells tables that show data from tables that lay out a page.
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
        if let caption = tree.elements([.caption], in: table).first, tree[caption].first != HTMLTree.none { return true }
        if !tree.elements([.col, .colgroup, .tfoot, .thead, .th], in: table).isEmpty { return true }
        if !tree.elements([.table], in: table).isEmpty { return false }
        let rows = tree.elements([.tr], in: table)
        let columns = rows.map { row in tree.children(of: row).count { tree[$0].tag == .td } }.max() ?? 0
        if rows.count == 1 || columns == 1 { return false }
        return rows.count >= 10 || columns > 4 || rows.count * columns > 10
    }
}
