internal import Basics

/// The text of a filing, cut into its items.
package struct Filing: Sendable {
    /// How much of an item was read, and why not more.
    package enum Status: String, Sendable {
        /// The item's text, from its heading to the next.
        case found
        /// The item only points to another document or place.
        case byReference = "by_reference"
        /// The item says that it does not apply.
        case omitted
        /// The filing has no heading of the item.
        case missing
        /// A heading was found, but what follows it is in doubt; its text is not given.
        case uncertain
    }

    /// A paragraph, a heading, or a row of a table.
    package struct Paragraph: Sendable, Equatable {
        /// The filing, the item, the number within it and a hash of the text: `NAME/1A/12-0f3a9c21`.
        package let id: String
        package let text: String
        package let isRow: Bool

        package init(id: String, text: String, isRow: Bool) { (self.id, self.text, self.isRow) = (id, text, isRow) }
    }

    package struct Section: Sendable {
        package let item: String
        package let status: Status
        package let paragraphs: [Paragraph]
        /// Of an item by reference: what it says of where its text is.
        package let pointer: [Paragraph]

        package init(item: String, status: Status, paragraphs: [Paragraph], pointer: [Paragraph] = []) {
            (self.item, self.status, self.paragraphs, self.pointer) = (item, status, paragraphs, pointer)
        }
    }

    /// The name of the one section of a document that is no report by items: an exhibit, a proxy statement.
    package static let wholeText = "text"

    /// Changes with every change of what is read from the same bytes, since ids depend on the text.
    package static let parser = 3

    /// Every item of the form, in its order.
    package let sections: [Section]

    /// A filing that was read before.
    package init(sections: [Section]) { self.sections = sections }

    /// Reads a document, HTML or plain text. Nothing is fetched, and a broken document has missing sections, no error.
    /// The name, as the accession number, goes into the ids of paragraphs.
    package init(_ document: [UInt8], name: String) {
        guard Self.isText(document) else {
            sections = FilingItem.annual.map { Section(item: $0.number, status: .missing, paragraphs: []) }
            return
        }
        let lines = PageFurniture.removed(from: FilingLines.read(document))
        var chains = [FilingItem.annual, FilingItem.quarterly].map { items in
            let candidates = HeadingParser.candidates(lines, items)
            let chain = HeadingParser.joined(HeadingParser.chain(candidates, lines), candidates, lines)
            return (items: items, candidates: candidates, chain: chain)
        }
        let isQuarterly = chains[1].chain.count >= 4 && chains[1].chain.count > chains[0].chain.count
        let chosen = chains.remove(at: isQuarterly ? 1 : 0)
        if chosen.chain.count < 3, Set(chosen.candidates.map(\.item)).count < 3, Self.isProse(lines) {
            // Nothing is said of items, so nothing can be taken for one, but for the titles of the contents.
            let paragraphs = SectionCutter.paragraphs(lines, name: name, item: Self.wholeText)
            sections =
                Self.byTitles(lines, name: name)
                ?? [Section(item: Self.wholeText, status: .found, paragraphs: paragraphs)]
            return
        }
        let cutter = SectionCutter(
            name: name, lines: lines, items: chosen.items, candidates: chosen.candidates, chain: chosen.chain)
        let sections = chosen.items.map { cutter.section($0) }
        guard !isQuarterly, !Self.hasMainItems(sections) else {
            self.sections = sections
            return
        }
        let index = PageIndex(lines, name: name)
        let byPages = index.map { index in chosen.items.map { index.section($0) } }
        if let byPages, Self.hasMainItems(byPages) {
            self.sections = byPages
        } else {
            self.sections = Self.byTitles(lines, name: name) ?? byPages ?? sections
        }
    }

    /// The sections of an annual report whose headings are titles alone; `nil` where that gives none of the main ones.
    private static func byTitles(_ lines: [FilingLine], name: String) -> [Section]? {
        guard let titles = TitleHeadings(lines, FilingItem.annual) else { return nil }
        let cutter = SectionCutter(
            name: name, lines: lines, items: FilingItem.annual, candidates: titles.candidates, chain: titles.chain,
            listed: titles.listed)
        let sections = FilingItem.annual.map { cutter.section($0) }
        return hasMainItems(sections) ? sections : nil
    }

    /// Whether a document is a text at all, and not the bytes of a picture or an archive.
    package static func isText(_ document: [UInt8]) -> Bool {
        let start = document.prefix(64 << 10)
        if start.starts(with: [0xFF, 0xFE]) || start.starts(with: [0xFE, 0xFF]) { return true }
        let zeros = start.count { $0 == 0 }
        // Text of two bytes a character without a mark has a zero in each of its Latin letters.
        if zeros > 0, zeros * 10 < start.count * 4 { return false }
        let controls = start.count { $0 < 0x20 && $0 != 0 && !(0x08...0x0D).contains($0) && $0 != 0x1A && $0 != 0x1B }
        return controls * 50 <= start.count
    }

    /// Whether there is a text at all: what is left of a broken document is none.
    private static func isProse(_ lines: [FilingLine]) -> Bool {
        lines.reduce(0) { $0 + FilingLine.words($1.text) } >= 10
    }

    /// Whether something is known of one of the items that readers want first.
    private static func hasMainItems(_ sections: [Section]) -> Bool {
        sections.contains { section in
            ["1", "1A", "7"].contains(section.item) && ![.uncertain, .missing].contains(section.status)
        }
    }

    package subscript(item: String) -> Section? { sections.first { $0.item == item } }
}
