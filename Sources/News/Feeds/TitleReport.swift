internal import Basics
internal import Synchronization

/// What a title reports, read by itself: the event, the topic and the tone that it adds to those of its story.
struct TitleReport: Sendable, Hashable {
    /// The gravest event; `nil` where the title names none or tells of no event of its own day.
    let event: ImpactEvent?
    /// `nil` where the title names none.
    let topic: StoryTopic?
    let tone: StoryTone

    /// The report of a title. Feeds are made from the same titles at each request, and a reading takes longer than all
    /// else in a feed, so the last ones are kept.
    static func of(_ title: String) -> TitleReport {
        guard title.utf8.count <= longestKept else { return TitleReport(reading: title) }
        let key = Array(title.utf8)
        if let report = kept.withLock({ $0.report(of: key) }) { return report }
        let report = TitleReport(reading: title)
        kept.withLock { $0.keep(report, of: key) }
        return report
    }

    private init(reading title: String) {
        let words = HeadlineWords.of(title).words.map(\.folded)
        let kinds = EventKind.kinds(of: words)
        event = ImpactEvent(reportedIn: title)
        topic = StoryTopic(words: words, kinds)
        tone = StoryTone(words: words, kinds)
    }

    // MARK: Readings that are kept

    /// Bytes of a title; longer ones are read each time.
    private static let longestKept = 500
    private static let kept = Mutex(Kept())

    /// Two generations of at most 8,192 reports each; a report that is used moves into the young one.
    private struct Kept {
        static let generation = 8192
        var young: [[UInt8]: TitleReport] = [:]
        var old: [[UInt8]: TitleReport] = [:]

        mutating func report(of title: [UInt8]) -> TitleReport? {
            if let report = young[title] { return report }
            guard let report = old[title] else { return nil }
            keep(report, of: title)
            return report
        }

        mutating func keep(_ report: TitleReport, of title: [UInt8]) {
            if young.count >= Self.generation { (old, young) = (young, [:]) }
            young[title] = report
        }
    }
}

extension ImpactEvent {
    /// The gravest event that a title reports.
    fileprivate init?(reportedIn title: String) {
        let words = Words.of(title)
        let stems = words.map { Stemmer.stem($0.folded) }
        if ImpactContext.asides.match(stems) { return nil }
        let context = ImpactContext(
            title: title, words: words, stems: stems, reading: HeadlineReading(title: title))
        guard let event = Self.allCases.first(where: context.events.contains) else { return nil }
        self = event
    }
}
