import JSON

/// Prints a research report: prose, scorecard, figures and sources.
struct ReportPrinter {
    /// The concepts whose figures are printed; the result holds many more.
    private static let shown = [
        "revenue", "operating_income", "net_income", "diluted_eps", "free_cash_flow", "total_debt", "equity",
    ]
    private static let yearsShown = 5

    private let result: JSON

    init(_ result: JSON) { self.result = result }

    var text: String {
        [
            title, summary, scorecard, thesis, points("Strengths", "strengths"), points("Risks", "risks"), valuation,
            viewsNote, outlook, claims, business, segments, riskChanges, riskUpdates, gaps, figures, sources,
            filingsRead,
        ]
        .filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n"
    }

    private var report: JSON { result["report"] ?? .null }

    // MARK: Prose

    private var title: String {
        let name = report["company"]?["name"]?.string ?? ""
        let ticker = report["company"]?["ticker"]?.string ?? ""
        let persona = report["persona"]?["name"]?.string ?? ""
        let line = "\(name) (\(ticker)), read as \(persona) would"
        return Terminal.sanitized(line) + "\n" + String(repeating: "=", count: line.count)
    }

    private var summary: String { Terminal.wrapped(report["summary"]?.string ?? "") }

    private var thesis: String { section("Thesis", marked("thesis", report["thesis"]?.string ?? "")) }

    private var valuation: String { section("Valuation", report["valuation"]?.string) }

    private func section(_ name: String, _ text: String?) -> String {
        guard let text, !text.isEmpty else { return "" }
        return name + "\n" + Terminal.wrapped(text, indent: 2)
    }

    private func points(_ name: String, _ key: String) -> String {
        let lines = (report[key]?.array ?? []).enumerated().map { place, point in
            "- " + (point["title"]?.string ?? "") + ": "
                + marked("\(key)[\(place)].detail", point["detail"]?.string ?? "")
        }
        return lines.isEmpty ? "" : name + "\n" + lines.map { Terminal.wrapped($0, indent: 2) }.joined(separator: "\n")
    }

    /// The sign behind a sentence that is the persona's view.
    private static let viewSign = " °"

    /// A text of the report with a sign behind each sentence that is the persona's view.
    private func marked(_ path: String, _ text: String) -> String {
        let ends = (result["views"]?.array ?? []).filter { $0["path"]?.string == path }
            .compactMap { $0["to"]?.integer.map(Int.init) }
        var units = Array(text.utf16)
        for end in ends.sorted(by: >) where units.indices.contains(end) || end == units.count {
            units.insert(contentsOf: Self.viewSign.utf16, at: end)
        }
        return String(decoding: units, as: UTF16.self)
    }

    private var viewsNote: String {
        guard let persona = report["persona"]?["name"]?.string, result["views"]?.array?.isEmpty == false else {
            return ""
        }
        return Terminal.wrapped("° is a view in the way of \(persona): neither a figure nor a filing's words prove it.")
    }

    private var outlook: String {
        let lines = (report["what_would_change_the_view"]?.array ?? []).map { item in
            "- " + (item["text"]?.string ?? "") + (item["threshold"]?.string.map { " (threshold: \($0))" } ?? "")
        }
        guard !lines.isEmpty else { return "" }
        return "What would change the view\n" + lines.map { Terminal.wrapped($0, indent: 2) }.joined(separator: "\n")
    }

    private var gaps: String {
        let lines = (report["gaps"]?.array ?? []).compactMap(\.string)
        guard !lines.isEmpty else { return "" }
        return "Not known\n" + lines.map { Terminal.wrapped("- " + $0, indent: 2) }.joined(separator: "\n")
    }

    // MARK: Filings

    /// What the company says of itself, word for word.
    private var business: String { quotes("The business in the company's words", report["business"]) }

    /// What the report says by the filing, each sentence with its quote.
    private var claims: String {
        let lines = (report["claims"]?.array ?? []).map { claim -> String in
            let said = "- " + (claim["text"]?.string ?? "")
            if claim["quote"]?.string == nil { return Terminal.wrapped(said + Self.viewSign, indent: 2) }
            return Terminal.wrapped(said, indent: 2) + "\n"
                + Terminal.wrapped(
                    "“\(claim["quote"]?.string ?? "")” (\(place(claim)), "
                        + "\(claim["year"]?.string ?? ""), \(claim["status"]?.string ?? ""))", indent: 4)
        }
        return lines.isEmpty ? "" : "By the filings\n" + lines.joined(separator: "\n")
    }

    /// The revenue of the newest year by segment.
    private var segments: String {
        guard let table = report["segments"], let year = table["years"]?[0], let total = year["revenue"]?.double,
            total > 0
        else { return "" }
        let lines = (year["parts"]?.array ?? []).map { part -> String in
            let revenue = part["revenue"]?.double ?? 0
            let income = part["operating_income"]?.double.map { ", operating income \(amount($0))" } ?? ""
            return
                "  \(part["name"]?.string ?? ""): \(amount(revenue)) (\(decimal(revenue / total * 100, 1)) %)\(income)"
        }
        let head =
            "Revenue by segment in the year to \(year["end"]?.string ?? ""), \(table["currency"]?.string ?? ""), "
            + "\(amount(total)) in all"
        return ([head] + lines).map(Terminal.sanitized).joined(separator: "\n")
    }

    private func quotes(_ name: String, _ passages: JSON?) -> String {
        let lines = (passages?.array ?? []).map(quote)
        return lines.isEmpty ? "" : name + "\n" + lines.joined(separator: "\n")
    }

    /// `Item 1A`, or the name of a document without items.
    private func place(_ passage: JSON) -> String {
        let item = passage["item"]?.string ?? ""
        return item.first?.isNumber == true ? "Item \(item)" : item
    }

    private func quote(_ passage: JSON) -> String {
        Terminal.wrapped("“\(passage["text"]?.string ?? "")” (\(place(passage)))", indent: 2)
    }

    private var riskChanges: String {
        guard let changes = report["risk_changes"], !changes.isNull else { return "" }
        func count(_ name: String) -> String { "\(changes[name]?.integer ?? 0)" }
        let head =
            "What changed in the risks since the year before: \(count("new_count")) new, "
            + "\(count("removed_count")) gone, \(count("changed_count")) changed"
        let changed = (changes["changed"]?.array ?? []).prefix(3).map { pair in
            "  Before:\n" + quote(pair["before"] ?? .null) + "\n  Now:\n" + quote(pair["after"] ?? .null)
        }
        let parts = [
            quotes("New", .array(Array((changes["new"]?.array ?? []).prefix(3)))),
            quotes("Gone", .array(Array((changes["removed"]?.array ?? []).prefix(3)))),
            changed.isEmpty ? "" : "Changed\n" + changed.joined(separator: "\n"),
        ]
        return ([head] + parts.filter { !$0.isEmpty }).joined(separator: "\n")
    }

    private var riskUpdates: String {
        guard let updates = report["risk_updates"], !updates.isNull else { return "" }
        let head = "Risks in the quarterly report of \(updates["filed"]?.string ?? "") since the annual report"
        if updates["is_unchanged"]?.bool == true { return head + ": no material change, it says" }
        let changed = (updates["changed"]?.array ?? []).prefix(3).compactMap { $0["after"] }
        let parts = [
            quotes("New", .array(Array((updates["new"]?.array ?? []).prefix(3)))), quotes("Changed", .array(changed)),
        ]
        return ([head] + parts.filter { !$0.isEmpty }).joined(separator: "\n")
    }

    private var filingsRead: String {
        let lines = (report["filings_read"]?.array ?? []).map { filing -> String in
            let items = (filing["items"]?.array ?? []).filter { ["found", "omitted"].contains($0["status"]?.string) }
            let problem = filing["problem"]?.string.map { ", not read: \($0)" }
            return "  \(filing["form"]?.string ?? "") of \(filing["filed"]?.string ?? ""), "
                + "\(filing["accession_number"]?.string ?? "")" + (problem ?? ": \(items.count) items")
        }
        return lines.isEmpty ? "" : "Filings read\n" + lines.map(Terminal.sanitized).joined(separator: "\n")
    }

    // MARK: Scorecard

    private var scorecard: String {
        let card = result["scorecard"] ?? .null
        let score = card["score"]?.double.map { "\(Int($0.rounded())) of 100" } ?? "none"
        let verdict = (card["verdict"]?.string ?? "").split(separator: "_").joined(separator: " ")
        let confidence = card["confidence"]?.double.map { "\(Int($0.rounded())) of 100" } ?? "-"
        var lines = ["Scorecard: \(score), \(verdict) (confidence \(confidence))"]
        for item in card["items"]?.array ?? [] {
            let points = item["score"]?.double.map { decimal($0, 1) } ?? "–"
            let padding = String(repeating: " ", count: max(0, 5 - points.count))
            lines.append("\(padding)\(points)  " + Terminal.sanitized(item["question"]?.string ?? ""))
            lines.append("         " + evidence(item["evidence"] ?? .null))
        }
        for finding in card["walk_aways"]?.array ?? [] where finding["holds"]?.bool == true {
            lines.append("  Walks away: " + Terminal.sanitized(finding["because"]?.string ?? ""))
        }
        return lines.joined(separator: "\n")
    }

    private func evidence(_ evidence: JSON) -> String {
        let title = evidence["title"]?.string ?? ""
        guard let value = evidence["value"]?.double else {
            let reason = evidence["abstained_because"]?.string ?? evidence["shortfall"]?.string
            return "\(title): \(reason ?? "no value")"
        }
        switch evidence["unit"]?.string {
        case "ratio": return "\(title): \(decimal(value * 100, 1)) %"
        case "money": return "\(title): \(amount(value))"
        case "years": return "\(title): \(decimal(value, 1)) years"
        default: return "\(title): \(decimal(value, 2)) times"
        }
    }

    // MARK: Figures and sources

    private var figures: String {
        let facts = result["facts"]?.array ?? []
        let annual = facts.filter { $0["period"]?["kind"]?.string == "annual" }
        var years: [String] = []
        for fact in annual {
            if let label = fact["period"]?["label"]?.string, !years.contains(label) { years.append(label) }
        }
        years = Array(years.sorted(by: >).prefix(Self.yearsShown))
        guard !years.isEmpty else { return "" }
        var rows = [[""] + years]
        for concept in Self.shown {
            let line = annual.filter { $0["concept"]?.string == concept }
            guard let first = line.first else { continue }
            let unit = first["unit"]?.string ?? ""
            let cells = years.map { year in
                line.first { $0["period"]?["label"]?.string == year }?["value"]?.double.map(amount) ?? "–"
            }
            rows.append([(first["label"]?.string ?? concept) + ", " + unit] + cells)
        }
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        let lines = rows.map { row in
            "  "
                + row.enumerated().map { column, cell in
                    let padding = String(repeating: " ", count: widths[column] - cell.count)
                    return column == 0 ? cell + padding : padding + cell
                }.joined(separator: "  ")
        }
        return "Figures (the result has all \(facts.count), each with its filing)\n"
            + lines.joined(separator: "\n")
    }

    private var sources: String {
        let all = report["sources"]?.array ?? []
        guard !all.isEmpty else { return "" }
        let lines = all.prefix(6).map { source -> String in
            let form = source["form"]?.string ?? ""
            let filed = source["filed"]?.string ?? ""
            return "  \(form) filed \(filed), \(source["accession_number"]?.string ?? "")"
        }
        return "Sources: \(all.count) filings at the SEC\n" + lines.joined(separator: "\n")
            + (all.count > 6 ? "\n  …" : "")
    }

    /// The value, in millions from ten million on.
    private func amount(_ value: Double) -> String {
        abs(value) >= 10_000_000 ? decimal(value / 1_000_000, 0) + " M" : decimal(value, 2)
    }

    private func decimal(_ value: Double, _ digits: Int) -> String {
        var scale = 1.0
        for _ in 0..<digits { scale *= 10 }
        let scaled = Int64((abs(value) * scale).rounded())
        var text = String(scaled)
        while text.count <= digits { text = "0" + text }
        var whole = String(text.dropLast(digits))
        var grouped = ""
        while whole.count > 3 {
            grouped = "," + whole.suffix(3) + grouped
            whole.removeLast(3)
        }
        grouped = whole + grouped
        return (value < 0 && scaled > 0 ? "-" : "") + grouped + (digits > 0 ? "." + text.suffix(digits) : "")
    }
}
