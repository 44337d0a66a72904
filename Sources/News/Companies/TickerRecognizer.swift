internal import Basics

/// Finds the companies and assets that a text is about, rather missing one than naming a wrong one.
package struct TickerRecognizer: Sendable {
    private let directory: CompanyDirectory

    package init(directory: CompanyDirectory = .bundled) { self.directory = directory }

    /// The symbols in the order of their first mention, each once.
    package func tickers(in text: String) -> [TickerSymbol] {
        var found: [(place: Int, ticker: TickerSymbol)] = []
        let marked = SymbolScanner(text: text)
        found += marked.symbols(knownBy: directory)
        found += names(in: text)
        var seen: Set<TickerSymbol> = []
        return found.sorted { ($0.place, $0.ticker) < ($1.place, $1.ticker) }.map(\.ticker).filter {
            seen.insert($0).inserted
        }
    }

    /// The symbols of an article, each once: its title's, then its description's, then those that its source names.
    package func tickers(of article: StoryArticle) -> [TickerSymbol] {
        let found = tickers(in: article.title) + tickers(in: String((article.description ?? "").prefix(scalars: 1000)))
        var seen: Set<TickerSymbol> = []
        return (found + article.tickers).filter { seen.insert($0).inserted }
    }

    // MARK: - Names

    private func names(in text: String) -> [(place: Int, ticker: TickerSymbol)] {
        let words = PlacedWord.all(in: text)
        let lettered = words.filter { $0.written.first?.isLetter == true }
        let isTitleCase = Double(lettered.count { $0.isCapitalised }) >= 0.6 * Double(lettered.count)
        var found: [(place: Int, ticker: TickerSymbol)] = []
        var position = 0
        while position < words.count {
            let here = directory.aliases[words[position].written.lowercased()] ?? []
            let match = here.first { alias in
                matches(alias, words, at: position)
                    && isMeant(alias, words, at: position, isTitleCase: isTitleCase)
            }
            if let match {
                found.append((words[position].place, match.ticker))
                position += match.words.count
            } else {
                position += 1
            }
        }
        return found
    }

    private func matches(_ alias: CompanyDirectory.Alias, _ words: [PlacedWord], at position: Int) -> Bool {
        guard position + alias.words.count <= words.count, !alias.isPossessive || words[position].isPossessive
        else { return false }
        for (offset, part) in alias.words.enumerated() {
            let word = words[position + offset]
            guard offset == 0 || !word.opensClause else { return false }
            // `NVIDIA` and `Nvidia` are one name, `apple` and `Apple` are not.
            guard
                word.written == part
                    || part.count > 3 && word.written.lowercased() == part.lowercased() && word.isCapitalised
            else { return false }
        }
        return true
    }

    private func isMeant(
        _ alias: CompanyDirectory.Alias, _ words: [PlacedWord], at position: Int, isTitleCase: Bool
    ) -> Bool {
        if alias.certainty == .certain { return true }
        let after = position + alias.words.count
        let last = words[after - 1]
        let next = after < words.count && !words[after].opensClause ? words[after] : nil
        let previous = position > 0 && !words[position].opensClause ? words[position - 1] : nil
        if let next, BusinessWords.legalForms.contains(next.written.lowercased()) { return true }
        let nextWord = next?.written.lowercased()
        // `First Apple TV update`: a product names its company after any words.
        let isOwner = nextWord.map(BusinessWords.products.contains) ?? false
        if alias.certainty == .capital, isOwner, next?.isCapitalised == true { return true }
        if let previous, previous.isCapitalised, !previous.isPossessive {
            // `Harrison Ford`, `Big Apple`: part of another name.
            let stem = Stemmer.stem(Words.of(previous.written).first?.folded ?? "")
            if !BusinessWords.leading.contains(previous.written.lowercased()),
                !CommonWords.functional.contains(stem)
                    || BusinessWords.otherNames.contains(previous.written.lowercased())
            {
                return false
            }
        }
        if let nextWord, BusinessWords.otherThings.contains(nextWord) { return false }
        let isActor = nextWord.map(BusinessWords.beside.contains) ?? false
        switch alias.certainty {
        case .certain: return true
        case .context:
            if isActor { return !(nextWord == "to" && isTitleCase && position > 0 && previous != nil) }
            let following = words[after...].prefix(3)
            return last.isPossessive && following.contains { BusinessWords.beside.contains($0.written.lowercased()) }
        case .capital:
            if isActor || last.isPossessive || nextWord.map(BusinessWords.deeds.contains) == true { return true }
            let isSentenceCase = !isTitleCase && position > 0 && previous != nil
            if let next, next.isCapitalised, isSentenceCase,
                !CommonWords.generic.contains(Stemmer.stem(next.written.lowercased()))
            {
                return BusinessWords.products.contains(next.written.lowercased())
            }
            return isSentenceCase
                || words.contains { BusinessWords.products.contains($0.written.lowercased()) }
                || words.contains { BusinessWords.markets.contains($0.written.lowercased()) }
        }
    }
}

/// A word with its place in a text, for matching names.
struct PlacedWord {
    /// With its hyphens, without quotes and a possessive's ending.
    var written: String
    /// Its place, in scalars.
    var place: Int
    var isPossessive: Bool
    /// Whether a clause begins here.
    var opensClause: Bool

    var isCapitalised: Bool { written.contains { $0.isUppercase } }

    /// The words of a text, at most 1,000.
    static func all(in text: String) -> [PlacedWord] {
        var words: [PlacedWord] = []
        var current = String.UnicodeScalarView()
        var start = 0
        var opens = true
        var pendingBreak = false
        func finish() {
            guard !current.isEmpty else { return }
            for part in Words.of(String(current)) {
                words.append(
                    PlacedWord(
                        written: part.written, place: start,
                        isPossessive: String(current).hasSuffix("'s") && !part.written.hasSuffix("'s"),
                        opensClause: opens))
                opens = false
            }
            current.removeAll()
        }
        for (place, scalar) in text.unicodeScalars.enumerated() {
            guard words.count < 1000 else { break }
            let isWord = scalar.properties.isAlphabetic || Words.isDigit(scalar)
            let isInner = scalar == "&" || scalar == "'" || scalar == "\u{2019}" || scalar == "."
            if isWord || isInner && !current.isEmpty {
                if current.isEmpty {
                    start = place
                    opens = words.isEmpty || pendingBreak
                    pendingBreak = false
                }
                current.append(scalar == "\u{2019}" ? "'" : scalar)
            } else {
                // The end of a sentence, but not of `J.P.` or `Co.`.
                if current.last == ".", current.count > 3, current.count(where: { $0 == "." }) == 1 {
                    pendingBreak = true
                }
                finish()
                if ":;,()|?!\"\u{201C}\u{201D}\u{2013}\u{2014}".unicodeScalars.contains(scalar) { pendingBreak = true }
            }
        }
        finish()
        return words
    }
}
