internal import Basics
internal import JSON

/// The rules for the parts of an answer that speak to holders: `{holding, text}` for tickers and for groups of holdings.
///
/// Nothing is known of any reader: each part is written for all who hold the same, and code chooses among them.
enum HoldersRule {
    /// A ticker or a group of holdings whose holders an answer may speak to.
    struct Holder {
        /// `AAPL` or `banks`.
        var id: String
        /// As a sentence names it: `AAPL`, `bank shares`.
        var name: String
        /// Whether there has to be a part for it.
        var isRequired: Bool

        /// Tickers are in capitals, the ids of groups are not.
        var isTicker: Bool { id == id.uppercased() }

        init?(_ value: JSON) {
            guard let id = value["id"]?.string else { return nil }
            self.id = id
            name = value["name"]?.string ?? id
            isRequired = value["required"] == true
        }
    }

    static func problems(
        with parts: [(path: String, value: JSON)], holders: [Holder], _ language: Language
    ) -> [(path: String, problem: String)] {
        var problems: [(path: String, problem: String)] = []
        var seen: Set<String> = []
        let known = Dictionary(holders.map { ($0.id, $0) }) { first, _ in first }
        for (path, part) in parts {
            guard let holder = part["holding"]?.string.flatMap({ known[$0] }) else {
                problems.append((path, "Its holding has to be one of \(holders.map(\.id).joined(separator: ", "))."))
                continue
            }
            if !seen.insert(holder.id).inserted {
                problems.append((path, "There is a part for \(holder.id) already. Write one for each holding."))
            }
            let text = part["text"]?.string ?? ""
            if let problem = problem(with: text, for: holder, language) { problems.append(("\(path).text", problem)) }
        }
        let missing = holders.filter { $0.isRequired && !seen.contains($0.id) }
        if !missing.isEmpty {
            problems.append(("", "A part is missing for \(missing.map(\.id).joined(separator: ", "))."))
        }
        return problems
    }

    private static func problem(with text: String, for holder: Holder, _ language: Language) -> String? {
        guard language == .english else {
            // A ticker is the same in each language; a group (`stocks`) has another name.
            return holder.isTicker
                ? HoldingsRule.problem(in: text, holdings: [holder.id], language)
                : text.isEmpty ? "It has to speak to the holders of \(holder.name)." : nil
        }
        let opening = "since you hold"
        guard text.lowercased().hasPrefix(opening), text.lowercased().contains(holder.name.lowercased()) else {
            return "It has to begin with \"Since you hold\" and then \(holder.name)."
        }
        return HoldingsRule.problem(
            in: text,
            holdings: holder.name.split { !($0.isLetter || $0.isNumber || "-.".contains($0)) }.map(String.init))
    }
}
