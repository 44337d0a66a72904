import JSON

/// Prints a comparison: the verdicts, the text, the table, and what has to be known before figures are put side by side.
struct ComparisonPrinter {
    private static let longestTitle = 44

    private let result: JSON

    init(_ result: JSON) { self.result = result }

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

    /// A line for each metric with the points of its question, and one for each figure with its fiscal year.
    private var table: String {
        let rows = (comparison["rows"]?.array ?? []).map { row -> [String] in
            let mark = row["is_comparable"]?.bool == false ? " *" : ""
            let title = String((row["title"]?.string ?? "").prefix(Self.longestTitle)) + mark
            return [Terminal.sanitized(title)] + (row["cells"]?.array ?? []).map(cell)
        }
        guard !rows.isEmpty else { return "" }
        let all = [[""] + columns.map { Terminal.sanitized(name($0)) }] + rows
        let widths = all[0].indices.map { column in all.map { $0[column].count }.max() ?? 0 }
        let lines = all.map { row in
            row.enumerated().map { column, cell in
                let padding = String(repeating: " ", count: widths[column] - cell.count)
                return column == 0 ? cell + padding : padding + cell
            }.joined(separator: "  ")
        }
        let isMarked = rows.contains { $0[0].hasSuffix(" *") }
        return (lines + (isMarked ? ["* amounts in different currencies"] : [])).joined(separator: "\n")
    }

    /// `46.9% [8.0]`, `416,161 million USD (FY2025)`, or a dash.
    private func cell(_ cell: JSON) -> String {
        guard let written = cell["written"]?.string else { return "–" }
        if let score = cell["score"]?.double {
            let tenths = Int((score * 10).rounded())
            return Terminal.sanitized("\(written) [\(tenths / 10).\(tenths % 10)]")
        }
        let period = cell["period"]?.string.flatMap { $0.count <= 8 ? " (\($0))" : nil } ?? ""
        return Terminal.sanitized(written + period)
    }
}
