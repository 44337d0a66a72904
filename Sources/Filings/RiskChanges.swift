/// What changed between the risk factors of two reports of one company: by code alone, from the words.
package struct RiskChanges: Sendable, Equatable {
    package struct Change: Sendable, Equatable {
        package let before: String
        package let after: String
    }

    /// Paragraphs of the newer report that resemble none of the older, in their order.
    package var new: [String] = []
    /// Paragraphs of the older report that resemble none of the newer, in their order.
    package var removed: [String] = []
    /// Paragraphs that are alike but not the same, in the order of the newer report.
    package var changed: [Change] = []

    /// Below this share of common shingles two paragraphs are different, and above the other one the same.
    private static let alike = 0.25
    private static let same = 0.9
    /// A paragraph below this number of words (a heading) is judged with the one after it.
    private static let fewestWords = 12

    /// No change.
    package init() {}

    /// Compares Item 1A of two reports; `nil` unless it was found in both.
    package init?(from older: Filing, to newer: Filing) {
        func risks(_ filing: Filing) -> [String]? {
            guard let section = filing["1A"] ?? filing["II-1A"], section.status == .found else { return nil }
            return Self.withoutSummary(section.paragraphs.map(\.text))
        }
        guard let before = risks(older), let after = risks(newer) else { return nil }
        self.init(before: before, after: after)
    }

    /// Compares paragraphs.
    init(before: [String], after: [String]) {
        let old = Self.blocks(before)
        let new = Self.blocks(after)
        let forward = Self.matches(of: new, in: old)
        for (block, match) in zip(new, forward) {
            guard let match, match.likeness >= Self.alike else {
                self.new.append(block.text)
                continue
            }
            if match.likeness < Self.same {
                changed.append(Change(before: old[match.place].text, after: block.text))
            }
        }
        let matched = Set(forward.compactMap { $0 }.filter { $0.likeness >= Self.alike }.map { $0.place })
        for (place, match) in Self.matches(of: old, in: new).enumerated() where !matched.contains(place) {
            if (match?.likeness ?? 0) < Self.alike { removed.append(old[place].text) }
        }
    }

    // MARK: - The summary

    /// Words of a paragraph that is a risk of its own and no line of a summary.
    private static let wordsOfARisk = 60

    /// Paragraphs without a summary of the risks, which repeats what stands below it: from its heading to the first heading
    /// with a text of some length under it.
    static func withoutSummary(_ paragraphs: [String]) -> [String] {
        func isHeading(_ text: String) -> Bool {
            FilingLine.words(text) < fewestWords && !".:;,".contains(text.last ?? " ")
        }
        let begin = paragraphs.prefix(40).firstIndex { text in
            let folded = FilingLine.folded(text)
            return FilingLine.words(text) < fewestWords && folded.contains("summary") && folded.contains("risk")
        }
        guard let begin else { return paragraphs }
        var end = begin + 1
        var lines = 0
        while end < paragraphs.count {
            let text = paragraphs[end]
            let isAboutItself = FilingLine.folded(text).contains("summar")
            if lines > 0, FilingLine.words(text) >= wordsOfARisk, !isAboutItself { break }
            lines += isAboutItself ? 0 : 1
            end += 1
        }
        // Where no longer text follows, it was no summary.
        guard end < paragraphs.count else { return paragraphs }
        // The headings of the first risk belong to it: one may be a whole sentence, which the summary has, too.
        let last = paragraphs[end - 1]
        if end - begin > 2, !isHeading(last), isHeading(paragraphs[end - 2]),
            paragraphs[(begin + 1)..<(end - 2)].contains(where: { repeats(last, $0) })
        {
            end -= 1
        }
        while end > begin + 1, isHeading(paragraphs[end - 1]) { end -= 1 }
        return Array(paragraphs[..<begin] + paragraphs[end...])
    }

    /// Whether two lines have most of their words in common.
    private static func repeats(_ one: String, _ other: String) -> Bool {
        func words(_ text: String) -> Set<Substring> {
            Set(FilingLine.folded(text).split { !$0.isLetter && !$0.isNumber })
        }
        let (one, other) = (words(one), words(other))
        return !one.isEmpty && Double(one.intersection(other).count) >= 0.8 * Double(one.count)
    }

    // MARK: - Likeness

    private struct Block {
        var text: String
        var shingles: Set<Int>
    }

    /// Paragraphs with enough words to be compared; a heading counts with what follows it.
    private static func blocks(_ paragraphs: [String]) -> [Block] {
        var blocks: [Block] = []
        for paragraph in paragraphs {
            let words = FilingLine.folded(paragraph).split { !$0.isLetter && !$0.isNumber }
            // A heading over the same text is not a change of the risk, and a summary repeats headings.
            guard words.count >= fewestWords else { continue }
            var shingles: Set<Int> = []
            for start in 0...(words.count - 5) {
                var hasher = Hasher()
                for word in words[start..<start + 5] { hasher.combine(word) }
                shingles.insert(hasher.finalize())
            }
            blocks.append(Block(text: paragraph, shingles: shingles))
        }
        return blocks
    }

    /// The most similar block of the other year for each block. Where one contains the other and the rest of the
    /// larger stands elsewhere in the other year, the text was split or merged, not changed.
    private static func matches(of blocks: [Block], in others: [Block]) -> [(place: Int, likeness: Double)?] {
        var places: [Int: [Int]] = [:]
        for (place, other) in others.enumerated() {
            for shingle in other.shingles { places[shingle, default: []].append(place) }
        }
        let own = Set(blocks.flatMap(\.shingles))
        let foreign = Set(others.flatMap(\.shingles))
        return blocks.map { block in
            var common: [Int: Int] = [:]
            for shingle in block.shingles {
                // A phrase of many paragraphs says nothing, and would make the search quadratic.
                guard let found = places[shingle], found.count <= 50 else { continue }
                for place in found { common[place, default: 0] += 1 }
            }
            var best: (place: Int, likeness: Double)?
            for (place, count) in common.sorted(by: { $0.key < $1.key }) {
                let size = block.shingles.count
                let other = others[place].shingles.count
                var likeness = Double(count) / Double(size + other - count)
                if Double(count) >= same * Double(min(size, other)), min(size, other) >= 8,
                    isWhole(size < other ? others[place] : block, in: size < other ? own : foreign)
                {
                    likeness = max(likeness, same)
                }
                if likeness > best?.likeness ?? 0 { best = (place, likeness) }
            }
            return best
        }
    }

    /// Whether the other year has nearly all of a block's words, in whichever paragraphs.
    private static func isWhole(_ block: Block, in year: Set<Int>) -> Bool {
        // Four shingles cross the place at which a paragraph was split.
        let missing = block.shingles.count { !year.contains($0) }
        return Double(missing) <= 4 + (1 - same) * Double(block.shingles.count)
    }
}
