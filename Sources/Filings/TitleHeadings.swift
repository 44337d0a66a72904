/// Finds headings that are titles alone, in reports whose contents name the items: "Item 1 | Business" there, and
/// "Business" above the text.
struct TitleHeadings {
    let candidates: [HeadingCandidate]
    let chain: [HeadingCandidate]
    /// The items of the contents.
    let listed: [FilingItem]

    private static let longest = 200
    /// Items that contents must list to be those of a report.
    private static let fewestItems = 5

    /// `nil` without such contents.
    init?(_ lines: [FilingLine], _ items: [FilingItem]) {
        let titles = Self.contents(lines, items)
        let listed = Set(titles.values)
        guard listed.count >= Self.fewestItems, listed.count(where: { ["1", "1A", "7"].contains($0.number) }) >= 2
        else {
            return nil
        }
        self.listed = items.filter(listed.contains)
        candidates = lines.indices.compactMap { place in
            let line = lines[place]
            guard !line.isLink, line.text.utf8.count <= Self.longest, Self.standsOut(line),
                let item = titles[Self.bare(FilingLine.folded(line.text)[...])]
            else { return nil }
            return HeadingCandidate(line: place, count: 1, item: item, weight: 1.5)
        }
        // A title that stands above several texts may be the heading of any of them.
        let counts = Dictionary(grouping: candidates, by: \.item).mapValues(\.count)
        chain = HeadingParser.chain(candidates.filter { counts[$0.item] == 1 }, lines)
    }

    /// The titles of the contents with their items.
    private static func contents(_ lines: [FilingLine], _ items: [FilingItem]) -> [String: FilingItem] {
        var titles: [String: FilingItem] = [:]
        for line in lines where (line.isLink || line.isRow) && line.text.utf8.count <= longest {
            let folded = FilingLine.folded(line.text)
            let heading = HeadingParser.heading(folded)
            guard heading != nil || line.isLink else { continue }
            let title = bare(heading?.title ?? folded[...])
            let named = items.filter { $0.isTitled(title[...]) }
            let item = heading.flatMap { heading in named.first { $0.bare == heading.number } } ?? named.first
            if let item, !title.isEmpty, heading == nil || heading?.number == item.bare { titles[title] = item }
        }
        return titles
    }

    /// A title without the numbers of pages and the dots that lead to them.
    private static func bare(_ title: Substring) -> String {
        String(title.trimming { $0 == " " || $0 == "." || $0.isNumber || $0 == "|" })
    }

    private static func standsOut(_ line: FilingLine) -> Bool {
        line.isBold || line.size > 10.5
            || (!line.text.contains(where: \.isLowercase) && line.text.contains(where: \.isLetter))
    }
}
