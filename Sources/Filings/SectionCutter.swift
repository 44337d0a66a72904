internal import Basics

/// Cuts the lines of a filing into sections and decides how far each can be trusted.
struct SectionCutter {
    let name: String
    let lines: [FilingLine]
    let items: [FilingItem]
    let candidates: [HeadingCandidate]
    let chain: [HeadingCandidate]
    /// Items that the contents list, where their headings are not among the candidates.
    var listed: [FilingItem] = []

    func section(_ item: FilingItem) -> Filing.Section {
        guard chain.count >= 3, let place = chain.firstIndex(where: { $0.item == item }) else {
            return Filing.Section(item: item.number, status: .missing, paragraphs: [])
        }
        let start = chain[place].line + chain[place].count
        let next = place + 1 < chain.count ? chain[place + 1] : nil
        var body = Array(lines[min(start, lines.count)..<max(start, next?.line ?? lines.count)])
        while let last = body.last, Self.isPart(last.text) { body.removeLast() }
        let isReserved = chain[place].isReserved && body.reduce(0) { $0 + FilingLine.words($1.text) } <= 10
        let status = isReserved ? .omitted : status(of: item, body, next: next)
        let isShown = status == .found || status == .omitted
        return Filing.Section(
            item: item.number, status: status,
            paragraphs: isShown ? Self.paragraphs(body, name: name, item: item.number) : [],
            pointer: status == .byReference ? Self.paragraphs(body, name: name, item: item.number) : [])
    }

    /// Whether a line is the heading of a part and nothing else.
    private static func isPart(_ text: String) -> Bool {
        let folded = FilingLine.folded(text)
        guard folded.hasPrefix("part i"), folded.count <= 40 else { return false }
        let rest = folded.dropFirst(5).drop { "iv".contains($0) }.trimming { " .:-".contains($0) }
        return rest.isEmpty || rest == "other information" || rest == "financial information"
    }

    private func status(of item: FilingItem, _ body: [FilingLine], next: HeadingCandidate?) -> Filing.Status {
        let status = Self.status(of: item, body, wholeWords: wholeWords)
        guard status == .found else { return status }
        // An item that is not followed by one of its next items has swallowed those between.
        if !item.nextItems.isEmpty, !item.nextItems.contains(next?.item.number ?? "") { return .uncertain }
        // An item that has a possible heading inside, and no section of its own, may begin there.
        let range = (chain.first { $0.item == item }?.line ?? 0)..<(next?.line ?? lines.count)
        let chosen = Set(chain.map { $0.item })
        if candidates.contains(where: { range.contains($0.line) && !chosen.contains($0.item) }) { return .uncertain }
        if isListedBetween(item, next?.item) || chain.first(where: { $0.item == item })?.isDoubtful == true {
            return .uncertain
        }
        return holdsAnother(than: item, body) ? .uncertain : .found
    }

    /// Whether the contents list an item between two that follow each other here: its heading was not found, so its text is
    /// likely to be in the first of them.
    private func isListedBetween(_ item: FilingItem, _ next: FilingItem?) -> Bool {
        guard let next, chain.first(where: { $0.item == item })?.isOfTwo != true else { return false }
        let known = candidates.filter { !$0.isReserved }.map(\.item) + listed
        return known.contains { $0.place > item.place && $0.place < next.place }
    }

    /// Whether a text has the heading of an item that has no section of its own, with a title that the form does not know,
    /// or rows of contents.
    private func holdsAnother(than item: FilingItem, _ body: [FilingLine]) -> Bool {
        var rows = 0
        let chosen = Set(chain.map(\.item.bare))
        for line in body where line.text.utf8.count <= 120 {
            guard let (number, title) = HeadingParser.heading(FilingLine.folded(line.text)),
                !title.contains("continued"), !HeadingParser.isSentence(title)
            else { continue }
            if number == item.bare {
                // A heading with the item's number and another's title, by a slip.
                let isOther = title.count >= 3 && !item.isTitled(title) && items.contains { $0.isTitled(title) }
                if isOther, line.isBold, !line.isLink { return true }
                continue
            }
            if line.isBold, title.count >= 3, !line.isRow, !line.isLink, !chosen.contains(number) { return true }
            rows += 1
        }
        return rows >= 3
    }

    /// What the text of an item alone shows of it.
    static func status(of item: FilingItem, _ body: [FilingLine], wholeWords: Int) -> Filing.Status {
        let text = body.map(\.text).joined(separator: " ")
        let words = FilingLine.words(text)
        let folded = words <= 400 ? FilingLine.folded(text) : ""
        if words == 0 { return .uncertain }
        if words <= 80, saysNothing(folded) { return .omitted }
        if words <= 400, isPointer(folded) { return .byReference }
        let minimum = ["1": 300, "7": 300, "1A": 500][item.number] ?? 0
        if words < minimum { return .uncertain }
        if !item.nextItems.isEmpty, !["8", "I-1"].contains(item.number), words * 10 > wholeWords * 7 {
            return .uncertain
        }
        if words >= 300, let expected = expected[item.number] {
            let whole = FilingLine.folded(text)
            if expected.count(where: { whole.contains($0) }) < 3 { return .uncertain }
        }
        return .found
    }

    var wholeWords: Int { lines.reduce(0) { $0 + FilingLine.words($1.text) } }

    private static let expected: [String: [String]] = [
        "1": ["compan", "customer", "product", "service", "compet", "business", "employee", "market"],
        "1A": ["risk", "could", "adverse", "may ", "harm", "affect", "result"],
        "7": ["result", "increase", "decrease", "cash", "operat", "compared", "liquidity", "revenue"],
    ]

    private static func saysNothing(_ folded: String) -> Bool {
        let text = folded.trimming { " .()[]*".contains($0) }
        let whole: Set<Substring> = ["none", "not applicable", "n/a", "reserved", "not required", "omitted", "na"]
        if whole.contains(text) { return true }
        return text.hasPrefix("not applicable") || text.hasPrefix("not required") || text.hasPrefix("none.")
            || (text.contains("smaller reporting")
                && (text.contains("not required") || text.contains("not applicable")))
    }

    private static let references = [
        "incorporated by reference", "incorporated herein by reference", "incorporated in this", "refer to ",
        "reference is made", "can be found", "is contained in", "is included in", "are included in", "is set forth",
        "are set forth", "information required by", "information in response to", "is presented in", "see ",
        "appears in", "appears on", "appearing on", "appears under", "begin on page", "included under",
        "response to this item",
        "is hereby incorporated", "incorporated into this", "is located in", "called for by",
    ]

    /// Whether every sentence of a text points elsewhere.
    private static func isPointer(_ folded: String) -> Bool {
        let sentences = folded.split(separator: ". ").filter { FilingLine.words($0) >= 4 }
        return !sentences.isEmpty && sentences.allSatisfy { sentence in references.contains { sentence.contains($0) } }
    }

    // MARK: - Paragraphs

    /// The lines as paragraphs: what a page cut in two is joined.
    static func paragraphs(_ body: [FilingLine], name: String, item: String) -> [Filing.Paragraph] {
        var texts: [(text: String, isRow: Bool)] = []
        for line in body {
            if let last = texts.last, !last.isRow, !line.isRow, isCut(last.text, line.text) {
                texts[texts.count - 1].text += " " + line.text
            } else {
                texts.append((line.text, line.isRow))
            }
        }
        return texts.enumerated().map { number, paragraph in
            let hash = SHA256.hex(FilingLine.folded(paragraph.text)).prefix(8)
            return Filing.Paragraph(
                id: "\(name)/\(item)/\(number + 1)-\(hash)", text: paragraph.text, isRow: paragraph.isRow)
        }
    }

    private static func isCut(_ before: String, _ after: String) -> Bool {
        guard let end = before.last, let first = after.first, before.count > 60 else { return false }
        return !".!?:;”\"".contains(end) && first.isLowercase
    }
}
