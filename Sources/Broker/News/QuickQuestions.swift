/// Questions that an app offers below an article, so that nobody has to type: common ones, and such as the article
/// suggests by what stands in it. No model takes part.
struct QuickQuestions: Sendable {
    /// How many are offered.
    private static let most = 4

    let all: [String]

    /// - Parameters:
    ///   - title: The article's title.
    ///   - text: As much of its text as there is.
    ///   - tickers: The symbols that it names.
    init(title: String, text: String, tickers: [String]) {
        var questions = ["What happened?", "Why does it matter?"]
        if let ticker = tickers.first { questions.append("What does it mean for \(ticker)?") }
        if (title + text).contains(where: \.isNumber) { questions.append("What do the figures say?") }
        if Self.quotes.contains(where: text.contains) { questions.append("Who said what?") }
        questions += ["Who is involved?", "What happens next?"]
        all = Array(questions.prefix(Self.most))
    }

    private static let quotes = ["\u{201C}", "\"", " said ", " says "]
}
