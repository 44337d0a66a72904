internal import Articles
internal import Basics

/// The documents of one filing by their types: from the SEC's page of the filing, or from the whole submission.
package struct FilingDocuments: Sendable, Hashable {
    package struct Document: Sendable, Hashable {
        /// `10-K`, `EX-99.1`, …
        package var type: String
        package var name: String
        package var description: String
    }

    /// In the order of the filing: the main document first.
    package let documents: [Document]

    /// The name of the first document of a type.
    package subscript(type: String) -> String? { documents.first { $0.type == type }?.name }

    /// The exhibit with an announcement; the number behind the point is missing in some.
    package var release: String? { self["EX-99.1"] ?? self["EX-99.01"] ?? self["EX-99"] }

    /// The exhibit with the annual report to shareholders.
    package var annualReport: String? { documents.first { $0.type.hasPrefix("EX-13") }?.name }

    /// Reads `ACCESSION-index.html`: a table of documents, with the type of each. Data files have a table of their own.
    package init(page: [UInt8]) {
        let reader = TableReader()
        HTMLEvents.read(CharacterEncoding.utf8(page), to: reader)
        documents = reader.rows.compactMap { row in
            guard row.cells.count >= 4, let file = row.file, row.isOfDocuments else { return nil }
            return Document(type: row.cells[3], name: file, description: row.cells[1])
        }
    }

    /// Reads `ACCESSION.txt`, in which each document stands behind lines with its type and name.
    package init(submission: [UInt8]) {
        var found: [Document] = []
        for line in submission.split(separator: UInt8(ascii: "\n")) where line.first == UInt8(ascii: "<") {
            let text = String(decoding: line.prefix(300), as: UTF8.self).trimmed
            if text == "<DOCUMENT>" { found.append(Document(type: "", name: "", description: "")) }
            guard let last = found.indices.last else { continue }
            func value(_ tag: String) -> String? { text.hasPrefix(tag) ? String(text.dropFirst(tag.count)) : nil }
            if let type = value("<TYPE>"), found[last].type.isEmpty { found[last].type = type }
            if let name = value("<FILENAME>"), found[last].name.isEmpty { found[last].name = name }
            if let text = value("<DESCRIPTION>"), found[last].description.isEmpty { found[last].description = text }
        }
        documents = found.filter { !$0.type.isEmpty && !$0.name.isEmpty }
    }
}

/// The rows of the tables of a page.
private final class TableReader: HTMLEventHandler {
    struct Row {
        var cells: [String] = []
        var file: String?
        var isOfDocuments = true
    }

    private(set) var rows: [Row] = []
    private var row: Row?
    private var cell: [UInt8]?
    private var isOfDocuments = true

    func start(_ name: String, attributes: [(name: String, value: String)]) {
        switch name {
        case "table":
            let summary = attributes.first { $0.name == "summary" }?.value ?? ""
            isOfDocuments = summary.isEmpty || summary == "Document Format Files"
        case "tr": row = Row(isOfDocuments: isOfDocuments)
        case "td", "th": cell = []
        case "a":
            // The link of a document with inline XBRL goes through a viewer: `/ix?doc=/Archives/…/name.htm`.
            guard let link = attributes.first(where: { $0.name == "href" })?.value, link.contains("/Archives/"),
                let file = link.split(separator: "/").last, row?.file == nil
            else { return }
            row?.file = String(file)
        default: break
        }
    }

    func end(_ name: String) {
        if name == "td" || name == "th", let bytes = cell {
            row?.cells.append(String(decoding: bytes, as: UTF8.self).sanitized.trimmed)
            cell = nil
        }
        if name == "tr", let row {
            rows.append(row)
            self.row = nil
        }
    }

    func text(_ bytes: UnsafeBufferPointer<UInt8>) { cell?.append(contentsOf: bytes) }
}
