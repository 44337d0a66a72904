internal import LanguageModels
internal import Prompts

/// A suite's result for a terminal: failures with their diffs, then one line that sums up.
package struct TerminalReport {
    private let report: SuiteReport
    private let hasColour: Bool
    /// Longer diffs are cut: the HTML page has all of it.
    private static let longestDiff = 80

    /// With ANSI colours where they are understood.
    package init(_ report: SuiteReport, hasColour: Bool = false) {
        self.report = report
        self.hasColour = hasColour
    }

    package var text: String {
        var lines: [String] = []
        for item in report.passed {
            lines.append(paint("ok    \(item.id)", .green))
            lines += skipped(item)
        }
        for item in report.failed { lines += describe(item) }
        for problem in report.problems { lines.append(paint("ERROR \(problem)", .red)) }
        for orphan in report.orphans { lines.append(paint("UNUSED \(orphan.path): \(orphan.reason)", .red)) }
        if !report.orphans.isEmpty {
            lines.append("  dossier prompts accept   removes recordings and goldens that nothing uses")
        }
        if !lines.isEmpty { lines.append("") }
        lines.append(report.headline + " in \(report.duration.seconds) s")
        return lines.joined(separator: "\n")
    }

    private func describe(_ item: CaseReport) -> [String] {
        var lines = [paint("FAIL  \(item.id)", .red), "      \(item.summary)"]
        for finding in item.findings {
            lines.append("  \(finding.kind.rawValue): \(finding.message)")
            lines += finding.details.map { "    \($0)" }
            if let diff = finding.diff { lines += self.lines(of: diff) }
            lines += finding.commands.map { "  $ \($0.line)   # \($0.does)" }
        }
        return lines + skipped(item)
    }

    private func skipped(_ item: CaseReport) -> [String] { item.skipped.map { "  skipped \($0)" } }

    private func lines(of diff: LineDiff) -> [String] {
        let lines = diff.unified.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let shown = lines.prefix(Self.longestDiff).map { line in
            switch line.first {
            case "+": "    " + paint(line, .green)
            case "-": "    " + paint(line, .red)
            default: "    " + line
            }
        }
        let rest = lines.count - shown.count
        return rest > 0 ? shown + ["    … \(rest) more lines; --html FILE shows all"] : shown
    }

    private enum Colour: String { case red = "31", green = "32" }

    private func paint(_ text: String, _ colour: Colour) -> String {
        hasColour ? "\u{1B}[\(colour.rawValue)m\(text)\u{1B}[0m" : text
    }
}

extension Duration {
    /// With two decimals.
    var seconds: String {
        let hundredths = components.seconds * 100 + components.attoseconds / 10_000_000_000_000_000
        let rest = String(hundredths % 100)
        return "\(hundredths / 100).\(rest.count == 1 ? "0" : "")\(rest)"
    }
}

/// A live run's result for a terminal.
package struct LiveTextReport {
    private let report: LiveReport

    package init(_ report: LiveReport) { self.report = report }

    package var text: String {
        var lines: [String] = []
        for (title, rows) in [("case", report.cases), ("prompt", report.prompts)] where !rows.isEmpty {
            lines += table(title, rows) + [""]
        }
        for row in report.cases {
            for (reason, count) in row.reasons.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }) {
                lines.append("\(row.key.promptCase), \(row.key.provider): \(count) times \(reason)")
            }
        }
        for row in report.prompts where row.repairs.asked > 0 {
            lines.append(
                "\(row.key.promptCase), \(row.key.provider): \(row.repairs.asked) drafts asked for again, "
                    + "\(row.repairs.passed) passed then, for \(MicroDollars(rawValue: row.repairs.cost))")
        }
        for row in report.regressions where row.change == .flaky {
            lines.append(
                "FLAKY \(row.key.promptCase), \(row.key.provider): always passed before, now \(row.now.passed) of "
                    + "\(row.now.runs)")
        }
        for row in report.regressions where row.change == .worse {
            lines.append("WORSE \(row.key.promptCase), \(row.key.provider): p = \(Self.short(row.pValue))")
        }
        if report.incomparable > 0 {
            lines.append(
                "\(report.incomparable) not compared: answers of the simulator say nothing about real ones, nor the "
                    + "other way round. 'dossier prompts accept --run latest' makes this run the baseline.")
        }
        lines += report.problems.map { "ERROR \($0)" }
        lines += report.unanswered.map { "NO ANSWER \($0)" }
        if !report.unanswered.isEmpty { lines.append("The same command again goes on; no finished call is lost.") }
        if !report.skipped.isEmpty {
            let names = report.skipped.map(\.description).joined(separator: ", ")
            lines.append("Not asked, since only the simulator can answer them: \(names)")
        }
        if report.reused > 0 { lines.append("\(report.reused) answers came from the run that broke off.") }
        if report.gradingCost > .zero { lines.append("Grading by rubrics: \(report.gradingCost)") }
        lines.append("Answers: \(report.folder)")
        return lines.joined(separator: "\n")
    }

    private func table(_ title: String, _ rows: [LiveReport.Row]) -> [String] {
        let header = [title, "provider", "passed", "before", "p", "p50 ms", "p95 ms", "dollars", ""]
        let cells =
            [header]
            + rows.map { row in
                [
                    row.key.promptCase, row.key.provider, "\(row.now.passed)/\(row.now.runs)",
                    row.before.map { "\($0.passed)/\($0.runs)" } ?? "-", Self.short(row.pValue), "\(row.now.p50)",
                    "\(row.now.p95)", MicroDollars(rawValue: row.now.cost).description,
                    [row.now.isSimulated ? "simulated" : "", row.change == .same ? "" : row.change.rawValue]
                        .filter { !$0.isEmpty }.joined(separator: ", "),
                ]
            }
        let widths = header.indices.map { column in cells.map { $0[column].count }.max() ?? 0 }
        return cells.map { row in
            zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }.joined(separator: "  ")
        }
    }

    private static func short(_ value: Double?) -> String {
        value.map { "\(($0 * 1000).rounded() / 1000)" } ?? "-"
    }
}
