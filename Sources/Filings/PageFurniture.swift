/// Takes out what stands on every page: page numbers, running heads and feet.
enum PageFurniture {
    /// Lines on either side of the end of a page that can be a running head or foot.
    private static let reach = 3
    private static let longest = 120

    static func removed(from unnumbered: [FilingLine]) -> [FilingLine] {
        let breaks = pageBreaks(unnumbered)
        guard breaks.count >= 3 else { return unnumbered }
        let lines = numbered(unnumbered, breaks)
        var near: [Int] = []
        for place in breaks { near += max(place - reach, 0)..<min(place + reach, lines.count) }
        let places = Set(near)
        var alike: [String: Int] = [:]
        var same: [String: Int] = [:]
        for place in places where lines[place].text.utf8.count <= longest {
            alike[form(lines[place].text), default: 0] += 1
            same[FilingLine.folded(lines[place].text), default: 0] += 1
        }
        var kept: [String: Int] = [:]
        return lines.indices.compactMap { place in
            let line = lines[place]
            guard places.contains(place), line.text.utf8.count <= longest else { return line }
            if isNumber(line.text) { return nil }
            let folded = FilingLine.folded(line.text)
            if folded.hasPrefix("item ") || folded.hasPrefix("items ") {
                // Headings of different items differ by a number alone, so only the same one counts.
                guard same[folded, default: 0] >= 3 else { return line }
                kept[folded, default: 0] += 1
                let hasTitle = HeadingParser.heading(folded).map { $0.title.first?.isLetter ?? false } ?? false
                return hasTitle && kept[folded, default: 0] == 1 ? line : nil
            }
            // The first line of an item belongs to it: statements begin with the company's name, as feet do.
            if place > 0, HeadingParser.heading(FilingLine.folded(lines[place - 1].text)) != nil { return line }
            return alike[form(line.text), default: 0] >= 5 ? nil : line
        }
    }

    /// The places of the first lines of pages. Without marks, the page numbers tell.
    private static func pageBreaks(_ lines: [FilingLine]) -> [Int] {
        let marked = lines.indices.filter { lines[$0].beginsPage }
        if marked.count >= 3 { return marked }
        var breaks: [Int] = []
        var last = 0
        for place in lines.indices where !lines[place].isRow {
            guard let number = Int(lines[place].text.trimming { "- –—".contains($0) }), number > last,
                number <= last + 3
            else { continue }
            last = number
            breaks.append(place + 1)
        }
        return breaks.count >= 5 ? breaks : []
    }

    /// The lines with the printed numbers of their pages, as far as most pages show one at an end.
    private static func numbered(_ lines: [FilingLine], _ breaks: [Int]) -> [FilingLine] {
        let starts = [0] + breaks.filter { $0 > 0 }
        let pages = starts.indices.map { starts[$0]..<($0 + 1 < starts.count ? starts[$0 + 1] : lines.count) }
        let printed = pages.map { page in
            Set((page.suffix(reach) + page.prefix(2)).flatMap { numbers(atEndsOf: lines[$0].text) })
        }
        var counts: [Int: Int] = [:]
        for (place, numbers) in printed.enumerated() {
            for number in numbers { counts[number - place, default: 0] += 1 }
        }
        guard let usual = counts.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }), usual.value >= 5,
            let first = printed.indices.first(where: { printed[$0].contains($0 + usual.key) })
        else { return lines }
        var lines = lines
        var number = first + usual.key
        for (place, page) in pages.enumerated() {
            if place > first {
                // A page without a number, as before a part, counts with the one before it.
                number = (number + 1...number + 3).first { printed[place].contains($0) } ?? number
            }
            for line in page { lines[line].page = place < first ? max(first + usual.key - (first - place), 0) : number }
        }
        return lines
    }

    private static func numbers(atEndsOf text: String) -> [Int] {
        guard text.utf8.count <= longest else { return [] }
        let words = text.split(separator: " ")
        return [words.first, words.last].compactMap { word in
            word.flatMap { Int($0.trimming { "|-–—•".contains($0) }) }.flatMap { (1...999).contains($0) ? $0 : nil }
        }
    }

    /// A line with every number replaced by the same sign.
    private static func form(_ text: String) -> String {
        var form = ""
        for character in FilingLine.folded(text) {
            if character.isNumber { if form.last != "#" { form.append("#") } } else { form.append(character) }
        }
        return form
    }

    private static func isNumber(_ text: String) -> Bool {
        let bare = text.lowercased().trimming { "- –—".contains($0) }
        let number = bare.drop { "fsk-".contains($0) || $0 == "p" || $0 == "a" }
        guard !bare.isEmpty, bare.count <= 6 else { return false }
        return (!number.isEmpty && number.count <= 3 && number.allSatisfy { $0.isASCII && $0.isNumber })
            || bare.allSatisfy { "ivx".contains($0) }
    }
}

extension StringProtocol {
    /// The text without the characters at both ends that satisfy a condition.
    func trimming(_ isSurplus: (Character) -> Bool) -> SubSequence {
        var trimmed = self[startIndex...].drop(while: isSurplus)
        while let last = trimmed.last, isSurplus(last) { trimmed.removeLast() }
        return trimmed
    }
}
