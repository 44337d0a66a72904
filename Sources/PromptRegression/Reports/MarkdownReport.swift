internal import Prompts

/// A suite's result as Markdown, for a comment on a change.
package struct MarkdownReport {
    private let report: SuiteReport

    package init(_ report: SuiteReport) { self.report = report }

    package var text: String {
        var lines = ["# Prompt tests: \(report.isSuccess ? "passed" : "failed")", "", report.headline + "."]
        if !report.failed.isEmpty { lines += ["", "## Failed"] }
        for item in report.failed {
            lines += ["", "### `\(item.id)`", "", Self.flat(item.summary)]
            for finding in item.findings { lines += describe(finding) }
        }
        if !report.problems.isEmpty { lines += ["", "## Cannot be read", ""] }
        lines += report.problems.map { "- \(Self.flat($0.description))" }
        if !report.orphans.isEmpty { lines += ["", "## Files that no case uses", ""] }
        lines += report.orphans.map { "- `\($0.path)`: \($0.reason)" }
        let skipped = report.cases.flatMap { item in item.skipped.map { "- `\(item.id)`: \(Self.flat($0))" } }
        if !skipped.isEmpty { lines += ["", "## Skipped checks", ""] + skipped }
        if !report.passed.isEmpty { lines += ["", "## Passed", "", "| case | answer | model |", "|---|---|---|"] }
        for item in report.passed {
            let answers = item.answers.map { $0.evaluation.summary }.joined(separator: "; ")
            let models = item.answers.map { $0.model + ($0.isSimulated ? " (simulated)" : "") }.joined(separator: "; ")
            lines.append("| `\(item.id)` | \(Self.cell(answers)) | \(Self.cell(models)) |")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private func describe(_ finding: Finding) -> [String] {
        var lines = ["", "**\(finding.kind.rawValue)**: \(Self.flat(finding.message))"]
        if !finding.details.isEmpty { lines += [""] + finding.details.map { "- \(Self.flat($0))" } }
        if let diff = finding.diff { lines += [""] + Self.block(diff.unified, language: "diff") }
        if !finding.commands.isEmpty {
            let commands = finding.commands.map { "\($0.line)   # \($0.does)" }.joined(separator: "\n")
            lines += [""] + Self.block(commands, language: "sh")
        }
        return lines
    }

    /// A fence that is longer than any in the text, so that the text cannot end it.
    private static func block(_ text: String, language: String) -> [String] {
        var (longest, run) = (2, 0)
        for character in text {
            run = character == "`" ? run + 1 : 0
            longest = max(longest, run)
        }
        let fence = String(repeating: "`", count: longest + 1)
        return [fence + language, text, fence]
    }

    /// Text from answers and case files on one line, with Markdown's own characters taken as they are.
    private static func flat(_ text: String) -> String {
        var result = ""
        for character in text {
            if character.isNewline {
                result += " "
            } else if "\\`*_[]<>#".contains(character) {
                result += "\\\(character)"
            } else {
                result.append(character)
            }
        }
        return result
    }

    private static func cell(_ text: String) -> String {
        flat(text).split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|")
    }
}
