/// Companies may put management's discussion into their annual report to shareholders, which is Exhibit 13 of the filing.
extension Filing {
    /// Whether Item 7 says that its text is there.
    package var discussionIsInExhibit: Bool {
        guard let section = self["7"], section.status == .byReference else { return false }
        let pointer = FilingLine.folded(section.pointer.map(\.text).joined(separator: " "))
        return pointer.contains("exhibit 13") || pointer.contains("annual report")
    }

    /// The filing with the discussion of such an exhibit as its Item 7; as it is where the exhibit has none that is
    /// beyond doubt.
    package func completed(byExhibit document: [UInt8], name: String) -> Filing {
        let lines = PageFurniture.removed(from: FilingLines.read(document))
        guard let item = FilingItem.annual.first(where: { $0.number == "7" }),
            let body = AnnualReportExhibit.discussion(lines, titled: item)
        else { return self }
        let whole = lines.reduce(0) { $0 + FilingLine.words($1.text) }
        // An exhibit may be little else than the discussion.
        guard SectionCutter.status(of: item, body, wholeWords: whole * 2) == .found else { return self }
        let read = Section(
            item: item.number, status: .found,
            paragraphs: SectionCutter.paragraphs(body, name: name, item: item.number))
        return Filing(sections: sections.map { $0.item == item.number ? read : $0 })
    }
}

private enum AnnualReportExhibit {
    /// Titles of what follows the discussion.
    private static let next = [
        "report of independent", "report of management", "managements report", "management report",
        "consolidated income",
        "consolidated statement", "consolidated balance", "consolidated earnings", "statement of managements",
        "quantitative and qualitative", "selected financial data", "notes to consolidated", "statements of",
    ]
    private static let longestTitle = 16

    /// The lines behind the title of the discussion, up to the next title. Of several, as of a list of contents, those
    /// with the most words.
    static func discussion(_ lines: [FilingLine], titled item: FilingItem) -> [FilingLine]? {
        let titles = lines.map { line -> String in
            let folded = FilingLine.folded(line.text)
            let isTitle = !line.isRow && FilingLine.words(line.text) <= longestTitle && !folded.hasSuffix(".")
            return isTitle ? folded : ""
        }
        let starts = titles.indices.filter { !titles[$0].isEmpty && item.isTitled(titles[$0][...]) }
        let bodies = starts.map { start -> [FilingLine] in
            let rest = lines[(start + 1)...]
            let end = rest.indices.first { place in next.contains { titles[place].hasPrefix($0) } } ?? lines.endIndex
            return Array(lines[(start + 1)..<end])
        }
        return bodies.max { words($0) < words($1) }
    }

    private static func words(_ lines: [FilingLine]) -> Int { lines.reduce(0) { $0 + FilingLine.words($1.text) } }
}
