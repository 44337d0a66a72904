extension HTMLTree {
    /// Whether an element says that it is not shown.
    func isHidden(_ index: Index) -> Bool {
        guard self[index].count > 0 else { return false }
        if bytes(of: .hidden, at: index) != nil { return true }
        if let style = attribute(.style, of: index)?.lowercased() {
            let rules = style.filter { !$0.isWhitespace }
            if rules.contains("display:none") || rules.contains("visibility:hidden") { return true }
        }
        guard let hidden = attribute(.ariaHidden, of: index), hidden == "true" else { return false }
        // Formulas stand as hidden text beside their picture.
        return attribute(.class, of: index)?.contains("fallback-image") != true
    }

    /// A dialog in front of the page: consent, subscription.
    func isModalDialog(_ index: Index) -> Bool {
        attribute(.ariaModal, of: index) == "true" && attribute(.role, of: index) == "dialog"
    }
}
