internal import Basics

/// The directions of facts that have a value for each year, and the names of facts.
struct FactTrends {
    /// The facts of one name, by year.
    private struct Series {
        var name: String
        /// The keys of each word of its name.
        var words: [Set<String>]
        var values: [Int: Double] = [:]
        var units: Set<Fact.Unit> = []
    }

    private let series: [Series]
    /// The places of the series by each key of the first word of their names, and of those whose names have no word.
    private let byFirstWord: [String: [Int]]
    private let nameless: [Int]
    /// The names of facts by their labels, and the keys of each word of a name.
    private let names: [String: String]
    private let words: [String: [Set<String>]]

    init(_ facts: [Fact]) {
        var found: [String: Series] = [:]
        var names: [String: String] = [:]
        for fact in facts {
            let (name, year) = Self.parts(of: fact.label)
            names[fact.label] = name
            var series = found[name] ?? Series(name: name, words: Self.words(of: name))
            series.units.insert(fact.unit)
            if let year { series.values[year] = fact.value }
            found[name] = series
        }
        self.names = names
        words = found.mapValues(\.words)
        let series = found.values.filter { $0.words.count > 1 || !$0.values.isEmpty }.sorted { $0.name < $1.name }
        var byFirstWord: [String: [Int]] = [:]
        for (place, series) in series.enumerated() {
            for key in series.words.first ?? [] { byFirstWord[key, default: []].append(place) }
        }
        nameless = series.indices.filter { series[$0].words.isEmpty }
        (self.series, self.byFirstWord) = (series, byFirstWord)
    }

    /// `Operating margin, FY2025` without its year; a quarter and other periods stay in the name.
    private static func parts(of label: String) -> (name: String, year: Int?) {
        let words = label.split(separator: " ")
        guard words.count > 1, let last = words.last, last.hasPrefix("FY"), let year = Int(last.dropFirst(2)) else {
            return (label, nil)
        }
        let name = words.dropLast().joined(separator: " ")
        return (name.last == "," ? String(name.dropLast()) : name, year)
    }

    private static func words(of name: String) -> [Set<String>] {
        ClauseReader(language: .english).keys(ofPart: CalmWords.split(NormalizedText(name)))
    }

    /// The series whose names are among words, in the order of the names.
    private func series(among words: [Set<String>]) -> [Series] {
        let keys = Self.keys(of: words)
        let begun = keys.reduce(into: Set(nameless)) { $0.formUnion(byFirstWord[$1] ?? []) }
        return begun.sorted().compactMap { Self.has(keys, series[$0]) ? series[$0] : nil }
    }

    private static func keys(of words: [Set<String>]) -> Set<String> {
        words.reduce(into: []) { $0.formUnion($1) }
    }

    /// Whether keys have one of each word of a name.
    private static func has(_ keys: Set<String>, _ series: Series) -> Bool {
        series.words.allSatisfy { wanted in wanted.contains(where: keys.contains) }
    }

    // MARK: Directions

    /// A rise or a fall without a figure that the facts show the other way round; `nil` when there is none.
    func problem(in text: ParsedText, _ language: Language) -> String? {
        if language == .english, let problem = comparison(in: text) ?? row(in: text) { return problem }
        guard series.contains(where: { $0.values.count > 1 }) else { return nil }
        for clause in text.grounded(language).clauses where !clause.isNegated && !clause.isOpen {
            let isRise = clause.stated.contains("c:rise")
            guard isRise != clause.stated.contains("c:fall"), !Self.isOtherSpan(clause.text) else { continue }
            let named = series(among: clause.words).filter { $0.values.count > 1 }
            // "Net income" is in "net income margin": the longest name counts.
            guard let longest = named.map(\.words.count).max(), longest > 1 || named.count == 1 else { continue }
            let years = clause.keys.filter { $0.hasPrefix("n:") }.compactMap { Int($0.dropFirst(2)) }
            guard years.allSatisfy({ (1990...2099).contains($0) }) else { continue }
            for series in named where series.words.count == longest {
                guard let isUp = Self.direction(of: series, years), isUp != isRise else { continue }
                return "The facts show the opposite for \(series.name): \"\(clause.text.prefix(scalars: 160))\""
            }
        }
        return nil
    }

    /// Whether a clause is about a quarter, or a time that begins with the year it names.
    private static func isOtherSpan(_ clause: String) -> Bool {
        clause.lowercased().split(separator: " ").contains { word in
            ["quarter", "quartal", "trimest", "since", "seit", "desde", "depuis", "until", "bis", "hasta", "jusqu"]
                .contains(where: word.hasPrefix)
        }
    }

    /// Whether a series rose: in the year that is named, between the two, or always; `nil` where that is not clear.
    private static func direction(of series: Series, _ years: [Int]) -> Bool? {
        let ordered = series.values.sorted { $0.key < $1.key }
        func isUp(_ from: Double?, _ to: Double?) -> Bool? {
            guard let from, let to, from != to else { return nil }
            return to > from
        }
        switch years.count {
        case 1: return isUp(series.values[years[0] - 1], series.values[years[0]])
        case 2: return isUp(series.values[years.min() ?? 0], series.values[years.max() ?? 0])
        case 0:
            let steps = zip(ordered, ordered.dropFirst()).map { isUp($0.value, $1.value) }
            guard let first = steps.first, let first, steps.allSatisfy({ $0 == first }) else { return nil }
            return first
        default: return nil
        }
    }

    // MARK: Comparisons

    /// Two facts of one sentence that are compared the wrong way about: "free cash flow was higher than net income".
    private func comparison(in text: ParsedText) -> String? {
        for sentence in text.sentences {
            let words = text.words(of: sentence)
            for comparison in Comparison.all(in: words) {
                guard let left = longest(in: comparison.left), let right = longest(in: comparison.right),
                    left.name != right.name, left.units == right.units
                else { continue }
                let years = words.compactMap { $0.isNumber ? Int($0.text) : nil }.filter { left.values[$0] != nil }
                let common = left.values.keys.filter {
                    right.values[$0] != nil && (years.isEmpty || years.contains($0))
                }
                guard !common.isEmpty,
                    common.allSatisfy({ year in
                        guard let one = left.values[year], let other = right.values[year] else { return false }
                        return comparison.isMore ? one < other : one > other
                    })
                else { continue }
                return "The facts show the opposite of what is said of \(left.name) and \(right.name): "
                    + "\"\(text.plain.string(sentence.range).prefix(scalars: 160))\""
            }
        }
        return nil
    }

    /// A row of rises or falls that the facts do not have: "grew for nine years in a row".
    private func row(in text: ParsedText) -> String? {
        // Few texts have one of these words, and all of them would be cut into tokens.
        let mayHaveRow = text.sentences.contains { sentence in
            text.words(of: sentence).contains { Self.wordsOfRows.contains($0.folded) }
        }
        guard mayHaveRow else { return nil }
        let tokens = FigureTokenizer.tokens(of: text.plain, in: .english)
        for row in SpanCounts.rows(among: tokens) {
            guard row.unit == "year", let sentence = text.sentences.first(where: { $0.range.overlaps(row.range) })
            else { continue }
            let words = text.words(of: sentence)
            let found = Set(ConceptLexicon.of(.english).matches(in: words.map(\.folded)).map(\.concept))
            guard let series = longest(in: words), found.contains("rise") != found.contains("fall") else { continue }
            let values = series.values.sorted { $0.key < $1.key }.suffix(Int(row.number) + 1).map(\.value)
            let isUp = found.contains("rise")
            let holds =
                Double(values.count) > row.number
                && zip(values, values.dropFirst()).allSatisfy { isUp ? $0 < $1 : $0 > $1 }
            if !holds {
                return "The facts do not show this of \(series.name): "
                    + "\"\(text.plain.string(sentence.range).prefix(scalars: 160))\""
            }
        }
        return nil
    }

    private static let wordsOfRows: Set<String> = ["row", "many", "each", "every"]

    /// The one series with the longest name among words.
    private func longest(in words: [CalmWords.Word]) -> Series? {
        let keys = ClauseReader(language: .english).keys(ofPart: words)
        let named = series(among: keys).filter { !$0.values.isEmpty }
        guard let most = named.map(\.words.count).max() else { return nil }
        let best = named.filter { $0.words.count == most }
        return best.count == 1 ? best[0] : nil
    }

    // MARK: Names

    /// The name of the fact that a figure states where its clause names another one: another fact of the same kind, or
    /// another kind of the same measure, as "gross margin" for an operating margin. `stated` tells the facts that a figure of
    /// a sentence states.
    func otherLabel(
        _ owned: FigureOwnerRule.Owned, _ stated: (TextFigure, FigureSentence) -> [Fact]
    ) -> String? {
        let figure = PerDollar(sentence: owned.text, .english).complete(owned.figure)
        let stated = stated(figure, owned.sentence)
        guard let first = stated.first else { return nil }
        let names = Set(stated.compactMap { self.names[$0.label] })
        // "At 46.9%, the operating margin …": the clause of the figure has no words of its own.
        let matters = owned.matters.isEmpty && owned.isOnly ? owned.around.map { [$0] } : owned.matters
        if owned.figure.readings.first?.kind != .plain, let label = otherQualifier(matters, names) { return label }
        let named = series(among: matters).filter { $0.words.count > 1 }
        guard !named.isEmpty, names.isDisjoint(with: named.map(\.name)),
            named.contains(where: { $0.units.contains(first.unit) })
        else { return nil }
        // A part of one name in the sentence may stand for it, but "margin" stands for any: what counts is a word that
        // the other name does not have. A longer name has all words of a shorter one.
        let shared = named.flatMap(\.words).reduce(into: Set<String>()) { $0.formUnion($1) }
        let isNamed = names.contains { name in
            let words = words[name] ?? []
            let own = words.filter { $0.isDisjoint(with: shared) }
            let keys = Self.keys(of: words)
            return named.contains { Self.has(keys, $0) } || own.isEmpty
                || own.contains { !$0.isDisjoint(with: owned.around) }
        }
        return isNamed ? nil : first.label
    }

    /// The name of the stated fact where the clause names it with another qualifier.
    private func otherQualifier(_ matters: [Set<String>], _ names: Set<String>) -> String? {
        let spoken = Self.qualifiers(in: matters)
        guard spoken.count == 1 else { return nil }
        let own = names.map { (name: $0, qualifiers: Self.qualifiers(in: words[$0] ?? [])) }
        guard own.allSatisfy({ !$0.qualifiers.isEmpty && $0.qualifiers.isDisjoint(with: spoken) }) else { return nil }
        return own.first?.name
    }

    /// The kinds of a measure that has several, as the operating margin beside the gross one.
    private static func qualifiers(in words: [Set<String>]) -> Set<String> {
        func has(_ word: String) -> Bool {
            let key = "s:en:" + ClauseReader.stem(word, .english)
            return words.contains { $0.contains(key) }
        }
        guard ["margin", "income", "profit"].contains(where: has) else { return [] }
        return Set(["gross", "operating", "net", "pretax"].filter(has))
    }
}

/// A sentence that says which of two things is more: "X is higher than Y", "X exceeds Y".
private struct Comparison {
    var left: [CalmWords.Word]
    var right: [CalmWords.Word]
    var isMore: Bool

    private static let more: Set<String> = ["higher", "larger", "greater", "bigger", "more"]
    private static let less: Set<String> = ["lower", "smaller", "less"]

    static func all(in words: [CalmWords.Word]) -> [Comparison] {
        words.indices.compactMap { place in
            let word = words[place].folded
            let next = place + 1 < words.count ? words[place + 1].folded : ""
            var end = place + 1
            let isMore: Bool
            if more.contains(word) || less.contains(word), next == "than" {
                isMore = more.contains(word)
                end += 1
            } else if word == "exceeds" || word == "exceeded" || word == "above" {
                isMore = true
            } else if word == "below" {
                isMore = false
            } else {
                return nil
            }
            // "No higher than", "a third more than": another matter.
            let before = words[..<place].suffix(3).map(\.folded)
            if before.contains(where: { ["no", "not", "never", "nor", "if", "whether"].contains($0) }) { return nil }
            func isEnd(_ word: CalmWords.Word) -> Bool { word.lower == "," || word.endsSentence }
            return Comparison(
                left: words[..<place].reversed().prefix { !isEnd($0) }.reversed(),
                right: Array(words[end...].prefix(12).prefix { !isEnd($0) })
                    + words[end...].prefix(12).drop { !isEnd($0) }.prefix(1).filter { $0.lower != "," },
                isMore: isMore)
        }
    }
}
