/// The agreement of two texts by their words.
struct WordOverlap {
    let precision: Double
    let recall: Double

    var f1: Double { precision + recall == 0 ? 0 : 2 * precision * recall / (precision + recall) }

    init(of text: String, with expected: String) {
        let found = Self.counts(text)
        let wanted = Self.counts(expected)
        let common = found.reduce(0) { $0 + min($1.value, wanted[$1.key] ?? 0) }
        let (all, needed) = (found.values.reduce(0, +), wanted.values.reduce(0, +))
        precision = all == 0 ? (needed == 0 ? 1 : 0) : Double(common) / Double(all)
        recall = needed == 0 ? (all == 0 ? 1 : 0) : Double(common) / Double(needed)
    }

    private static func counts(_ text: String) -> [Substring: Int] {
        text.lowercased().split { !$0.isLetter && !$0.isNumber && $0 != "_" }.reduce(into: [:]) {
            $0[$1, default: 0] += 1
        }
    }
}
