internal import Basics

/// A company or an asset that a text names.
package struct CompanyMention: Sendable, Hashable {
    package var ticker: TickerSymbol
    /// Its first place, in scalars.
    package var place: Int
    /// The words of the name as written; empty for a symbol.
    package var words: [String]
    /// How sure it is that the company is meant, 0 to 1: 1 for a symbol marked as such, 0.95 for a unique name, 0.9 for
    /// a name with a word of business beside it, 0.8 for an everyday word with one, 0.7 for a name in a list with
    /// others or a bare symbol, 0.6 for a capital alone.
    package var certainty: Double
}

/// Finds the companies and assets that a text is about, rather missing one than naming a wrong one.
package struct TickerRecognizer: Sendable {
    let directory: CompanyDirectory

    package init(directory: CompanyDirectory = .bundled) { self.directory = directory }

    /// The symbols in the order of their first mention, each once.
    package func tickers(in text: String) -> [TickerSymbol] { mentions(in: text).map(\.ticker) }

    /// The mentions in the order of the text, one for each symbol: its surest.
    package func mentions(in text: String) -> [CompanyMention] { read(text).mentions }

    /// The mentions, and the words, folded, that are companies' names elsewhere and mean something else here: `Gap in
    /// skills`.
    ///
    /// Where each word has a capital, a name that is not recognised may still be the company's, and is no such word.
    func read(_ text: String) -> (mentions: [CompanyMention], ordinary: Set<String>) {
        let (words, language) = PlacedWord.all(in: text)
        let grammar = NameGrammar(words, language)
        let candidates = candidates(grammar)
        let marked = SymbolScanner(text: text).symbols(knownBy: directory).map {
            CompanyMention(ticker: $0.ticker, place: $0.place, words: [], certainty: 1)
        }
        var surest: [TickerSymbol: CompanyMention] = [:]
        for mention in marked + candidates.compactMap({ $0.mention(in: grammar.words) }) {
            guard var known = surest[mention.ticker] else {
                surest[mention.ticker] = mention
                continue
            }
            if known.words.isEmpty { known.words = mention.words }
            known.place = min(known.place, mention.place)
            known.certainty = max(known.certainty, mention.certainty)
            surest[mention.ticker] = known
        }
        let mentions = surest.values.sorted { ($0.place, $0.ticker) < ($1.place, $1.ticker) }
        return (mentions, ordinaryWords(candidates, grammar))
    }

    /// The symbols of an article, each once: its title's, then its description's, then those that its source names.
    package func tickers(of article: StoryArticle) -> [TickerSymbol] {
        let found = tickers(in: article.title) + tickers(in: String((article.description ?? "").prefix(scalars: 1000)))
        var seen: Set<TickerSymbol> = []
        return (found + article.tickers).filter { seen.insert($0).inserted }
    }

    // MARK: - Names

    /// A name that a company has, and whether the text shows that the company is meant.
    private struct Candidate {
        var alias: CompanyDirectory.Alias
        var range: Range<Int>
        var certainty: Double?

        func mention(in words: [PlacedWord]) -> CompanyMention? {
            certainty.map {
                CompanyMention(
                    ticker: alias.ticker, place: words[range.lowerBound].place, words: words[range].map(\.written),
                    certainty: $0)
            }
        }
    }

    private func ordinaryWords(_ candidates: [Candidate], _ grammar: NameGrammar) -> Set<String> {
        let words = grammar.words
        let names = Set(candidates.filter { $0.certainty != nil }.flatMap { words[$0.range].map { fold($0.written) } })
        var ordinary: Set<String> = []
        for candidate in candidates where candidate.certainty == nil && candidate.range.count == 1 {
            if !grammar.isTitleCase { ordinary.insert(fold(words[candidate.range.lowerBound].written)) }
        }
        for word in words where !word.isCapitalised {
            let isName = directory.aliases[word.written]?.contains { $0.words.count == 1 && $0.certainty != .certain }
            if isName == true { ordinary.insert(fold(word.written)) }
        }
        return ordinary.subtracting(names).filter { Wording.isSpecific(Stemmer.stem($0)) }
    }

    private func fold(_ word: String) -> String { Words.of(word).first?.folded ?? "" }

    /// The names in a text, each with its certainty.
    private func candidates(_ grammar: NameGrammar) -> [Candidate] {
        let words = grammar.words
        var found: [Candidate] = []
        var position = 0
        while position < words.count {
            let here = (directory.aliases[words[position].written.lowercased()] ?? []).filter {
                matches($0, words, at: position)
            }
            let candidates = here.map {
                Candidate(
                    alias: $0, range: position..<position + $0.words.count,
                    certainty: grammar.certainty(of: $0, at: position))
            }
            if let best = candidates.first(where: { $0.certainty != nil }) ?? candidates.first {
                found.append(best)
                position = best.range.upperBound
            } else {
                if let symbol = bareSymbol(words, at: position) { found.append(symbol) }
                position += 1
            }
        }
        return acceptingLists(acceptingPairs(found, grammar), words)
    }

    /// Two names that open the headline before a verb of both (`Apple, Goldman end partnership`) are those of companies,
    /// even where a list knows one alone.
    private func acceptingPairs(_ candidates: [Candidate], _ grammar: NameGrammar) -> [Candidate] {
        let words = grammar.words
        guard let first = candidates.first, first.range.lowerBound == 0, !grammar.isTitleCase else { return candidates }
        var place = first.range.upperBound
        guard place < words.count, words[place].followsComma || words[place].lower == "and" else { return candidates }
        if words[place].lower == "and" { place += 1 }
        let start = place
        while place < words.count, words[place].isCapitalised, place - start < 3 { place += 1 }
        guard place > start, grammar.haveVerb(after: place) else { return candidates }
        return candidates.map { candidate in
            var candidate = candidate
            if candidate.range.upperBound <= place, words[candidate.range.lowerBound].isCapitalised {
                candidate.certainty = candidate.certainty ?? 0.7
            }
            return candidate
        }
    }

    /// In a list of companies (`Ford, Toyota recall …`), an ambiguous name beside a recognised one is a company's too.
    private func acceptingLists(_ candidates: [Candidate], _ words: [PlacedWord]) -> [Candidate] {
        var candidates = candidates
        func areListed(_ left: Candidate, _ right: Candidate) -> Bool {
            let between = words[left.range.upperBound..<right.range.lowerBound]
            if between.isEmpty { return words[right.range.lowerBound].followsComma }
            return between.count == 1 && between.allSatisfy { ["and", "vs", "vs.", "or", "v"].contains($0.lower) }
        }
        for order in [Array(candidates.indices), candidates.indices.reversed()] {
            for (place, neighbour) in zip(order.dropFirst(), order) where candidates[place].certainty == nil {
                let pair = [candidates[min(place, neighbour)], candidates[max(place, neighbour)]]
                if candidates[neighbour].certainty != nil, areListed(pair[0], pair[1]),
                    words[candidates[place].range].allSatisfy(\.isCapitalised),
                    !isPartOfName(candidates[place], words)
                {
                    candidates[place].certainty = 0.7
                }
            }
        }
        return candidates
    }

    /// `Harrison Ford, Toyota`: the capital before belongs to a person.
    private func isPartOfName(_ candidate: Candidate, _ words: [PlacedWord]) -> Bool {
        let start = candidate.range.lowerBound
        guard start > 0, !words[start].opensClause, words[start - 1].isCapitalised else { return false }
        let before = words[start - 1].lower
        return !BusinessWords.leading.contains(before) && !CommonWords.functional.contains(Stemmer.stem(before))
    }

    /// `TSLA stock slides`: a symbol of three letters or more that is no word, beside a word of business.
    private func bareSymbol(_ words: [PlacedWord], at position: Int) -> Candidate? {
        let word = words[position].written
        guard (3...5).contains(word.utf8.count), word.utf8.allSatisfy({ $0 >= 0x41 && $0 <= 0x5A }),
            !SymbolScanner.remarks.contains(word), let ticker = TickerSymbol(word), directory.knows(ticker),
            position + 1 < words.count, BusinessWords.beside.contains(words[position + 1].lower)
        else { return nil }
        let alias = CompanyDirectory.Alias(ticker: ticker, words: [word], certainty: .context, isPossessive: false)
        return Candidate(alias: alias, range: position..<position + 1, certainty: 0.7)
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
}
