/// The inline styles by which a page keeps text from its readers and shows it to programs.
enum InvisibleStyle {
    /// Whether a `style` attribute hides its element.
    static func hides(_ style: String) -> Bool {
        var rules: [String: String] = [:]
        for rule in style.lowercased().split(separator: ";").prefix(50) {
            let parts = rule.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { continue }
            let value = parts[1].filter { !$0.isWhitespace }.replacing("!important", with: "")
            rules[parts[0].filter { !$0.isWhitespace }] = value
        }
        if rules["display"] == "none" || ["hidden", "collapse"].contains(rules["visibility"]) { return true }
        if isZero(rules["opacity"]) || isZero(rules["font-size"]) { return true }
        let clips = ["hidden", "clip"].contains(rules["overflow"])
        if clips, isZero(rules["height"]) || isZero(rules["max-height"]) || isZero(rules["width"]) { return true }
        if rules["clip"]?.hasPrefix("rect(0") == true || rules["clip-path"]?.hasPrefix("inset(100%") == true {
            return true
        }
        if isFarAway(rules["text-indent"]) { return true }
        if ["absolute", "fixed"].contains(rules["position"]), isFarAway(rules["left"]) || isFarAway(rules["top"]) {
            return true
        }
        guard let color = rules["color"] else { return false }
        return color == "transparent" || color == (rules["background-color"] ?? rules["background"])
    }

    /// `0`, `0px`, `0.0`
    private static func isZero(_ value: String?) -> Bool {
        guard let value, value.first == "0" else { return false }
        return !value.prefix { $0.isNumber || $0 == "." }.contains { ("1"..."9").contains($0) }
    }

    /// A thousand pixels and more to the left or above.
    private static func isFarAway(_ value: String?) -> Bool {
        guard let value, value.first == "-" else { return false }
        return (Double(value.dropFirst().prefix { $0.isNumber || $0 == "." }) ?? 0) >= 900
    }
}
