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

    init(_ facts: [Fact]) {
        var found: [String: Series] = [:]
        for fact in facts {
            let (name, year) = Self.parts(of: fact.label)
            var series = found[name] ?? Series(name: name, words: Self.words(of: name))
            series.units.insert(fact.unit)
            if let year { series.values[year] = fact.value }
            found[name] = series
        }
        series = found.values.filter { $0.words.count > 1 || !$0.values.isEmpty }.sorted { $0.name < $1.name }
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

    /// Whether words have all those of a name.
    private static func has(_ words: [Set<String>], _ series: Series) -> Bool {
        series.words.allSatisfy { wanted in words.contains { !$0.isDisjoint(with: wanted) } }
    }

    // MARK: Directions

    /// A rise or a fall without a figure that the facts show the other way round; `nil` when there is none.
    func problem(in text: ParsedText, _ language: Language) -> String? {
        guard series.contains(where: { $0.values.count > 1 }) else { return nil }
        for clause in text.grounded(language).clauses where !clause.isNegated && !clause.isOpen {
            let isRise = clause.stated.contains("c:rise")
            guard isRise != clause.stated.contains("c:fall"), !Self.isOtherSpan(clause.text) else { continue }
            let named = series.filter { $0.values.count > 1 && Self.has(clause.words, $0) }
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

    // MARK: Names

    /// The name of the fact that a figure states where its sentence names another fact of the same kind, word for word,
    /// and not this one.
    func otherLabel(_ owned: FigureOwnerRule.Owned, _ facts: [Fact]) -> String? {
        let named = series.filter { $0.words.count > 1 && Self.has(owned.matters, $0) }
        guard !named.isEmpty else { return nil }
        let stated = facts.filter { FigureMatch.outcome(owned.figure, $0, in: owned.sentence) == .stated }
        guard let first = stated.first else { return nil }
        let names = Set(stated.map { Self.parts(of: $0.label).name })
        guard names.isDisjoint(with: named.map(\.name)), named.contains(where: { $0.units.contains(first.unit) }),
            // A part of one name in the sentence may stand for it: "margins".
            !stated.contains(where: { owned.sentence.names($0) != false })
        else { return nil }
        return first.label
    }
}
