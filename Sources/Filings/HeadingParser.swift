/// A line that can be the heading of an item.
struct HeadingCandidate: Sendable {
    /// The place of the line and the number of lines that the heading has.
    var line: Int
    var count: Int
    var item: FilingItem
    /// The heading of two items together: "Items 1 and 2".
    var isOfTwo = false
    /// Whether the title says that the item is reserved or removed.
    var isReserved = false
    /// Whether another heading of the same item stands before it, so that it is open where the item begins.
    var isDoubtful = false
    var weight: Double
}

/// Finds the lines that can be headings of items.
enum HeadingParser {
    /// The number and title of a line that begins with "Item" and a number; `nil` for any other line.
    static func heading(_ folded: String) -> (number: String, title: Substring)? {
        var rest = Substring(folded)
        if rest.hasPrefix("part i") {
            let word = rest.dropFirst(5).prefix { "iv".contains($0) }
            rest = rest.dropFirst(5 + word.count).drop { " .,:-".contains($0) }
        }
        guard rest.hasPrefix("item") else { return nil }
        let isPlural = rest.hasPrefix("items ")
        rest = rest.dropFirst(isPlural ? 5 : 4).drop { " .#".contains($0) }
        if rest.hasPrefix("no.") { rest = rest.dropFirst(3).drop { $0 == " " } }
        let digits = rest.prefix { $0.isASCII && $0.isNumber }
        guard (1...2).contains(digits.count) else { return nil }
        rest = rest.dropFirst(digits.count)
        var number = String(digits)
        let spaced = rest.drop { $0 == " " || $0 == "(" }
        if let letter = spaced.first, "abc".contains(letter),
            spaced.dropFirst().first.map({ !$0.isLetter }) ?? true
        {
            number += letter.uppercased()
            rest = spaced.dropFirst()
        }
        rest = rest.drop { " .:-)|".contains($0) }
        if isPlural || rest.hasPrefix("and item "), let second = secondNumber(rest) { rest = second }
        if rest.hasPrefix("(t)") || rest.hasPrefix("t)") { rest = rest.drop { " .:-)(t".contains($0) } }
        return (number, rest)
    }

    /// What follows the second number of "Items 1 and 2. Business and Properties".
    private static func secondNumber(_ text: Substring) -> Substring? {
        var rest = text
        for word in ["and ", "& ", "item "] where rest.hasPrefix(word) { rest = rest.dropFirst(word.count) }
        let digits = rest.prefix { $0.isASCII && $0.isNumber }
        guard (1...2).contains(digits.count), rest.startIndex != text.startIndex else { return nil }
        rest = rest.dropFirst(digits.count)
        if let letter = rest.first, "abc".contains(letter) { rest = rest.dropFirst() }
        return rest.drop { " .:-)|".contains($0) }
    }

    /// Every line that can be the heading of one of the items, in order.
    static func candidates(_ lines: [FilingLine], _ items: [FilingItem]) -> [HeadingCandidate] {
        var found: [HeadingCandidate] = []
        let byNumber = Dictionary(grouping: items) { $0.bare }
        for place in lines.indices {
            let line = lines[place]
            let start = line.text.unicodeScalars.prefix(24)
            guard start.contains("I") || start.contains("i"), start.contains("M") || start.contains("m") else {
                continue
            }
            let text = String(line.text.prefix(FilingLine.longestHeading))
            guard let (number, title) = heading(FilingLine.folded(text)), let named = byNumber[number] else { continue }
            // The head of a page within an item.
            if title.contains("continued") || title.contains("(cont") { continue }
            let nextTitle =
                place + 1 < lines.count ? FilingLine.folded(String(lines[place + 1].text.prefix(160))) : ""
            for item in named {
                var count = 1
                if title.count < 3 {
                    guard item.isTitled(Substring(nextTitle)), !nextTitle.contains("continued"),
                        lines[place + 1].text.utf8.count <= 160
                    else { continue }
                    count = 2
                } else {
                    guard item.isTitled(title) else { continue }
                }
                // A sentence that begins with the item ("Item 1A, Risk Factors, describes …") is no heading.
                if line.text.utf8.count >= FilingLine.longestHeading || isSentence(title, isBold: line.isBold) {
                    continue
                }
                let whole = count == 2 ? nextTitle : String(title)
                found.append(
                    HeadingCandidate(
                        line: place, count: count, item: item, isOfTwo: isOfTwo(FilingLine.folded(text)),
                        isReserved: ["reserved", "removed"].contains {
                            whole.drop { "[( ".contains($0) }.hasPrefix($0)
                        },
                        weight: line.isBold ? 1.5 : 1))
            }
        }
        return found
    }

    /// Whether a line with a number and a title goes on as a sentence. "MD&A of our financial condition" in bold does not.
    static func isSentence(_ title: Substring, isBold: Bool = false) -> Bool {
        if [" below", " above", " for a ", " describes", " contains", "\""].contains(where: title.contains) {
            return true
        }
        guard [" of this ", " of our ", " in this "].contains(where: title.contains) else { return false }
        let documents = ["annual", "report", "form", "quarterly", "document", "filing", "10-k", "10-q"]
        return !isBold || title.last == "."
            || documents.contains { word in
                [" of this ", " of our ", " in this "].contains { title.contains($0 + word) }
            }
    }

    /// Whether a heading is that of two items.
    private static func isOfTwo(_ folded: String) -> Bool {
        let start = folded.prefix(40)
        return start.contains("items ") || start.contains(" and item ") || start.contains(" & item ")
    }

    /// The heaviest chain of candidates in the order of the form. A candidate with text before the next one weighs
    /// more, so that the table of contents loses against the headings; of equal ones the later wins.
    static func chain(_ candidates: [HeadingCandidate], _ lines: [FilingLine]) -> [HeadingCandidate] {
        guard !candidates.isEmpty else { return [] }
        var offsets = [0]
        for line in lines { offsets.append(offsets[offsets.count - 1] + line.text.utf8.count) }
        let most = (candidates.map { $0.item.place }.max() ?? 0) + 1
        // The best chain that ends with each item, as the index of its last candidate.
        var best: [(weight: Double, last: Int)?] = Array(repeating: nil, count: most)
        var previous = Array(repeating: -1, count: candidates.count)
        for (index, candidate) in candidates.enumerated() {
            let start = candidate.line + candidate.count
            let next = index + 1 < candidates.count ? candidates[index + 1].line : lines.count
            let body = offsets[max(start, next)] - offsets[start]
            var weight = candidate.weight + (body >= 8 ? 1 : 0) + (body >= 300 ? 3 : 0)
            if lines[candidate.line].isLink { weight *= 0.25 }
            var before: (weight: Double, last: Int)?
            for place in 0..<candidate.item.place {
                if let chain = best[place], chain.weight > before?.weight ?? -1 { before = chain }
            }
            previous[index] = before?.last ?? -1
            weight += before?.weight ?? 0
            if weight >= best[candidate.item.place]?.weight ?? -1 { best[candidate.item.place] = (weight, index) }
        }
        var last = best.compactMap { $0 }.max { $0.weight < $1.weight }?.last ?? -1
        var chain: [HeadingCandidate] = []
        while last >= 0 {
            chain.append(candidates[last])
            last = previous[last]
        }
        return chain.reversed()
    }

    /// The chain with items that begin at the first of equal headings: a heading that is repeated within its item cuts
    /// nothing. Another heading of the same item before it makes both neighbours doubtful.
    static func joined(
        _ chain: [HeadingCandidate], _ candidates: [HeadingCandidate], _ lines: [FilingLine]
    ) -> [HeadingCandidate] {
        var joined = chain
        for place in chain.indices {
            let before = place > 0 ? chain[place - 1].line : -1
            for earlier in candidates.reversed() where earlier.line > before && earlier.line < joined[place].line {
                guard earlier.item == chain[place].item, !lines[earlier.line].isLink else { break }
                let first = earlier.line + earlier.count
                let between = lines[min(first, joined[place].line)..<joined[place].line].reduce(0) {
                    $0 + $1.text.utf8.count
                }
                guard between >= 300 else { continue }
                if FilingLine.folded(lines[earlier.line].text) == FilingLine.folded(lines[chain[place].line].text) {
                    joined[place] = earlier
                } else {
                    joined[place].isDoubtful = true
                    if place > 0 { joined[place - 1].isDoubtful = true }
                }
            }
        }
        return joined
    }
}
