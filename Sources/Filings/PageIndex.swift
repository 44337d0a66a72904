/// The cross-reference index of a report whose items have no headings of their own: it names the pages of each.
struct PageIndex {
    fileprivate struct Entry {
        var item: FilingItem
        /// The line of the index.
        var line: Int
        /// The title in the index, folded.
        var title: String
        /// First and last pages; the last is `nil` where the index has first pages alone.
        var ranges: [(first: Int, last: Int?)] = []
        var isOmitted = false
    }

    private let lines: [FilingLine]
    private let name: String
    private let entries: [Entry]
    /// The lines of each page.
    private let pages: [Int: Range<Int>]
    private let wholeWords: Int

    private static let fewestItems = 10

    /// Finds the index; `nil` without one, or without printed numbers of pages.
    init?(_ lines: [FilingLine], name: String) {
        guard let entries = Self.entries(lines) else { return nil }
        var pages: [Int: Range<Int>] = [:]
        for (place, line) in lines.enumerated() where line.page > 0 {
            pages[line.page] = (pages[line.page]?.lowerBound ?? place)..<(place + 1)
        }
        guard entries.flatMap(\.ranges).count(where: { pages[$0.first] != nil }) >= 4 else { return nil }
        (self.lines, self.name, self.entries, self.pages) = (lines, name, entries, pages)
        wholeWords = lines.reduce(0) { $0 + FilingLine.words($1.text) }
    }

    func section(_ item: FilingItem) -> Filing.Section {
        guard let entry = entries.first(where: { $0.item == item }) else {
            return Filing.Section(item: item.number, status: .missing, paragraphs: [])
        }
        if entry.isOmitted { return Filing.Section(item: item.number, status: .omitted, paragraphs: []) }
        // Without pages the index has a note about another document.
        if entry.ranges.isEmpty { return Filing.Section(item: item.number, status: .byReference, paragraphs: []) }
        guard let body = body(of: entry) else {
            return Filing.Section(item: item.number, status: .uncertain, paragraphs: [])
        }
        let status = SectionCutter.status(of: item, body, wholeWords: wholeWords)
        let isShown = status == .found || status == .omitted
        return Filing.Section(
            item: item.number, status: status,
            paragraphs: isShown ? SectionCutter.paragraphs(body, name: name, item: item.number) : [],
            pointer: status == .byReference ? SectionCutter.paragraphs(body, name: name, item: item.number) : [])
    }

    // MARK: - The index

    /// The rows of the table that has the most items, with their pages.
    private static func entries(_ lines: [FilingLine]) -> [Entry]? {
        let byNumber = Dictionary(grouping: FilingItem.annual) { $0.number }
        var groups: [[Entry]] = []
        for (place, line) in lines.enumerated() where line.text.utf8.count <= FilingLine.longestHeading {
            let folded = FilingLine.folded(line.text)
            if let (number, rest) = HeadingParser.heading(folded), let item = byNumber[number]?.first {
                let (title, tail) = split(String(rest))
                guard item.isTitled(title[...]) || title.isEmpty else { continue }
                var entry = Entry(item: item, line: place, title: title)
                add(tail, title, to: &entry)
                if let last = groups.last?.last, place - last.line <= 8, last.item.place < item.place {
                    groups[groups.count - 1].append(entry)
                } else {
                    groups.append([entry])
                }
            } else if let last = groups.last?.last, place - last.line <= 8, !last.isOmitted, line.isRow {
                // The parts of an item may have rows of their own.
                let (title, tail) = split(folded)
                if !tail.isEmpty { add(tail, title, to: &groups[groups.count - 1][groups[groups.count - 1].count - 1]) }
            }
        }
        let best = groups.max { $0.count(where: \.hasPages) < $1.count(where: \.hasPages) }
        guard let best, best.count >= fewestItems, best.count(where: \.hasPages) >= 5 else { return nil }
        return best
    }

    /// A row without the pages at its end, and the pages.
    private static func split(_ folded: String) -> (title: String, tail: [String]) {
        var words = folded.split(separator: " ").map(String.init)
        var tail: [String] = []
        while let last = words.last {
            let bare = last.trimming { ",;.():".contains($0) }
            let isPages = !bare.isEmpty && bare.allSatisfy { $0.isNumber || $0 == "-" } && bare.count <= 7
            let isNote = bare.count <= 1
            guard isPages || isNote || ["page", "pages", "and", "to", "through", "p"].contains(bare) else { break }
            tail.insert(String(bare), at: 0)
            words.removeLast()
        }
        return (words.joined(separator: " ").trimming { " .:".contains($0) }.description, tail)
    }

    private static func add(_ tail: [String], _ title: String, to entry: inout Entry) {
        for ending in ["not applicable", "none", "n/a"] where title.hasSuffix(ending) { entry.isOmitted = true }
        var joins = false
        for word in tail {
            let numbers = word.split(separator: "-").compactMap { Int($0) }.filter { (1...999).contains($0) }
            if numbers.isEmpty {
                joins = ["-", "to", "through"].contains(word)
            } else if joins, let last = entry.ranges.indices.last {
                entry.ranges[last].last = numbers[0]
                joins = false
            } else {
                entry.ranges.append((numbers[0], numbers.count > 1 ? max(numbers[1], numbers[0]) : nil))
            }
        }
    }

    // MARK: - The text of an item

    /// The lines of an item; `nil` when its beginning or its end is in doubt.
    private func body(of entry: Entry) -> [FilingLine]? {
        let isOpen = entry.ranges.allSatisfy { $0.last == nil } && !usesRanges
        guard let first = entry.ranges.first, let page = pages[first.first] else { return nil }
        var title = heading(of: entry, on: first.first)
        // A business begins its report under any heading; "business" further down is one of its parts.
        if entry.item.number == "1", let place = title, place > page.lowerBound + 1 { title = nil }
        if isOpen {
            guard let title else {
                if entry.item.number == "1" { return openBody(from: top(of: page), entry) }
                // What another item contains has no heading; the index says the page and no more.
                return isInsideAnother(entry) && !["1A", "7"].contains(entry.item.number) ? Array(lines[page]) : nil
            }
            return openBody(from: title, entry)
        }
        if title == nil, ["1A", "7"].contains(entry.item.number) { return nil }
        var body: [FilingLine] = []
        var end = 0
        for (place, range) in entry.ranges.enumerated() {
            guard let first = pages[range.first], let last = pages[range.last ?? range.first] else { return nil }
            let start = max(place == 0 ? title.map(afterTitle) ?? first.lowerBound : first.lowerBound, end)
            end = max(self.end(of: entry, on: range.last ?? range.first, after: start) ?? last.upperBound, start)
            body += lines[start..<end]
        }
        return body
    }

    /// Whether the index gives last pages, so that a single number is one page.
    private var usesRanges: Bool { entries.contains { $0.ranges.contains { $0.last != nil } } }

    /// From a heading or the top of a page to the next item that has a heading, or to a page that begins with a
    /// heading as large.
    private func openBody(from start: Int, _ entry: Entry) -> [FilingLine]? {
        let page = lines[start].page
        let later = entries.flatMap { other in other.item == entry.item ? [] : other.ranges.map { (other, $0.first) } }
            .filter { $0.1 >= page }.sorted { $0.1 < $1.1 }
        let next = later.compactMap { heading(of: $0.0, on: $0.1) }.filter { $0 > start }.min()
        guard var end = next else { return nil }
        let size = lines[start].size
        // Each of the financial statements has a large heading.
        if size > Self.textSize(lines), entry.item.number != "8" {
            for (number, range) in pages where number > page && range.lowerBound < end {
                let top = lines[range.lowerBound]
                if top.size >= size, FilingLine.words(top.text) <= 20 { end = range.lowerBound }
            }
        }
        return Array(lines[min(afterTitle(start), end)..<end])
    }

    /// The first heading at the top of a page, else its first line.
    private func top(of page: Range<Int>) -> Int {
        let size = Self.textSize(lines)
        let headings = page.prefix(5).filter { lines[$0].size > size && FilingLine.words(lines[$0].text) <= 20 }
        // A caution about forecasts stands before the text of the item.
        return headings.first { !FilingLine.folded(lines[$0].text).hasPrefix("forward-looking") } ?? page.lowerBound
    }

    /// The size of most letters.
    private static func textSize(_ lines: [FilingLine]) -> Double {
        var counts: [Double: Int] = [:]
        for line in lines { counts[line.size, default: 0] += line.text.utf8.count }
        return counts.max { $0.value < $1.value }?.key ?? 10
    }

    /// The first heading on a page of another item that begins there.
    private func end(of entry: Entry, on page: Int, after start: Int) -> Int? {
        entries.filter { $0.item != entry.item && $0.ranges.contains { $0.first == page } }
            .compactMap { heading(of: $0, on: page) }.filter { $0 > start }.min()
    }

    private func isInsideAnother(_ entry: Entry) -> Bool {
        guard let page = entry.ranges.first?.first else { return false }
        let firsts = entries.filter { $0.item != entry.item }.compactMap(\.ranges.first?.first)
        return firsts.contains { $0 < page } && !firsts.contains(page)
    }

    /// The line on a page that begins with an item's title as a heading does: large, bold or in capitals.
    private func heading(of entry: Entry, on page: Int) -> Int? {
        guard let range = pages[page] else { return nil }
        return range.first { place in
            guard !entries.contains(where: { $0.line == place }) else { return false }
            let folded = FilingLine.folded(String(lines[place].text.prefix(FilingLine.longestHeading)))
            guard entry.item.isTitled(folded[...]) || (entry.title.count >= 8 && folded.hasPrefix(entry.title)) else {
                return false
            }
            let letters = lines[place].text.filter(\.isLetter).prefix(10)
            return lines[place].isBold || letters.allSatisfy(\.isUppercase)
                || (lines[place].size > 11 && folded.utf8.count <= 160)
        }
    }

    /// The place of an item's first line: a title that its text follows in the same line belongs to it.
    private func afterTitle(_ place: Int) -> Int {
        let isLone = FilingLine.words(lines[place].text) <= 20
        return lines[place].size > 0 && isLone ? place + 1 : place
    }
}

extension PageIndex.Entry {
    fileprivate var hasPages: Bool { !ranges.isEmpty }
}
