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
        if let report = kept.withLock({ $0.value(of: key) }) { return report }
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

    /// Bytes of a title; longer ones are read each time.
    private static let longestKept = 500
    private static let kept = Mutex(RecentValues<[UInt8], TitleReport>(generation: 8192))
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
