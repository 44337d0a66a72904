internal import Basics

/// Figures that a text gives to another company, another year or other things than its sources do.
struct FigureOwnerRule {
    /// A figure with what its sentence says of it.
    struct Owned {
        var figure: TextFigure
        /// Whether it is the only figure of its sentence.
        var isOnly: Bool
        var sentence: FigureSentence
        var text: String
        /// Names of companies and people in the sentence.
        var owners: Set<String> = []
        /// Those in its clause.
        var nearOwners: Set<String> = []
        /// The name with which the sentence begins and which is the only one in it.
        var subject: String?
        var years: Set<String>
        /// The words behind the figure, as concepts and stems.
        var things: Set<String>
        /// What its clause speaks of, but for names and numbers.
        var matters: [Set<String>]
        /// What its sentence speaks of.
        var around: Set<String>
        /// What the nearest word says of it: more or less, a profit or a loss.
        var sense: Sense?
        /// Whether it is what another figure of its sentence is compared with: "to 12 percent in 2025 from 10".
        var isCompared: Bool
        /// The time that its clause names without a date.
        var period: RelativePeriod?
        /// Whether its clause or sentence speaks of an expectation or a plan.
        var isExpected: Bool
        var measure: Measure?
        /// The time that its sentence gives for all its figures.
        var time: CountedTime?
    }

    enum Sense: Equatable {
        case more, less, profit, loss

        var opposite: Sense {
            switch self {
            case .more: .less
            case .less: .more
            case .profit: .loss
            case .loss: .profit
            }
        }
    }

    /// A figure of a text before it is known which of its capitalised words are names.
    struct Read: Sendable {
        var owned: Owned
        /// The words with a capital in its sentence and in its clause.
        var capitals: (sentence: Set<String>, clause: Set<String>)
        /// The first word of its sentence, unless every text has it.
        var first: String?
        /// Whether its whole sentence is about it.
        var isAlone: Bool

        /// The figure with the names among its words.
        func owned(among names: Set<String>) -> Owned {
            var owned = owned
            let all = capitals.sentence.intersection(names)
            let near = capitals.clause.intersection(names)
            owned.owners = near.isEmpty || isAlone ? all : near
            owned.nearOwners = near
            owned.subject = first.flatMap { all == [$0] ? $0 : nil }
            return owned
        }
    }

    let known: [Owned]
    private let trends: FactTrends
    let facts: [Fact]
    private let index: FactIndex
    private let names: Set<String>
    private let companies: [String: String]

    /// - Parameters:
    ///   - sources: The material.
    ///   - facts: The facts among it.
    ///   - names: The names of companies and people in it.
    ///   - companies: The tickers of companies whose facts are compared, by the first word of their names.
    init(sources: [ParsedText], facts: [Fact], names: Set<String>, companies: [String: String] = [:]) {
        self.companies = companies
        (self.facts, self.names, trends) = (facts, names, FactTrends(facts))
        index = FactIndex(facts)
        known = sources.flatMap { source in
            source.figuresOfSource(source.language ?? .english).map { $0.owned(among: names) }
        }
    }

    /// What is wrong with the first figure that belongs to another; `nil` when none does.
    func problem(in text: ParsedText, _ language: Language) -> String? {
        if let problem = trends.problem(in: text, language) { return problem }
        let figures = Self.figures(in: text, language, isSource: false).map { $0.owned(among: names) }
        if let problem = exchanged(figures) ?? misjudged(figures, text, language) { return problem }
        for owned in figures {
            if let label = trends.otherLabel(owned, stated) ?? otherCompany(owned) ?? otherScore(owned, text) {
                return "The figure \(owned.figure.text) is that of \(label), not of what is named with it: "
                    + "\"\(owned.text.prefix(scalars: 160))\""
            }
            if let fact = otherYear(owned) {
                return "The figure \(owned.figure.text) is that of \(fact), not of the year that is named with it: "
                    + "\"\(owned.text.prefix(scalars: 160))\""
            }
            let same = known.filter { Self.isSame($0.figure, owned.figure) }
            guard !same.isEmpty else { continue }
            let problem =
                otherOwner(owned, same) ?? otherThing(owned, same) ?? otherSense(owned, same)
                ?? otherMatter(owned, same) ?? otherPeriod(owned, same) ?? otherMover(owned, same)
                ?? onlyExpected(owned, same) ?? otherMeasure(owned, same) ?? otherCountedTime(owned, same)
            if let problem {
                return "The figure \(owned.figure.text) belongs to \(problem) in the material: "
                    + "\"\(owned.text.prefix(scalars: 160))\""
            }
        }
        return nil
    }

    func stated(_ owned: Owned) -> [Fact] { stated(owned.figure, owned.sentence) }

    private func stated(_ figure: TextFigure, _ sentence: FigureSentence) -> [Fact] {
        index.candidates(for: figure).compactMap { place in
            FigureMatch.outcome(figure, facts[place], in: sentence) == .stated ? facts[place] : nil
        }
    }

    /// The label of a fact of another company than the one that the clause names.
    private func otherCompany(_ owned: Owned) -> String? {
        let named = Set(owned.nearOwners.compactMap { companies[$0] })
        guard named.count == 1, let ticker = named.first else { return nil }
        let tickers = Set(companies.values)
        let stated = stated(owned).map { fact in
            (
                label: fact.label,
                owner: fact.label.split { !$0.isLetter && $0 != "." }.map(String.init).last(where: tickers.contains)
            )
        }
        guard let first = stated.first, stated.allSatisfy({ $0.owner != nil && $0.owner != ticker }) else { return nil }
        return first.label
    }

    private func otherYear(_ owned: Owned) -> String? {
        guard !owned.isCompared, owned.years.count == 1, let year = owned.years.first else { return nil }
        let stated = stated(owned).filter { owned.sentence.names($0) != false }
        guard let first = stated.first,
            !stated.contains(where: { fact in
                let years = Self.years(in: fact.label)
                return years.isEmpty || years.contains(year)
            })
        else { return nil }
        return first.label
    }

    private func otherOwner(_ owned: Owned, _ same: [Owned]) -> String? {
        // A sentence that names nobody but others than the material's own sentence may stand for them by "its" or "the
        // order": a text counts only where one name is the first word of both.
        if let owner = owned.subject,
            same.allSatisfy({ other in other.subject.map { $0 != owner && !owned.owners.contains($0) } ?? false })
        {
            return same[0].subject ?? ""
        }
        if owned.years.count == 1, same.allSatisfy({ !$0.years.isEmpty && $0.years.isDisjoint(with: owned.years) }) {
            return same[0].years.sorted().joined(separator: ", ")
        }
        return nil
    }

    /// A rise where the material has a fall of that figure, or a profit where it has a loss.
    private func otherSense(_ owned: Owned, _ same: [Owned]) -> String? {
        guard let sense = owned.sense, !same.isEmpty, same.allSatisfy({ $0.sense == sense.opposite }) else {
            return nil
        }
        return "the opposite (\"\(same[0].text.prefix(scalars: 120))\")"
    }

    /// A figure of one matter said of another: the material has no word of the clause beside it, and has those words
    /// beside another figure of the kind.
    private func otherMatter(_ owned: Owned, _ same: [Owned]) -> String? {
        func shared(_ other: Owned, with keys: Set<String>? = nil) -> Int {
            let keys = keys ?? other.matters.reduce(into: Set<String>()) { $0.formUnion($1) }
            return owned.matters.count { !$0.isDisjoint(with: keys) }
        }
        guard let kind = owned.figure.readings.first?.kind, kind != .plain, !owned.matters.isEmpty,
            same.allSatisfy({ !$0.around.isEmpty && shared($0, with: $0.around) == 0 })
        else { return nil }
        // One word of several is no matter: prices rise "faster than the 2 percent that the bank aims for".
        let other = known.first { other in
            other.figure.readings.first?.kind == kind && !Self.isSame(other.figure, owned.figure)
                && 2 * shared(other) > owned.matters.count
        }
        return other.map { "something else than \($0.figure.text)" }
    }

    /// Another noun behind the figure, which the material counts by another figure.
    private func otherThing(_ owned: Owned, _ same: [Owned]) -> String? {
        guard let thing = owned.things.first(where: { $0.hasPrefix("1") })?.dropFirst() else { return nil }
        let wanted = String(thing)
        let isHeld = same.contains { $0.things.contains { $0.dropFirst() == wanted[...] } }
        guard !isHeld, same.allSatisfy({ !$0.things.isEmpty }) else { return nil }
        let others = known.filter { other in
            other.things.contains("1" + wanted) && !Self.isSame(other.figure, owned.figure)
        }
        guard let other = others.first else { return nil }
        return "something else than \(other.figure.text)"
    }

    // MARK: Reading

    static func isSame(_ one: TextFigure, _ other: TextFigure) -> Bool {
        guard let left = one.readings.first, let right = other.readings.first else { return false }
        let step = max(left.step, right.step)
        return abs(left.value - right.value) <= step / 2 + max(left.value, right.value) * 1e-9
            && (left.kind == right.kind || left.kind == .plain || right.kind == .plain)
    }

    /// The figures of a text; with a single one, the whole sentence is about it in a source.
    static func figures(in text: ParsedText, _ language: Language, isSource: Bool) -> [Read] {
        // Texts of material are read once as it is.
        let figures =
            isSource
            ? FigureScanner.figures(in: text.plain, language) : FiguredText.of(text.text, language).figures
        let common = WordLists.of(language).common
        var next = 0
        return text.sentences.flatMap { sentence -> [Read] in
            let range = sentence.range
            while next < figures.count, figures[next].range.lowerBound < range.lowerBound { next += 1 }
            let own = figures[next...].prefix { $0.range.upperBound <= range.upperBound }
            guard !own.isEmpty else { return [] }
            let written = text.plain.string(range)
            let words = text.words(of: sentence)
            let capitals = Self.capitals(among: words)
            let first = words.first.map(\.folded).flatMap { common.contains($0) ? nil : $0 }
            let years = years(of: words)
            let around = matters(of: words, language).reduce(into: Set<String>()) { $0.formUnion($1) }
            let read = FigureSentence(written, language)
            return own.map { figure in
                let head = words.prefix { $0.range.upperBound <= figure.range.lowerBound }
                let rest = words.drop { $0.range.lowerBound < figure.range.upperBound }
                // "$98.7 billion; the other one …": the clause ends with the figure.
                let isLast = words.contains { $0.range.upperBound == figure.range.upperBound && $0.endsSentence }
                let clause = clause(of: head, isLast ? [] : rest, language)
                let nearYears = Self.years(of: clause)
                let owned = Owned(
                    figure: figure, isOnly: !own.contains { $0.range != figure.range }, sentence: read, text: written,
                    years: nearYears.isEmpty ? years : nearYears,
                    things: things(in: rest, language), matters: matters(of: clause, language), around: around,
                    sense: sense(before: head, behind: rest, of: figure, language),
                    isCompared: isCompared(head), period: RelativePeriod(before: head, behind: rest, language),
                    isExpected: RelativePeriod.isExpected(words, language, isSource: isSource),
                    measure: Measure(of: figure, before: head, behind: rest, language),
                    time: CountedTime(in: words, language))
                return Read(
                    owned: owned, capitals: (capitals, Self.capitals(among: clause)), first: first,
                    isAlone: isSource && !own.contains { $0.range != figure.range })
            }
        }
    }

    private static func capitals(among words: some Sequence<CalmWords.Word>) -> Set<String> {
        Set(words.filter(\.isCapitalised).map(\.folded))
    }

    /// "from 10 percent", "less than the 10 percent".
    private static func isCompared(_ head: ArraySlice<CalmWords.Word>) -> Bool {
        let words = head.suffix(2).map(\.folded)
        guard let last = words.last else { return false }
        return comparisons.contains(last)
            || ["the", "den", "die", "el", "los", "le", "les", "about"].contains(last)
                && words.count > 1 && comparisons.contains(words[0])
    }

    /// The words before a figure of another time.
    private static let comparisons: Set<String> = [
        "from", "after", "against", "versus", "than", "von", "nach", "gegenuber", "desde", "frente", "de", "tras",
        "contre",
        "apres", "contra", "a",
    ]

    /// The words of a clause that say what it is about: no name, number, date or movement.
    private static func matters(of clause: [CalmWords.Word], _ language: Language) -> [Set<String>] {
        let movements: Set<String> = ["c:rise", "c:fall", "c:more", "c:fewer", "c:lose", "c:earn", "c:expect"]
        return ClauseReader(language: language).keys(ofPart: clause).filter { word in
            word.isDisjoint(with: movements)
                && !word.contains { key in
                    key.hasPrefix("n:") || DateWords.isMonthOrDay(String(key.split(separator: ":").last ?? ""))
                }
        }
    }

    /// "2 percent fewer", "2 % de plus"
    private static func comparison(_ words: [String]) -> Sense? {
        let word = words.first == "de" || words.first == "a" ? words.dropFirst().first : words.first
        switch word {
        case "more", "higher", "mehr", "hoher", "mas", "plus": return .more
        case "fewer", "less", "lower", "weniger", "niedriger", "menos", "moins": return .less
        default: return nil
        }
    }

    /// The nearest word of a movement or a result within six words before a figure, else behind it in its clause.
    private static func sense(
        before: ArraySlice<CalmWords.Word>, behind: ArraySlice<CalmWords.Word>, of figure: TextFigure,
        _ language: Language
    ) -> Sense? {
        let conjunctions = WordLists.of(language).conjunctions
        func ends(_ word: CalmWords.Word) -> Bool { word.endsSentence || conjunctions.contains(word.folded) }
        let head = before.suffix(7).map(\.folded)
        let tail = behind.prefix(7).prefix { $0.lower != "," && !ends($0) }.map(\.folded)
        // What loses three percent falls; what loses money makes a loss.
        let isShare = figure.readings.first?.kind == .percent
        if isShare, let compared = comparison(Array(behind.prefix(2).map(\.folded))) { return compared }
        let senses: [String: Sense] = [
            "rise": .more, "fall": .less, "earn": .profit, "profit": .profit, "loss": .loss,
            "lose": isShare ? .less : .loss,
        ]
        let lexicon = ConceptLexicon.of(language)
        if let last = lexicon.matches(in: head).filter({ senses[$0.concept] != nil }).max(by: { $0.place < $1.place }) {
            let found = Set(
                lexicon.matches(in: head).filter { $0.place == last.place }.compactMap { senses[$0.concept] })
            return found.count == 1 ? found.first : nil
        }
        let found = lexicon.matches(in: tail).filter { senses[$0.concept] != nil }
        return Set(found.compactMap { senses[$0.concept] }).count == 1
            ? found.first.flatMap { senses[$0.concept] } : nil
    }

    /// The words of a clause that count on each side of a figure.
    private static let clauseReach = 30

    /// The words of the clause between what stands before a figure and behind it in its sentence.
    private static func clause(
        of before: ArraySlice<CalmWords.Word>, _ rest: ArraySlice<CalmWords.Word>, _ language: Language
    ) -> [CalmWords.Word] {
        let conjunctions = WordLists.of(language).conjunctions
        func ends(_ word: CalmWords.Word) -> Bool {
            word.lower == "," || word.endsSentence || conjunctions.contains(word.folded)
        }
        let behind = rest.prefix(clauseReach)
        let inside = behind.prefix { !ends($0) }
        // The last word of a sentence belongs to it: "to $416.2 billion in FY2025."
        let last = behind.dropFirst(inside.count).prefix(1).filter { $0.endsSentence && $0.lower != "," }
        return before.suffix(clauseReach).reversed().prefix { !ends($0) }.reversed() + inside + last
    }

    private static func years(in text: String) -> Set<String> { years(of: CalmWords.split(NormalizedText(text))) }

    private static func years(of words: some Sequence<CalmWords.Word>) -> Set<String> {
        Set(
            words.filter { word in
                word.isNumber && word.text.count == 4 && Int(word.text).map { (1950...2099).contains($0) } == true
            }.map(\.text))
    }

    /// The content words behind a figure with their place: `1c:car`, `2s:en:truck`.
    private static func things(in rest: ArraySlice<CalmWords.Word>, _ language: Language) -> Set<String> {
        var found: Set<String> = []
        var number = 0
        let common = WordLists.of(language).common
        for word in rest.prefix(4) {
            let folded = word.folded
            guard folded.beginsWithLetter, !common.contains(folded), folded.count > 2 else { break }
            number += 1
            found.insert("\(number)s:\(language.rawValue):" + ClauseReader.stem(folded, language))
            if word.endsSentence { break }
        }
        return found
    }
}
