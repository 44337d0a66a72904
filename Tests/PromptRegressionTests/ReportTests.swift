import Foundation
import FoundationXML
import JSON
import Testing

@testable import PromptRegression
import Prompts

@Suite struct ReportTests {
    private let evil = "<script>alert(1)</script> & \"quotes\" ]]> \u{1}"

    /// A suite with one failure whose texts try to break every output format.
    private var report: SuiteReport {
        let diff = LineDiff(["same", "old \(evil)"], named: "golden", ["same", "new \(evil)"], named: "now")
        let failed = CaseReport(
            id: .init(prompt: "research", name: "evil"), summary: evil, tags: ["<tag>"],
            findings: [
                Finding(
                    .output, evil, details: ["``` \(evil)"], diff: diff,
                    commands: [.init(line: "dossier prompts accept", does: "accepts")])
            ], prompt: [("system", evil)], answers: [], duration: .milliseconds(12))
        let passed = CaseReport(
            id: .init(prompt: "research", name: "fine"), summary: "Fine.", tags: [], findings: [], prompt: [],
            answers: [], duration: .zero)
        return SuiteReport(
            cases: [passed, failed], orphans: [Orphan(path: "a<b", reason: evil)], problems: [], duration: .seconds(1))
    }

    @Test func junitIsWellFormedAndCounts() throws {
        let counter = Counter()
        let parser = XMLParser(data: Data(JUnitReport(report).text.utf8))
        parser.delegate = counter
        #expect(parser.parse(), "\(String(describing: parser.parserError))")
        #expect(counter.elements["testcase"] == 3)
        #expect(counter.elements["failure"] == 2)
        #expect(counter.attributes["testsuites"]?["tests"] == "3")
        #expect(counter.attributes["testsuites"]?["failures"] == "2")
        #expect(counter.text.contains("+new <script>alert(1)</script> & \"quotes\" ]]>"))
    }

    private final class Counter: NSObject, XMLParserDelegate {
        var elements: [String: Int] = [:]
        var attributes: [String: [String: String]] = [:]
        var text = ""

        func parser(
            _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
            attributes values: [String: String]
        ) {
            elements[name, default: 0] += 1
            attributes[name] = values
        }

        func parser(_ parser: XMLParser, foundCharacters characters: String) { text += characters }
    }

    @Test func htmlEscapesAndNeedsNothingElse() {
        let page = HTMLReport(report).text
        #expect(!page.contains("<script>alert"))
        #expect(!page.contains("<tag>"))
        #expect(page.contains("&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;quotes&quot;"))
        for outside in ["http://", "https://", "src=", "@import", "url("] {
            #expect(!page.contains(outside), "\(outside)")
        }
        #expect(page.contains("default-src 'none'"))
        #expect(page.contains("prefers-color-scheme:dark"))
    }

    @Test func htmlShowsFailuresFirstWithBothSides() throws {
        let page = HTMLReport(report).text
        let failed = try #require(page.range(of: "id=\"case-research-evil\""))
        let passed = try #require(page.range(of: "id=\"case-research-fine\""))
        #expect(failed.lowerBound < passed.lowerBound)
        #expect(page.contains("<del>old</del>"))
        #expect(page.contains("<ins>new</ins>"))
    }

    @Test func markdownFencesAreLongerThanAnyInTheirText() {
        let text = MarkdownReport(report).text
        #expect(text.contains("\\<script\\>"))
        #expect(text.contains("```diff\n--- golden\n+++ now\n@@ -1,2 +1,2 @@\n same\n-old"))
        #expect(!text.contains("\n- ``` <script>"))
    }

    @Test func theTerminalShowsDiffAndCommand() {
        let text = TerminalReport(report).text
        #expect(text.hasPrefix("ok    research/fine\nFAIL  research/evil\n"))
        #expect(text.contains("    -old"))
        #expect(text.contains("  $ dossier prompts accept   # accepts"))
        #expect(text.hasSuffix("2 cases: 1 passed, 1 failed; 1 file that no case uses in 1.00 s"))
    }

    @Test func jsonListsTheFailures() {
        let json = report.json
        #expect(json["success"] == false)
        #expect(json["cases"]?[1]?["findings"]?[0]?["kind"] == "output")
    }
}
