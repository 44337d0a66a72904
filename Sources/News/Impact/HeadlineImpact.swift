internal import Basics
internal import JobQueue

/// How much what one headline reports matters to people who invest, by rule: the kind of event, whom it reaches, how
/// directly it is told, and the size that words and figures give it.
///
/// `points` are tenths of a level; `ImpactRule` has the thresholds and the table.
struct HeadlineImpact: Sendable, Hashable {
    /// The event that weighs most; `nil` where the headline names none.
    var event: ImpactEvent?
    var points: Int
    /// Whether the headline tells of no event of its own day: a review, a history, a list, an opinion.
    var isAside: Bool

    init(title: String, reading: HeadlineReading) {
        let words = Words.of(title)
        let stems = words.map { Stemmer.stem(Self.withoutElision($0)) }
        let context = ImpactContext(title: title, words: words, stems: stems, reading: reading)
        let isOpinion = reading.form == .note("") && context.isDoubted
        isAside = reading.form == .list || isOpinion || context.isLeisure || ImpactContext.asides.match(stems)
        (event, points) = (nil, 0)
        guard !isAside else { return }
        for event in ImpactEvent.allCases where context.events.contains(event) {
            let weight = ImpactRule.points(of: event, in: context)
            if weight > points || self.event == nil { (self.event, points) = (event, weight) }
        }
        guard event != nil else { return }
        if context.isMinor { points -= 4 }
        if context.isLocal { points -= 10 }
        if context.isDoubted { points -= 10 } else if context.isAlleged { points -= 5 }
        points = max(0, points)
    }

    /// `inflation` for `l'inflation`.
    private static func withoutElision(_ word: Word) -> String {
        guard let mark = word.written.firstIndex(of: "'") else { return word.folded }
        let article = word.written[..<mark].lowercased()
        guard ["l", "d", "qu", "s", "n"].contains(article) else { return word.folded }
        return String(word.folded.dropFirst(article.count))
    }
}
