import Foundation
import JSON
import JobQueue

/// What was spent on models, as a table with a total.
struct CostTable {
    let lines: [CostLine]
    let grouping: CostGrouping

    var text: String {
        guard !lines.isEmpty else { return "nothing was spent" }
        let total = CostLine(
            group: "total", calls: lines.reduce(0) { $0 + $1.calls },
            inputTokens: lines.reduce(0) { $0 + $1.inputTokens },
            outputTokens: lines.reduce(0) { $0 + $1.outputTokens },
            microDollars: lines.reduce(0) { $0 + $1.microDollars })
        let header = [grouping.rawValue, "calls", "input tokens", "output tokens", "dollars"]
        let rows = [header] + (lines + [total]).map(\.cells)
        let widths = header.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            row.enumerated().map { column, cell in
                let padding = String(repeating: " ", count: widths[column] - cell.count)
                return column == 0 ? cell + padding : padding + cell
            }.joined(separator: "  ")
        }.joined(separator: "\n")
    }
}

extension CostLine {
    fileprivate var cells: [String] {
        let cents = String(microDollars % 1_000_000)
        let dollars = "\(microDollars / 1_000_000)." + String(repeating: "0", count: 6 - cents.count) + cents
        return [group, "\(calls)", "\(inputTokens)", "\(outputTokens)", dollars]
    }

    var json: JSON {
        [
            "group": JSON(group), "calls": JSON(calls), "input_tokens": JSON(inputTokens),
            "output_tokens": JSON(outputTokens), "micro_dollars": JSON(microDollars),
        ]
    }
}
