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
    }

    package struct Section: Sendable {
        package let item: String
        package let status: Status
        package let paragraphs: [Paragraph]
    }

    /// Changes with every change of what is read from the same bytes, since ids depend on the text.
    package static let parser = 1

    /// Every item of the form, in its order.
    package let sections: [Section]

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
        let cutter = SectionCutter(name: name, lines: lines, candidates: chosen.candidates, chain: chosen.chain)
        sections = chosen.items.map { cutter.section($0) }
    }

    package subscript(item: String) -> Section? { sections.first { $0.item == item } }
}
