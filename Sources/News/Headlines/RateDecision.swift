/// A central bank's decision on rates in the words of headlines, which seldom name the rate: `BoE stands pat`.
enum RateDecision {
    /// Whether a headline tells the decision of a bank that it names.
    static func isTold(in words: [Word], title: String, by found: KnownTopics.Found) -> Bool {
        let folded = words.map(\.folded)
        let ends = found.actors.filter { $0.topic.kind == .centralBank }.map(\.name.upperBound)
        return ends.contains { isTold(Array(folded[$0...].prefix(7)), title) }
    }

    /// Whether the words behind a bank's name tell it.
    private static func isTold(_ words: [String], _ title: String) -> Bool {
        let pairs = Array(zip(words, words.dropFirst()))
        if pairs.contains(where: { rests.contains("\($0) \($1)") }) { return true }
        let sizes = words.indices.filter { ["quarter", "half"].contains(words[$0]) }
        if sizes.contains(where: { words[($0 + 1)...].prefix(2).contains(where: ["point", "percentage"].contains) }) {
            return true
        }
        guard let verb = words.first(where: { !adverbs.contains($0) }), let place = words.firstIndex(of: verb)
        else { return false }
        let rest = Array(words[(place + 1)...])
        let next = rest.first ?? ""
        // `holds, wants more data`: a comma ends what the verb says.
        let endsClause = rest.isEmpty || title.contains("\(verb),") || title.contains("\(verb);")
        if moves.contains(verb) {
            return endsClause || continuations.contains(next) || objects.contains(next) || isNumber(next)
        }
        if changes.contains(verb) {
            return endsClause || objects.contains(next) || ["again", "for"].contains(next)
                || ["to", "at", "by"].contains(next) && rest.dropFirst().first.map(isLevel) == true
        }
        if ["delivers", "delivered", "announces", "makes"].contains(verb) {
            return rest.prefix(5).contains(where: ["cut", "reduction", "hike", "increase"].contains)
        }
        if ["goes", "moves", "returns"].contains(verb) {
            return next == "to" && rest.dropFirst().first.map(isLevel) == true
        }
        return ["slows", "ends", "resumes", "pauses"].contains(verb) && rest.prefix(3).contains("easing")
    }

    private static func isNumber(_ word: String) -> Bool { word.utf8.first.map { $0 >= 0x30 && $0 <= 0x39 } ?? false }

    private static func isLevel(_ word: String) -> Bool {
        isNumber(word) || ["zero", "highest", "lowest", "record"].contains(word)
    }

    private static let rests: Set<String> = [
        "stands pat", "stand pat", "stood pat", "stands still", "stands firm", "stays put", "stay put", "sits tight",
        "sits still", "sits pat", "holds fire", "holds steady", "holds firm", "holds off", "on hold", "the sidelines",
        "leaves policy", "keeps policy", "holds policy",
    ]
    private static let adverbs: Set<String> = ["again", "also", "finally", "unexpectedly", "still", "once", "more"]
    private static let moves: Set<String> = [
        "eases", "eased", "tightens", "tightened", "loosens", "hikes", "hiked", "pauses", "paused",
    ]
    private static let changes: Set<String> = [
        "cuts", "raises", "raised", "lifts", "lifted", "lowers", "lowered", "trims", "trimmed", "slashes", "slashed",
        "holds", "held", "keeps", "leaves",
    ]
    private static let continuations: Set<String> = [
        "again", "as", "after", "amid", "despite", "for", "to", "by", "further", "in", "on", "and", "but", "with",
        "policy",
        "says", "while", "until",
    ]
    private static let objects: Set<String> = [
        "rate", "rates", "policy", "borrowing", "deposit", "benchmark", "repo", "selic",
    ]
}
