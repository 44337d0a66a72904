/// A term of an article and how much it weighs before anything is known of the day.
struct Term: Hashable {
    var text: String
    var weight: Double
}

/// Turns a headline into terms.
struct TermReader {
    let rules: GroupingRules
    private let recognizer = TickerRecognizer()

    /// The terms of an article, each once, the strongest occurrence deciding; the description counts for less.
    func terms(of article: StoryArticle) -> [Term] {
        var weights: [String: Double] = [:]
        var order: [String] = []
        func add(_ text: String, _ weight: Double) {
            guard weight > 0 else { return }
            if let known = weights[text] {
                weights[text] = max(known, weight)
            } else {
                weights[text] = weight
                order.append(text)
            }
        }
        let title = HeadlineCleaner.clean(article.title, source: article.source)
        read(title, scale: 1, add)
        if rules.ticker > 0 {
            for ticker in recognizer.tickers(in: title) { add("$" + ticker.text, rules.ticker) }
        }
        if let description = article.description, rules.description > 0 {
            read(String(description.unicodeScalars.prefix(400)), scale: rules.description, add)
        }
        return order.map { Term(text: $0, weight: weights[$0] ?? 0) }
    }

    private func read(_ text: String, scale: Double, _ add: (String, Double) -> Void) {
        let words = Words.of(text)
        let capitals = words.count { $0.written.first?.isUppercase == true }
        /// In `Title Case` a capital says nothing.
        let sentenceCase = Double(capitals) < 0.6 * Double(words.count)
        var previous: String?
        for (position, word) in words.enumerated() {
            let stem = Synonyms.of(Stemmer.stem(word.folded))
            if CommonWords.functional.contains(stem) {
                previous = nil
                continue
            }
            var weight = 1.0
            if stem.utf8.first.map({ $0 >= 0x30 && $0 <= 0x39 }) == true {
                weight = rules.number
            } else if CommonWords.generic.contains(stem) || stem.utf8.count == 1 {
                weight = rules.generic
            } else if sentenceCase, position > 0, word.written.first?.isUppercase == true {
                weight = rules.capitalised
            }
            add(stem, weight * scale)
            if let previous, rules.bigram > 0 { add(previous + " " + stem, rules.bigram * scale) }
            previous = stem
        }
    }
}
