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
    package static let parser = 2

    /// Every item of the form, in its order.
    package let sections: [Section]

    /// A filing that was read before.
    package init(sections: [Section]) { self.sections = sections }

    /// Reads a document, HTML or plain text. Nothing is fetched, and a broken document has missing sections, no error.
    /// The name, as the accession number, goes into the ids of paragraphs.
    package init(_ document: [UInt8], name: String) {
        let lines = PageFurniture.removed(from: FilingLines.read(document))
        var chains = [FilingItem.annual, FilingItem.quarterly].map { items in
            let candidates = HeadingParser.candidates(lines, items)
            return (items: items, candidates: candidates, chain: HeadingParser.chain(candidates, lines))
        }
        let isQuarterly = chains[1].chain.count >= 4 && chains[1].chain.count > chains[0].chain.count
        let chosen = chains.remove(at: isQuarterly ? 1 : 0)
        if chosen.chain.count < 3, Set(chosen.candidates.map(\.item)).count < 3, Self.isProse(lines) {
            // Nothing is said of items, so nothing can be taken for one.
            let paragraphs = SectionCutter.paragraphs(lines, name: name, item: Self.wholeText)
            sections = [Section(item: Self.wholeText, status: .found, paragraphs: paragraphs)]
            return
        }
        let cutter = SectionCutter(name: name, lines: lines, candidates: chosen.candidates, chain: chosen.chain)
        let sections = chosen.items.map { cutter.section($0) }
        if !isQuarterly, !Self.hasMainItems(sections), let index = PageIndex(lines, name: name) {
            self.sections = chosen.items.map { index.section($0) }
        } else {
            self.sections = sections
        }
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
