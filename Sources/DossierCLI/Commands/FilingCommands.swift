import Filings
import Foundation
import JSON

extension Command {
    static let filings = [filingRead, filingAsk, filingRisks]

    private static let mostBytes = 64 << 20

    static let filingRead = Command(
        path: ["filing", "read"], summary: "Read an annual or quarterly report and print its items as JSON",
        arguments: [Argument(name: "FILE", help: "A 10-K or 10-Q as HTML or plain text")],
        notes: """
            Each item of the form has a status: found, by_reference, omitted, missing or uncertain. Only found and
            omitted items have paragraphs. Text that a browser does not show is left out.
            """
    ) { invocation in
        let filing = try readFiling(try invocation.argument("FILE"))
        var sections = JSONObject()
        for section in filing.sections {
            let paragraphs = section.paragraphs.map { ["id": JSON($0.id), "text": JSON($0.text)] as JSON }
            sections[section.item] = [
                "status": JSON(section.status.rawValue), "paragraphs": .array(paragraphs),
            ]
        }
        Terminal.print((["sections": .object(sections)] as JSON).compact)
    }

    static let filingAsk = Command(
        path: ["filing", "ask"], summary: "Find the passages of a report that answer a question, best first, as JSON",
        arguments: [Argument(name: "FILE", help: "A 10-K or 10-Q as HTML or plain text")],
        options: [
            Option("--question", "TEXT", "The question; passages are found by its words"),
            Option("--items", "ITEMS", "The items to search, as in 1,7 (default all)"),
            Option("--tokens", "N", "The most tokens of all passages together (default 4000)"),
        ]
    ) { invocation in
        guard let question = invocation.options["--question"], question.contains(where: { $0.isLetter }) else {
            throw CommandFailure.usage("--question must have words")
        }
        let tokens = try invocation.integer("--tokens", in: 100...100_000, default: 4000)
        let filing = try readFiling(try invocation.argument("FILE"))
        let items = invocation.options["--items"]?.split(separator: ",").map { $0.uppercased() }
        let known = filing.sections.map(\.item)
        if let items, items.isEmpty || !items.allSatisfy(known.contains) {
            throw CommandFailure.usage("--items must be among \(known.joined(separator: ","))")
        }
        let passages = FilingSearch(filing, items: items).passages(for: question, tokens: tokens).map { passage in
            ["id": JSON(passage.id), "text": JSON(passage.text), "tokens": JSON(passage.tokens)] as JSON
        }
        Terminal.print((["passages": .array(passages)] as JSON).compact)
    }

    static let filingRisks = Command(
        path: ["filing", "risks"], summary: "Compare the risk factors of two reports and print what changed as JSON",
        arguments: [
            Argument(name: "OLDER", help: "The older report"), Argument(name: "NEWER", help: "The newer report"),
        ]
    ) { invocation in
        let older = try readFiling(try invocation.argument("OLDER"))
        let newer = try readFiling(try invocation.argument("NEWER"))
        guard let changes = RiskChanges(from: older, to: newer) else {
            throw CommandFailure.failed("Item 1A was not found in both files")
        }
        let changed = changes.changed.map { ["before": JSON($0.before), "after": JSON($0.after)] as JSON }
        Terminal.print(
            (["new": JSON(changes.new), "removed": JSON(changes.removed), "changed": .array(changed)] as JSON).compact)
    }

    /// Reads a file within the limit; its name without the extension names the paragraphs.
    private static func readFiling(_ path: String) throws -> Filing {
        let file = URL(filePath: path)
        let data: Data
        do {
            data = try Data(contentsOf: file)
        } catch {
            throw CommandFailure.failed("cannot read FILE '\(path)'")
        }
        guard data.count <= mostBytes else {
            throw CommandFailure.failed("FILE '\(path)' has more than \(mostBytes >> 20) MiB")
        }
        let document = [UInt8](data)
        guard Filing.isText(document) else {
            throw CommandFailure.failed("FILE '\(path)' is no text; a report is HTML or plain text")
        }
        return Filing(document, name: file.deletingPathExtension().lastPathComponent)
    }
}
