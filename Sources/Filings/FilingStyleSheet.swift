/// The rules of a document's own style sheets, by the class, id or element that they are for.
///
/// A rule with several parts (`.cover p`) holds where the others are around the element, in any order. Of a part with
/// several classes only the last counts: a rule then holds for more elements than it does in a browser, which errs on the
/// side of hiding.
struct FilingStyleSheet: Sendable {
    private struct Rule {
        /// What must be around the element.
        var around: [String]
        var declarations: String
    }

    private var rules: [String: [Rule]] = [:]
    private var count = 0
    private static let mostRules = 5000

    var isEmpty: Bool { rules.isEmpty }

    mutating func add(_ text: String) {
        var rest = Substring(FilingStyle.withoutComments(text))
        while count < Self.mostRules, let open = rest.firstIndex(of: "{") {
            // The end of a block around earlier rules stands before the selector.
            let selectors = rest[..<open].drop { $0.isWhitespace || $0 == "}" }
            if selectors.hasPrefix("@") {
                rest = Self.inside(selectors, rest, open)
                continue
            }
            guard let close = rest[open...].firstIndex(of: "}") else { return }
            let declarations = String(rest[rest.index(after: open)..<close])
            for selector in selectors.split(separator: ",") { add(selector, declarations) }
            rest = rest[rest.index(after: close)...]
        }
    }

    /// What follows the begin of a block: its rules where they hold on a screen, else what comes after it.
    private static func inside(_ name: Substring, _ rest: Substring, _ open: Substring.Index) -> Substring {
        let name = name.lowercased()
        let after = rest[rest.index(after: open)...]
        let isForScreens = name.hasPrefix("@media") && !name.contains("print") || name.hasPrefix("@supports")
        if isForScreens || name.hasPrefix("@layer") || name.hasPrefix("@container") { return after }
        var depth = 1
        for place in after.indices {
            if after[place] == "{" { depth += 1 }
            if after[place] == "}" { depth -= 1 }
            if depth == 0 { return after[after.index(after: place)...] }
        }
        return ""
    }

    private mutating func add(_ selector: Substring, _ declarations: String) {
        // What stands beside an element is not looked at, so such a rule holds wherever its last part does.
        let isBesides = selector.contains { $0 == "+" || $0 == "~" }
        var parts = selector.split { $0.isWhitespace || $0 == ">" || $0 == "+" || $0 == "~" }.map(Self.key)
        guard let last = parts.popLast() else { return }
        rules[last, default: []].append(Rule(around: isBesides ? [] : parts, declarations: declarations))
        count += 1
    }

    /// Of `p.note` the class; of `.a.b` the last class; of `a:hover` the element.
    private static func key(_ part: Substring) -> String {
        let plain = part.prefix { $0 != ":" && $0 != "[" }
        if plain.isEmpty, part.first == "[" {
            return "[" + part.dropFirst().prefix { $0.isLetter || $0.isNumber || "-_".contains($0) }.lowercased()
        }
        return plain[(plain.lastIndex { $0 == "." || $0 == "#" } ?? plain.startIndex)...].lowercased()
    }

    /// The names by which rules find an element.
    static func keys(name: String, classes: String, id: String) -> [String] {
        [name] + classes.split(whereSeparator: \.isWhitespace).map { "." + $0.lowercased() }
            + (id.isEmpty ? [] : ["#" + id.lowercased()])
    }

    /// Applies the rules for an element.
    ///
    /// - Parameters:
    ///   - style: Its style.
    ///   - keys: The names of the element.
    ///   - isAround: Whether an element with a name is around it.
    func apply(to style: inout FilingStyle, keys: [String], isAround: (String) -> Bool) {
        for key in keys {
            for rule in rules[key] ?? [] where rule.around.allSatisfy({ $0 == "*" || isAround($0) }) {
                style.apply(rule.declarations)
            }
        }
    }
}
