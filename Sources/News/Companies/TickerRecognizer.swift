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
    package func mentions(in text: String) -> [CompanyMention] {
        let marked = SymbolScanner(text: text).symbols(knownBy: directory).map {
            CompanyMention(ticker: $0.ticker, place: $0.place, words: [], certainty: 1)
        }
        var surest: [TickerSymbol: CompanyMention] = [:]
        for mention in marked + names(in: text) {
            guard var known = surest[mention.ticker] else {
                surest[mention.ticker] = mention
                continue
            }
            if known.words.isEmpty { known.words = mention.words }
            known.place = min(known.place, mention.place)
            known.certainty = max(known.certainty, mention.certainty)
            surest[mention.ticker] = known
        }
        return surest.values.sorted { ($0.place, $0.ticker) < ($1.place, $1.ticker) }
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
    }

    private func names(in text: String) -> [CompanyMention] {
        let words = PlacedWord.all(in: text)
        return candidates(in: words).compactMap { candidate in
            candidate.certainty.map {
                CompanyMention(
                    ticker: candidate.alias.ticker, place: words[candidate.range.lowerBound].place,
                    words: words[candidate.range].map(\.written), certainty: $0)
            }
        }
    }

    /// The words of a text, folded, that are companies' names elsewhere and mean something else here: `Gap in skills`.
    ///
    /// Where each word has a capital, a name that is not recognised may still be the company's, and is left out.
    func ordinaryWords(in text: String) -> Set<String> {
        let words = PlacedWord.all(in: text)
        let candidates = candidates(in: words)
        let isTitleCase = Self.isTitleCase(words)
        let names = Set(candidates.filter { $0.certainty != nil }.flatMap { words[$0.range].map { fold($0.written) } })
        var ordinary: Set<String> = []
        for candidate in candidates where candidate.certainty == nil && candidate.range.count == 1 && !isTitleCase {
            ordinary.insert(fold(words[candidate.range.lowerBound].written))
        }
        for word in words where !word.isCapitalised {
            let isName = directory.aliases[word.written]?.contains { $0.words.count == 1 && $0.certainty != .certain }
            if isName == true { ordinary.insert(fold(word.written)) }
        }
        return ordinary.subtracting(names).filter { Wording.isSpecific(Stemmer.stem($0)) }
    }

    private func fold(_ word: String) -> String { Words.of(word).first?.folded ?? "" }

    private static func isTitleCase(_ words: [PlacedWord]) -> Bool {
        let lettered = words.filter { $0.written.first?.isLetter == true }
        return Double(lettered.count { $0.isCapitalised }) >= 0.6 * Double(lettered.count)
    }

    /// The names in a text, each with its certainty.
    private func candidates(in words: [PlacedWord]) -> [Candidate] {
        let isTitleCase = Self.isTitleCase(words)
        var found: [Candidate] = []
        var position = 0
        while position < words.count {
            let here = (directory.aliases[words[position].written.lowercased()] ?? []).filter {
                matches($0, words, at: position)
            }
            let candidates = here.map {
                Candidate(
                    alias: $0, range: position..<position + $0.words.count,
                    certainty: certainty($0, words, at: position, isTitleCase: isTitleCase))
            }
            if let best = candidates.first(where: { $0.certainty != nil }) ?? candidates.first {
                found.append(best)
                position = best.range.upperBound
            } else {
                if let symbol = bareSymbol(words, at: position, isTitleCase: isTitleCase) { found.append(symbol) }
                position += 1
            }
        }
        return acceptingLists(found, words)
    }

    /// In a list of companies (`Ford, Toyota recall …`), an ambiguous name beside a recognised one is a company's too.
    private func acceptingLists(_ candidates: [Candidate], _ words: [PlacedWord]) -> [Candidate] {
        var candidates = candidates
        func areListed(_ left: Candidate, _ right: Candidate) -> Bool {
            let between = words[left.range.upperBound..<right.range.lowerBound]
            if between.isEmpty { return words[right.range.lowerBound].followsComma }
            return between.count == 1 && between.allSatisfy { ["and", "vs", "vs.", "or", "v"].contains($0.written) }
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
        let before = words[start - 1].written.lowercased()
        return !BusinessWords.leading.contains(before) && !CommonWords.functional.contains(Stemmer.stem(before))
    }

    /// `TSLA stock slides`: a symbol of three letters or more that is no word, beside a word of business.
    private func bareSymbol(_ words: [PlacedWord], at position: Int, isTitleCase: Bool) -> Candidate? {
        let word = words[position].written
        guard (3...5).contains(word.utf8.count), word.utf8.allSatisfy({ $0 >= 0x41 && $0 <= 0x5A }),
            !SymbolScanner.remarks.contains(word), let ticker = TickerSymbol(word), directory.knows(ticker),
            position + 1 < words.count, BusinessWords.beside.contains(words[position + 1].written.lowercased())
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

    /// How sure it is that the name is the company's; `nil` where something else is likelier.
    private func certainty(
        _ alias: CompanyDirectory.Alias, _ words: [PlacedWord], at position: Int, isTitleCase: Bool
    ) -> Double? {
        if alias.certainty == .certain { return 0.95 }
        let after = position + alias.words.count
        let last = words[after - 1]
        let next = after < words.count && !words[after].opensClause ? words[after] : nil
        let previous = position > 0 && !words[position].opensClause ? words[position - 1] : nil
        if let next, BusinessWords.legalForms.contains(next.written.lowercased()) { return 0.95 }
        let nextWord = next?.written.lowercased()
        // `First Apple TV update`: a product names its company after any words.
        let isOwner = nextWord.map(BusinessWords.products.contains) ?? false
        if alias.certainty == .capital, isOwner, next?.isCapitalised == true { return 0.9 }
        if let previous, previous.isCapitalised, !previous.isPossessive {
            // `Harrison Ford`, `Big Apple`: part of another name.
            let before = previous.written.lowercased()
            let stem = Stemmer.stem(Words.of(previous.written).first?.folded ?? "")
            if !BusinessWords.leading.contains(before),
                !CommonWords.functional.contains(stem) || BusinessWords.otherNames.contains(before)
            {
                return nil
            }
        }
        let isRated =
            nextWord == "price" && after + 1 < words.count && words[after + 1].written.lowercased().hasPrefix("target")
        if let nextWord, !isRated, BusinessWords.otherThings.contains(nextWord) { return nil }
        let isActor =
            (nextWord.map(BusinessWords.beside.contains) ?? false)
            || isIntention(words, at: after, opensHeadline: previous == nil)
        switch alias.certainty {
        case .certain: return 0.95
        case .context:
            if isActor { return nextWord == "to" && isTitleCase && previous != nil ? nil : 0.8 }
            if previous == nil, next?.isCapitalised == false, nextWord.map(BusinessWords.verbs.contains) == true {
                return 0.7
            }
            let following = words[after...].prefix(3)
            if last.isPossessive, following.contains(where: { BusinessWords.beside.contains($0.written.lowercased()) })
            {
                return 0.8
            }
            return isObject(words, position, after) ? 0.7 : nil
        case .capital:
            if isActor || last.isPossessive || nextWord.map(BusinessWords.deeds.contains) == true { return 0.9 }
            let isSentenceCase = !isTitleCase && position > 0 && previous != nil
            if let next, next.isCapitalised, isSentenceCase,
                !CommonWords.generic.contains(Stemmer.stem(next.written.lowercased()))
            {
                return BusinessWords.products.contains(next.written.lowercased()) ? 0.8 : nil
            }
            let hasContext = words.contains {
                BusinessWords.products.contains($0.written.lowercased())
                    || BusinessWords.markets.contains($0.written.lowercased())
            }
            if hasContext { return 0.8 }
            return isSentenceCase ? 0.6 : nil
        }
    }

    /// `Meta to cut 10,000 jobs`, `Target must face suit`: an intention of business right after the name that opens
    /// the headline.
    private func isIntention(_ words: [PlacedWord], at after: Int, opensHeadline: Bool) -> Bool {
        guard opensHeadline, after + 1 < words.count, !words[after].opensClause else { return false }
        let helper = words[after].written.lowercased()
        if ["first", "second", "third", "fourth", "full"].contains(helper) {
            return ["quarter", "year"].contains(words[after + 1].written.lowercased())
        }
        guard ["to", "will", "must", "may", "could", "in", "is", "and"].contains(helper) else { return false }
        return BusinessWords.intentions.contains(words[after + 1].written.lowercased())
            || helper == "and" && words[after + 1].isCapitalised
                && words[(after + 1)...].contains { BusinessWords.dealings.contains($0.written.lowercased()) }
    }

    /// `lawsuit accuses Target of …`, `workers at Gap`, `takeover of Block`: the object of a deed of business.
    private func isObject(_ words: [PlacedWord], _ position: Int, _ after: Int) -> Bool {
        guard position > 0, !words[position].opensClause, words[position].isCapitalised,
            words[..<position].contains(where: { !$0.isCapitalised }) || position == 1
        else { return false }
        let before = words[position - 1].written.lowercased()
        let isLinked = BusinessWords.links.contains(before) || BusinessWords.dealings.contains(before)
        let around = words[max(0, position - 4)..<position] + words[after..<min(words.count, after + 3)]
        return isLinked && around.contains { BusinessWords.dealings.contains($0.written.lowercased()) }
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
    /// Whether a comma stands before it.
    var followsComma = false

    var isCapitalised: Bool { written.contains { $0.isUppercase } }

    /// The words of a text, at most 1,000.
    static func all(in text: String) -> [PlacedWord] {
        var words: [PlacedWord] = []
        var current = String.UnicodeScalarView()
        var start = 0
        var opens = true
        var pendingBreak = false
        var (comma, pendingComma) = (false, false)
        func finish() {
            guard !current.isEmpty else { return }
            for part in Words.of(String(current)) {
                words.append(
                    PlacedWord(
                        written: part.written, place: start,
                        isPossessive: String(current).hasSuffix("'s") && !part.written.hasSuffix("'s"),
                        opensClause: opens, followsComma: comma))
                opens = false
                comma = false
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
                    comma = pendingComma
                    pendingComma = false
                }
                current.append(scalar == "\u{2019}" ? "'" : scalar)
            } else {
                // The end of a sentence, but not of `J.P.` or `Co.`.
                if current.last == ".", current.count > 3, current.count(where: { $0 == "." }) == 1 {
                    pendingBreak = true
                }
                finish()
                if scalar == "," { pendingComma = true }
                if ":;,()|?!\"\u{201C}\u{201D}\u{2013}\u{2014}".unicodeScalars.contains(scalar) { pendingBreak = true }
            }
        }
        finish()
        return words
    }
}
