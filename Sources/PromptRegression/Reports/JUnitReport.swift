internal import Prompts

/// A suite's result as JUnit XML, which CI services read.
package struct JUnitReport {
    private let report: SuiteReport

    package init(_ report: SuiteReport) { self.report = report }

    package var text: String {
        var suites: [(name: String, cases: [String], failures: Int)] = []
        for (prompt, cases) in Dictionary(grouping: report.cases, by: \.id.prompt).sorted(by: { $0.key < $1.key }) {
            suites.append((prompt, cases.map(element), cases.count { !$0.passed }))
        }
        let rest =
            report.problems.map { failure($0.file, "unreadable", $0.description, "") }
            + report.orphans.map { failure($0.path, "orphan", $0.reason, "dossier prompts accept") }
        if !rest.isEmpty { suites.append(("files", rest, rest.count)) }
        let tests = suites.reduce(0) { $0 + $1.cases.count }
        let failures = suites.reduce(0) { $0 + $1.failures }
        var lines = ["<?xml version=\"1.0\" encoding=\"UTF-8\"?>"]
        lines.append(
            "<testsuites name=\"prompts\" tests=\"\(tests)\" failures=\"\(failures)\" "
                + "time=\"\(report.duration.seconds)\">")
        for suite in suites {
            lines.append(
                "  <testsuite name=\"\(Markup.escape(suite.name))\" tests=\"\(suite.cases.count)\" "
                    + "failures=\"\(suite.failures)\" errors=\"0\" skipped=\"0\">")
            lines += suite.cases
            lines.append("  </testsuite>")
        }
        lines.append("</testsuites>")
        return lines.joined(separator: "\n") + "\n"
    }

    private func element(_ item: CaseReport) -> String {
        let head =
            "    <testcase classname=\"prompts.\(Markup.escape(item.id.prompt))\" name=\"\(Markup.escape(item.id.name))\" "
            + "time=\"\(item.duration.seconds)\""
        // The format can skip whole cases only; a skipped check is reported in the case's output.
        let output =
            item.skipped.isEmpty
            ? ""
            : "\n      <system-out>\(Markup.escape(item.skipped.map { "skipped \($0)" }.joined(separator: "\n")))</system-out>"
        guard !item.passed else { return output.isEmpty ? head + "/>" : head + ">\(output)\n    </testcase>" }
        // One failure for each case: readers of the format show the first only.
        let kinds = item.findings.map(\.kind.rawValue).joined(separator: ", ")
        let message = item.findings.map(\.message).joined(separator: " ")
        let body = item.findings.map(text).joined(separator: "\n\n")
        return head + ">\n      <failure type=\"\(kinds)\" message=\"\(Markup.escape(message))\">"
            + Markup.escape(body) + "</failure>\(output)\n    </testcase>"
    }

    private func failure(_ name: String, _ kind: String, _ message: String, _ body: String) -> String {
        "    <testcase classname=\"prompts.files\" name=\"\(Markup.escape(name))\" time=\"0.00\">\n"
            + "      <failure type=\"\(kind)\" message=\"\(Markup.escape(message))\">\(Markup.escape(body))</failure>\n"
            + "    </testcase>"
    }

    private func text(_ finding: Finding) -> String {
        var lines = ["\(finding.kind.rawValue): \(finding.message)"] + finding.details
        if let diff = finding.diff { lines.append(diff.unified) }
        lines += finding.commands.map { "$ \($0.line)   # \($0.does)" }
        return lines.joined(separator: "\n")
    }
}

/// Text for XML and HTML.
enum Markup {
    /// The text with XML's special characters escaped, and without characters that XML 1.0 cannot hold.
    static func escape(_ text: String) -> String {
        var result = ""
        result.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            case "\n", "\t": result.unicodeScalars.append(scalar)
            case "\r": result += "&#13;"
            case "\u{0}"..<"\u{20}", "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
