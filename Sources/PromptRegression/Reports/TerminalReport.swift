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
