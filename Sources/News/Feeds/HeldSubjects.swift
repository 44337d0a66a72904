package import Basics

/// The holdings of a reader that a text is about, which no story groups with others: one that the reader sent.
package struct HeldSubjects: Sendable, Hashable {
    /// The reader's tickers that the title names, in the reader's order.
    package let tickers: [String]
    /// Whether the title reports an event that matters to somebody who invests, by the rule for impact.
    package let reportsEvent: Bool
    private let title: String

    /// - Parameters:
    ///   - title: The title, or the first line of the text.
    ///   - holdings: The reader's tickers.
    package init(title: String, holdings: [String]) {
        self.title = title
        reportsEvent = ImpactEvent.common(in: [title]) != nil
        let named = Set(TickerRecognizer().read(title).mentions.map(\.ticker))
        tickers = holdings.filter { TickerSymbol($0).map(named.contains) ?? false }
    }

    /// `You hold F: a recall`; `nil` when the title names no holding.
    package func reason(in language: Language) -> String? {
        guard !tickers.isEmpty else { return nil }
        let words = SignalWords(language: language)
        return words.holds(
            tickers, words.event(StoryEvent(titles: [title]), tone: StoryTone(titles: [title]), in: title))
    }
}
