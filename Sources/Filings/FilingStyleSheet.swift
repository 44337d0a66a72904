/// The rules of a document's own style sheets, by the class, id or element that they are for.
///
/// Of a selector with several parts only the last counts: a rule then holds for more elements than it does in a
/// browser, which errs on the side of hiding.
struct FilingStyleSheet: Sendable {
    private var rules: [String: String] = [:]
    private static let mostRules = 5000

    var isEmpty: Bool { rules.isEmpty }

    mutating func add(_ text: String) {
        var rest = Substring(text)
        while rules.count < Self.mostRules, let open = rest.firstIndex(of: "{"),
            let close = rest[open...].firstIndex(of: "}")
        {
            let declarations = rest[rest.index(after: open)..<close]
            for selector in rest[..<open].split(separator: ",") {
                guard let last = selector.split(whereSeparator: { $0.isWhitespace || $0 == ">" }).last else { continue }
                // Of `p.note` the class; of `.a.b` the last class.
                let start = last.lastIndex { $0 == "." || $0 == "#" } ?? last.startIndex
                rules[String(last[start...]).lowercased(), default: ""] += ";" + declarations
            }
            rest = rest[rest.index(after: close)...]
        }
    }

    /// Applies the rules for an element.
    func apply(to style: inout FilingStyle, name: String, classes: String, id: String) {
        if let rule = rules[name] { style.apply(rule) }
        for part in classes.split(whereSeparator: { $0.isWhitespace }) {
            if let rule = rules["." + part.lowercased()] { style.apply(rule) }
        }
        if !id.isEmpty, let rule = rules["#" + id.lowercased()] { style.apply(rule) }
    }
}
