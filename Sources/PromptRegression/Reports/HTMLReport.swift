internal import Prompts

/// A suite's result as one self-contained page: failures first, diffs side by side, prompts and answers to
/// read.
package struct HTMLReport {
    /// The page's look and its few lines of behaviour. Without the script everything can still be read.
    private static let style = String(decoding: PackageResources.report_css, as: UTF8.self)
    private static let script = String(decoding: PackageResources.report_js, as: UTF8.self)

    private let report: SuiteReport

    package init(_ report: SuiteReport) { self.report = report }

    package var text: String {
        let title = "Prompt tests: \(report.isSuccess ? "passed" : "failed")"
        return """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; \
            script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
            <meta name="color-scheme" content="light dark">
            <title>\(title)</title>
            <style>\(Self.style)</style>
            </head>
            <body>
            <header>
            <h1><span class="badge \(report.isSuccess ? "pass" : "fail")">\(report.isSuccess ? "Passed" : "Failed")</span> \
            Prompt tests</h1>
            <p class="headline">\(Markup.escape(report.headline)) in \(report.duration.seconds) s</p>
            \(bar)
            <p class="tools"><label>Find <input id="find" type="search" placeholder="case, tag, words" \
            autocomplete="off"></label>
            <label><input id="only" type="checkbox"> failed only</label>
            <button id="all" type="button">Open all</button>
            <span class="keys"><kbd>j</kbd> <kbd>k</kbd> next, previous &middot; <kbd>o</kbd> open &middot; \
            <kbd>f</kbd> failed only &middot; <kbd>/</kbd> find</span></p>
            </header>
            <main>
            \(overview)
            \(files)
            \(report.failed.map { HTMLCase($0).text }.joined(separator: "\n"))
            \(report.passed.map { HTMLCase($0).text }.joined(separator: "\n"))
            <p id="none" hidden>No case has that.</p>
            </main>
            <script>\(Self.script)</script>
            </body>
            </html>

            """
    }

    /// The share of cases that passed, as a bar.
    private var bar: String {
        let all = max(1, report.cases.count)
        return """
            <div class="bar" role="img" aria-label="\(report.passed.count) of \(report.cases.count) passed">\
            <span class="pass" style="flex:\(report.passed.count)"></span>\
            <span class="fail" style="flex:\(all - report.passed.count)"></span></div>
            """
    }

    /// Prompts by cases, each a link.
    private var overview: String {
        let prompts = Dictionary(grouping: report.cases, by: \.id.prompt).sorted { $0.key < $1.key }
        guard !prompts.isEmpty else { return "" }
        let rows = prompts.map { prompt, cases in
            let links = cases.sorted { ($0.passed ? 1 : 0, $0.id) < ($1.passed ? 1 : 0, $1.id) }.map { item in
                "<a class=\"chip \(item.passed ? "pass" : "fail")\" href=\"#\(HTMLCase.anchor(item.id))\">"
                    + "\(item.passed ? "✓" : "✗") \(Markup.escape(item.id.name))</a>"
            }
            let passed = cases.count(where: \.passed)
            return
                "<tr><th scope=\"row\">\(Markup.escape(prompt))</th><td class=\"count\">\(passed)/\(cases.count)</td>"
                + "<td>\(links.joined(separator: " "))</td></tr>"
        }
        return "<table class=\"overview\"><tbody>\(rows.joined())</tbody></table>"
    }

    /// Problems beyond the cases.
    private var files: String {
        let rows =
            report.problems.map { "<li>\(Markup.escape($0.description))</li>" }
            + report.orphans.map {
                "<li><code>\(Markup.escape($0.path))</code>: \(Markup.escape($0.reason))</li>"
            }
        guard !rows.isEmpty else { return "" }
        return """
            <section class="files"><h2>Files to put right</h2><ul>\(rows.joined())</ul>
            <p class="does"><code class="command">dossier prompts accept</code> removes recordings and goldens that no \
            case uses.</p></section>
            """
    }
}

/// One case on the page.
struct HTMLCase {
    private let item: CaseReport

    init(_ item: CaseReport) { self.item = item }

    static func anchor(_ id: PromptCase.ID) -> String { Markup.escape("case-\(id.prompt)-\(id.name)") }

    var text: String {
        let tags = item.tags.map { "<span class=\"tag\">\(Markup.escape($0))</span>" }.joined(separator: " ")
        let skipped = item.skipped.isEmpty ? "" : ", \(item.skipped.count) skipped"
        let kinds = Set(item.findings.map(\.kind.rawValue)).sorted().joined(separator: ", ")
        return """
            <details class="case \(item.passed ? "pass" : "fail")" id="\(Self.anchor(item.id))"\(item.passed ? "" : " open")>
            <summary><span class="mark" aria-hidden="true">\(item.passed ? "✓" : "✗")</span>\
            <span class="name"><b>\(Markup.escape("\(item.id)"))</b> <span class="state">\
            \(item.passed ? "passed" : "failed: \(kinds)")\(skipped)</span> \(tags)<br>\
            <span class="what">\(Markup.escape(item.summary))</span></span></summary>
            <div class="body">
            \(item.findings.map(finding).joined(separator: "\n"))
            \(item.skipped.map { "<p class=\"skipped\"><b>Skipped</b> \(Markup.escape($0))</p>" }.joined(separator: "\n"))
            \(item.answers.map(answer).joined(separator: "\n"))
            \(prompt)
            </div>
            </details>
            """
    }

    private func finding(_ finding: Finding) -> String {
        var text = "<section class=\"finding\"><h3><span class=\"kind\">\(finding.kind.rawValue)</span> "
        text += "\(Markup.escape(finding.message))</h3>"
        if !finding.details.isEmpty {
            text += "<ul>\(finding.details.map { "<li>\(Markup.escape($0))</li>" }.joined())</ul>"
        }
        if let diff = finding.diff { text += table(diff) }
        for command in finding.commands {
            text += "<p class=\"does\"><code class=\"command\">\(Markup.escape(command.line))</code> "
            text += "\(Markup.escape(command.does))</p>"
        }
        return text + "</section>"
    }

    private func answer(_ answer: CaseReport.Answer) -> String {
        let evaluation = answer.evaluation
        let origin = answer.isSimulated ? "simulated as \(answer.model)" : answer.model
        let failures = evaluation.failures.map {
            "<li><b>\(Markup.escape($0.check))</b> \(Markup.escape($0.description))</li>"
        }
        return """
            <details class="part"><summary>Answer <span class="note">\(Markup.escape(origin)), \
            \(Markup.escape(answer.recordedAt)): \(Markup.escape(evaluation.summary))</span></summary>
            \(failures.isEmpty ? "" : "<ul>\(failures.joined())</ul>")
            <pre>\(Markup.escape(AnswerText.readable(answer.text)))</pre></details>
            """
    }

    private var prompt: String {
        guard !item.prompt.isEmpty else { return "" }
        let messages = item.prompt.map { message in
            "<h4>\(Markup.escape(message.role))</h4><pre>\(Markup.escape(message.text))</pre>"
        }
        return "<details class=\"part\"><summary>Prompt as filled in</summary>\(messages.joined())</details>"
    }

    private func table(_ diff: LineDiff) -> String {
        let sides = SideBySide(diff)
        let body = sides.hunks.map { rows in "<tbody>\(rows.map(row).joined())</tbody>" }
        return """
            <div class="scroll"><table class="diff"><colgroup><col class="n"><col><col class="n"><col></colgroup>
            <thead><tr><th colspan="2">\(Markup.escape(diff.before))</th>\
            <th colspan="2">\(Markup.escape(diff.after))</th></tr></thead>
            \(body.joined(separator: "<tbody class=\"gap\"><tr><td colspan=\"4\">&#8943;</td></tr></tbody>"))
            </table></div>
            """
    }

    private func row(_ row: SideBySide.Row) -> String {
        "<tr>\(cell(row.left, row.isChange ? "del" : ""))\(cell(row.right, row.isChange ? "ins" : ""))</tr>"
    }

    private func cell(_ cell: SideBySide.Cell?, _ kind: String) -> String {
        guard let cell else { return "<td class=\"n\"></td><td class=\"empty\"></td>" }
        let text = cell.pieces.map { piece in
            let text = Markup.escape(piece.text)
            return piece.isChanged && !kind.isEmpty ? "<\(kind)>\(text)</\(kind)>" : text
        }
        return "<td class=\"n\">\(cell.number)</td><td class=\"\(kind)\">\(text.joined())</td>"
    }
}
