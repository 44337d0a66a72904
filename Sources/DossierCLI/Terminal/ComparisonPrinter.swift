import JSON

/// Prints a comparison: the verdicts, the text, the table, and what has to be known before figures are put side by side.
struct ComparisonPrinter {
    private static let narrowestTitle = 24

    private let result: JSON
    /// The columns of the terminal.
    private let width: Int

    init(_ result: JSON, width: Int = Terminal.width) { (self.result, self.width) = (result, width) }

    var text: String {
        [title, verdicts, summary, differences, notes, table].filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n"
    }

    private var comparison: JSON { result["comparison"] ?? .null }
    private var columns: [JSON] { comparison["columns"]?.array ?? [] }
    private var isOfCompanies: Bool { comparison["by"]?.string != "personas" }

    private var title: String {
        let names = columns.map(name)
        let whole =
            isOfCompanies
            ? "\(names.joined(separator: ", ")), read as \(columns.first?["persona"]?["name"]?.string ?? "") would"
            : "\(columns.first?["company"]?["name"]?.string ?? ""), read as \(names.joined(separator: ", ")) would"
        let line = Terminal.sanitized(whole)
        return line + "\n" + String(repeating: "=", count: line.count)
    }

    private func name(_ column: JSON) -> String {
        (isOfCompanies ? column["company"]?["ticker"]?.string : column["persona"]?["name"]?.string) ?? ""
    }

    private var verdicts: String {
        columns.flatMap { column -> [String] in
            let score = column["score"]?.double.map { "\(Int($0.rounded())) of 100" } ?? "no score"
            let verdict = (column["verdict"]?.string ?? "").split(separator: "_").joined(separator: " ")
            let year = column["fiscal_year"]?.string.map { year in
                ", \(year) to \(column["fiscal_year_end"]?.string ?? "") in \(column["currency"]?.string ?? "")"
            }
            let reasons = (column["walk_aways"]?.array ?? []).compactMap(\.string).map {
                Terminal.wrapped("Walks away: " + $0, indent: 2)
            }
            return [Terminal.sanitized("\(name(column)): \(score), \(verdict)\(year ?? "")")] + reasons
        }.joined(separator: "\n")
    }

    private var summary: String {
        Terminal.wrapped(comparison["text"]?["summary"]?.string ?? comparison["text_note"]?.string ?? "")
    }

    private var differences: String {
        (comparison["text"]?["differences"]?.array ?? []).map { difference in
            Terminal.wrapped(
                "- \(difference["title"]?.string ?? ""): \(difference["detail"]?.string ?? "")", indent: 2)
        }.joined(separator: "\n")
    }

    private var notes: String {
        (comparison["notes"]?.array ?? []).compactMap(\.string).map { Terminal.wrapped($0) }.joined(separator: "\n")
    }

    // MARK: The table

    /// A line for each metric with the points of its question, and one for each figure with its fiscal year; then what the
    /// marks mean. Titles are broken where the terminal is too narrow for them.
    private var table: String {
        let found = comparison["rows"]?.array ?? []
        guard !found.isEmpty else { return "" }
        let rows = [[""] + columns.map { Terminal.sanitized(name($0)) }] + found.map(row)
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        let others = widths.dropFirst().reduce(0) { $0 + $1 + 2 }
        let room = min(widths[0], max(Self.narrowestTitle, width - others))
        let lines = rows.flatMap { row -> [String] in
            let title = Terminal.lines(of: row[0], room: room)
            let cells = row.indices.dropFirst().map { column in
                "  " + String(repeating: " ", count: widths[column] - row[column].count) + row[column]
            }
            let last = title[title.count - 1]
            let padding = String(repeating: " ", count: max(room - last.count, 0))
            return title.dropLast() + [last + padding + cells.joined()]
        }
        return (lines + legend(of: rows)).joined(separator: "\n")
    }

    private func row(_ row: JSON) -> [String] {
        let mark = row["is_comparable"]?.bool == false ? " *" : ""
        let isFigure = row["kind"]?.string == "figure"
        return [Terminal.sanitized((row["title"]?.string ?? "") + mark)]
            + (row["cells"]?.array ?? []).map { cell($0, isFigure: isFigure) }
    }

    private static let notAsked = "–"
    private static let noValue = "no value"
    private static let notReported = "not reported"

    /// `46.9% [8.0]`, `416,161 million USD (FY2025)`, or the mark of what is missing.
    private func cell(_ cell: JSON, isFigure: Bool) -> String {
        guard let written = cell["written"]?.string else {
            return isFigure ? Self.notReported : cell.isNull ? Self.notAsked : Self.noValue
        }
        if let score = cell["score"]?.double {
            let tenths = Int((score * 10).rounded())
            return Terminal.sanitized("\(written) [\(tenths / 10).\(tenths % 10)]")
        }
        let period = cell["period"]?.string.flatMap { $0.count <= 8 ? " (\($0))" : nil } ?? ""
        return Terminal.sanitized(written + period)
    }

    /// The meaning of the marks that the table has, and why metrics have no value.
    private func legend(of rows: [[String]]) -> [String] {
        var lines: [String] = []
        if rows.contains(where: { $0[0].hasSuffix(" *") }) { lines.append("* amounts in different currencies") }
        if rows.contains(where: { $0.dropFirst().contains(Self.notAsked) }) {
            lines.append("\(Self.notAsked) not on this checklist")
        }
        let reasons = (comparison["rows"]?.array ?? []).flatMap { row in
            zip(columns, row["cells"]?.array ?? []).compactMap { column, cell in
                cell["written"]?.string == nil
                    ? cell["abstained_because"]?.string.map { "\(name(column)), \(row["title"]?.string ?? ""): \($0)" }
                    : nil
            }
        }
        return lines + reasons.map { Terminal.wrapped("No value for \($0)") }
    }
}
