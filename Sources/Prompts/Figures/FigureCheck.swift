package import Basics
package import JSON

/// Compares every figure of a text with the facts that it was written from.
package struct FigureCheck: Sendable {
    /// A figure that no fact supports.
    package struct Unsupported: Sendable, Hashable {
        package enum Reason: Sendable, Hashable {
            /// No fact rounds to it.
            case notFound
            /// A fact has this amount with the other sign.
            case wrongSign(fact: String)
            /// It is ten, a hundred or a thousand times the fact that the sentence names, or that part of it.
            case wrongScale(fact: String)
            /// The sources count the same things and give another number.
            case otherCount
        }

        /// The text of the figure, with its unit.
        package var figure: String
        /// The sentence that contains it.
        package var sentence: String
        package var reason: Reason
    }

    private let facts: [Fact]
    private let index: FactIndex
    private let quotable: [TextFigure]
    private let sources: [String]
    private let spans: SpanCounts
    /// The number of facts at the beginning whose labels are names.
    private let namedFacts: Int
    private let language: Language

    /// A check by facts.
    ///
    /// - Parameters:
    ///   - facts: The facts that a text may state.
    ///   - quotable: Texts whose figures may be repeated as written, such as the questions of a checklist
    ///     ("above 15 %?"). Facts belong into `facts`.
    ///   - sources: Texts whose figures are facts, and whose small counts ("two cities") must not be contradicted.
    ///   - language: The language of the texts that are checked.
    package init(
        facts: [Fact], quotable: [String] = [], sources: [String] = [], language: Language = .english
    ) {
        self.facts = facts + sources.flatMap { Fact.stated(in: $0) }
        index = FactIndex(self.facts)
        namedFacts = facts.count
        self.sources = sources
        spans = SpanCounts(sources)
        self.language = language
        self.quotable = quotable.flatMap { text in
            let plain = NormalizedText(text)
            return FigureScanner.figures(in: plain, LanguageDetector(plain).language ?? .english)
        }
    }

    /// The figures of a text that are not in the facts, in their order.
    package func unsupported(in text: String) -> [Unsupported] {
        let text = FiguredText.of(text, language)
        let (plain, tokens, figures) = (text.plain, text.tokens, text.figures)
        let all = VagueFigure.all(in: plain, language, tokens: tokens)
        let counts =
            SmallCount.contradictions(among: tokens, language, sources: sources).map(\.range)
            + spans.contradictions(among: tokens, language)
        guard !figures.isEmpty || !all.isEmpty || !counts.isEmpty else { return [] }
        let vague = all.filter { figure in !facts.contains(where: figure.covers) }
        let hasRough = language == .english && figures.contains(where: \.isRough)
        let told = SourceSentences(hasRough ? sources : [], language)
        return figures.compactMap { problem(with: $0, beside: figures, in: text.sentence(of: $0), told) }
            + vague.map { Unsupported(figure: $0.text, sentence: text.sentence(at: $0.range), reason: .notFound) }
            + counts.map {
                Unsupported(figure: plain.string($0), sentence: text.sentence(at: $0), reason: .otherCount)
            }
    }

    private func problem(
        with figure: TextFigure, beside others: [TextFigure], in read: FiguredText.ReadSentence, _ told: SourceSentences
    ) -> Unsupported? {
        let (sentence, words, perDollar) = (read.text, read.words, read.perDollar)
        if perDollar.isBase(figure) { return nil }
        let candidate = perDollar.complete(figure)
        var wrongSign: Fact?
        var isStated = false
        let isRough = language == .english && figure.isRough
        // "Nearly half of each sale, 46.9%"
        func isExplained(_ fact: Fact) -> Bool {
            others.contains { other in
                !other.isRough && abs(other.tokens.lowerBound - figure.tokens.upperBound) < 12
                    && FigureMatch.outcome(other, fact, in: words) == .stated
            }
        }
        for place in index.candidates(for: candidate) {
            let fact = facts[place]
            switch FigureMatch.outcome(candidate, fact, in: words) {
            case .stated:
                // The fact that the sentence names, or one without a name, as those of the sources.
                if place >= namedFacts
                    ? !isRough || Self.isTold(fact, sentence, in: told)
                    : words.names(fact) != false || isRough && Self.isMargin(fact, sentence)
                {
                    return nil
                }
                if isRough, isExplained(fact) { return nil }
                // So rough a figure fits some fact by chance.
                isStated = isStated || !isRough
            case .wrongSign: wrongSign = wrongSign ?? fact
            case .none: break
            }
        }
        if isStated {
            return wrongScale(candidate, words).map {
                Unsupported(figure: figure.text, sentence: sentence, reason: .wrongScale(fact: $0.label))
            }
        }
        if quotable.contains(where: { $0.readings.first == figure.readings.first }) { return nil }
        if isRough, isProportion(figure, read, in: told) { return nil }
        return Unsupported(
            figure: figure.text, sentence: sentence, reason: wrongSign.map { .wrongSign(fact: $0.label) } ?? .notFound)
    }
}

extension FigureCheck {
    /// A place of a text that states a fact.
    package struct Mention: Sendable, Hashable {
        /// In UTF-16 units.
        package var range: Range<Int>
        /// The place among the facts of the check.
        package var fact: Int
    }

    /// The figures of the texts of a value that state facts, each with the path of its text (`risks[0].detail`). Of
    /// several facts with one amount, that whose name and period the sentence shares most with is taken, and none where
    /// the sentence could mean either of two numbers without a unit, such as the points of two questions.
    package func mentions(in value: JSON) -> [(path: String, mention: Mention)] {
        OutputText.all(in: value).flatMap { text in mentions(in: text.text).map { (text.path, $0) } }
    }

    /// A figure of a text with all facts that it can state.
    package struct Statement: Sendable, Hashable {
        /// With its unit.
        package var figure: String
        /// In UTF-16 units.
        package var range: Range<Int>
        /// The places among the facts of the check.
        package var facts: [Int]
    }

    /// The figures of a text that state facts, without those that a text may repeat as they are.
    package func statements(in text: String) -> [Statement] {
        let figured = FiguredText.of(text, language)
        let places = NormalizedText.places(in: text)
        return figured.figures.compactMap { figure in
            let read = figured.sentence(of: figure)
            if read.perDollar.isBase(figure) || quotable.contains(where: { $0.readings.first == figure.readings.first })
            {
                return nil
            }
            let candidate = read.perDollar.complete(figure)
            let stated = index.candidates(for: candidate).filter {
                FigureMatch.outcome(candidate, facts[$0], in: read.words) == .stated
            }
            guard !stated.isEmpty, let begin = places[figure.range].first, let end = places[figure.range].last else {
                return nil
            }
            return Statement(figure: figure.text, range: begin.lowerBound..<end.upperBound, facts: stated)
        }
    }

    func mentions(in text: String) -> [Mention] {
        let figured = FiguredText.of(text, language)
        guard !figured.figures.isEmpty else { return [] }
        let places = NormalizedText.places(in: text)
        return figured.figures.compactMap { figure in
            let read = figured.sentence(of: figure)
            guard let fact = fact(statedBy: figure, in: read), let begin = places[figure.range].first,
                let end = places[figure.range].last
            else { return nil }
            return Mention(range: begin.lowerBound..<end.upperBound, fact: fact)
        }
    }

    private func fact(statedBy figure: TextFigure, in read: FiguredText.ReadSentence) -> Int? {
        if read.perDollar.isBase(figure) { return nil }
        let candidate = read.perDollar.complete(figure)
        lazy var said = Self.words(of: read.text)
        var best: (fact: Int, rank: Int)?
        var isShared = false
        for place in index.candidates(for: candidate) where place < namedFacts {
            let fact = facts[place]
            guard FigureMatch.outcome(candidate, fact, in: read.words) == .stated, read.words.names(fact) != false
            else { continue }
            let name = Self.labels.value(fact.label, Self.words)
            let rank = name.intersection(said).count
            if rank > best?.rank ?? -1 {
                (best, isShared) = ((place, rank), false)
            } else if let known = best, rank == known.rank, fact.unit == .number {
                let other = Self.labels.value(facts[known.fact].label, Self.words)
                isShared = isShared || other != name
            }
        }
        return isShared ? nil : best?.fact
    }

    /// The words of labels of facts, which are the same for every company.
    private static let labels = ReadCache<String, Set<Substring>>(capacity: 64 * 1024) { $0.utf8.count }

    /// The longer words of a text, and its years with or without `FY`.
    private static func words(of text: String) -> Set<Substring> {
        Set(
            text.lowercased().split { !$0.isWordPart }.filter { $0.utf8.count > 3 }.map {
                $0.hasPrefix("fy") ? $0.dropFirst(2) : $0
            })
    }

    /// Whether a sentence of the sources with a rough figure speaks of what this one speaks of: "doubled" of the prices
    /// that rise "twice as fast", not of the loans in the next sentence.
    private static func isTold(_ fact: Fact, _ sentence: String, in told: SourceSentences) -> Bool {
        let own = matters(of: sentence)
        return own.isEmpty || told.hasOtherLanguage
            || told.sentences.contains { $0.contains(fact.label) && !matters(of: $0).isDisjoint(with: own) }
    }

    /// The sentences of the sources that are in the language of the text.
    private struct SourceSentences {
        var sentences: [String] = []
        /// Whether a source is in another language, whose words cannot be compared.
        var hasOtherLanguage = false

        init(_ sources: [String], _ language: Language) {
            for source in sources {
                let plain = NormalizedText(source)
                if LanguageDetector(plain).language ?? .english == language {
                    sentences += Sentences.ranges(in: plain).map(plain.string)
                } else {
                    hasOtherLanguage = true
                }
            }
        }
    }

    /// Whether "half as fast" tells how two figures compare: those of one sentence of the sources, or those of one named
    /// fact in two periods. The "twice as fast" of a source is not turned round: of what would be left open.
    private func isProportion(
        _ figure: TextFigure, _ read: FiguredText.ReadSentence, in told: SourceSentences
    ) -> Bool {
        let text = read.text.lowercased()
        guard figure.text.lowercased() == "half", let place = text.firstRange(of: "half as ") else { return false }
        // What grew half as fast is said before; "they grew" says it in another sentence.
        let said = Self.matters(of: String(text[..<place.lowerBound]))
        let named = said.subtracting(Self.movements)
        let own = named.isEmpty ? said : named
        let near = told.sentences.filter { !Self.matters(of: $0).isDisjoint(with: own) }
        let sources = near.map { sentence in facts.dropFirst(namedFacts).filter { sentence.contains($0.label) } }
        let byName = Dictionary(grouping: facts.prefix(namedFacts).filter { read.words.names($0) == true }) {
            $0.label.filter { !$0.isNumber }
        }
        return (sources + byName.values).contains { group in
            group.contains { one in
                group.contains { $0.unit == one.unit && $0.value > 0 && (0.45...0.55).contains(one.value / $0.value) }
            }
        }
    }

    private static let movements = matters(
        of: "grew grow grows growing rose rise rises rising fell fall falls falling increased climbed gained")

    /// "A quarter of revenue becomes profit": a margin by another name.
    private static func isMargin(_ fact: Fact, _ sentence: String) -> Bool {
        fact.label.lowercased().contains("margin")
            && ["profit", "is left", "was left", "is kept"].contains(where: sentence.lowercased().contains)
    }

    /// The stems of the words of a sentence that say what it is about.
    private static func matters(of sentence: String) -> Set<String> {
        let lists = WordLists.of(.english)
        return Set(
            CalmWords.split(NormalizedText(sentence)).map(\.folded).filter { word in
                word.count > 3 && word.beginsWithLetter && !lists.common.contains(word)
                    && NumberWords.multiples[word] == nil && NumberWords.denominators[word] == nil
                    && NumberWords.fold(word) == nil
            }.map { ClauseReader.stem($0, .english) })
    }

    /// The fact named in the sentence that the figure would state with its decimal point elsewhere; `nil` for none.
    private func wrongScale(_ figure: TextFigure, _ sentence: FigureSentence) -> Fact? {
        // One digit is too often right by chance, and a number without a unit is mostly a score or a count.
        guard let reading = figure.readings.first, reading.step > 0, reading.value / reading.step >= 10,
            ![.plain, .count, .years].contains(reading.kind)
        else { return nil }
        let named = facts.prefix(namedFacts).filter { sentence.names($0) == true }
        for factor in [10, 0.1, 100, 0.01, 1000, 0.001] {
            var scaled = figure
            for place in scaled.readings.indices {
                scaled.readings[place].value *= factor
                scaled.readings[place].step *= factor
            }
            if let fact = named.first(where: { FigureMatch.outcome(scaled, $0, in: sentence) == .stated }) {
                return fact
            }
        }
        return nil
    }
}
