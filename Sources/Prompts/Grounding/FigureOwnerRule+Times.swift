internal import Basics

/// A time that is named by its distance from now: "last year", "a year earlier".
enum RelativePeriod: Equatable {
    case last, before

    /// The time that the words behind a figure name, up to a comma or the next figure, or else those before it.
    init?(before head: ArraySlice<CalmWords.Word>, behind rest: ArraySlice<CalmWords.Word>, _ language: Language) {
        let behind = rest.prefix(9).prefix { $0.lower != "," && !$0.isNumber }.map(\.folded)
        let before = head.reversed().prefix(12).prefix { !$0.isNumber }.reversed().map(\.folded)
        guard let period = Self.period(in: behind, language) ?? Self.period(in: before, language) else { return nil }
        self = period
    }

    private static func period(in words: [String], _ language: Language) -> RelativePeriod? {
        if Self.beforePhrases[language]?.contains(where: { $0.occurs(in: words) }) == true {
            return .before
        } else if Self.lastPhrases[language]?.contains(where: { $0.occurs(in: words) }) == true {
            return .last
        }
        return nil
    }

    /// Whether words speak of what is expected, planned or hoped for; in an answer, a future is enough.
    static func isExpected(_ words: some Sequence<CalmWords.Word>, _ language: Language, isSource: Bool) -> Bool {
        let stems = expectations[language] ?? []
        let future = isSource ? [] : WordLists.of(language).future
        return words.contains { word in
            stems.contains(where: word.folded.hasPrefix) || future.contains(word.folded)
        }
    }

    private static let beforePhrases = phrases([
        .english: "year_before year_earlier previous_year prior_year year_ago",
        .german: "jahr_zuvor jahr_davor vorvorjahr vorherigen_jahr",
        .spanish: "ano_antes ano_anterior",
        .french: "an_plus_tot annee_precedente an_avant annee_d_avant",
    ])
    private static let lastPhrases = phrases([
        .english: "last_year", .german: "vergangenen_jahr letzten_jahr letztes_jahr",
        .spanish: "ano_pasado", .french: "an_dernier annee_derniere annee_passee",
    ])
    private static let expectations: [Language: [String]] = [
        .english: [
            "expect", "forecast", "hope", "plan", "aim", "want", "predict", "target", "estimat", "outlook", "guid",
        ],
        .german: ["erwart", "rechn", "prognos", "hoff", "plan", "ziel", "schatz", "ausblick"],
        .spanish: ["esper", "prev", "pronost", "plan", "objetiv", "estim", "confi", "calcul"],
        .french: ["attend", "prev", "espe", "vise", "objectif", "estim", "compt", "tabl"],
    ]

    private static func phrases(_ texts: [Language: String]) -> [Language: [[String]]] {
        texts.mapValues(\.listedPhrases)
    }
}

extension FigureOwnerRule {
    /// A figure of last year told as that of the year before, or the other way about.
    func otherPeriod(_ owned: Owned, _ same: [Owned]) -> String? {
        guard let period = owned.period, same.allSatisfy({ $0.period != nil && $0.period != period }) else {
            return nil
        }
        return "another year (\"\(same[0].text.prefix(scalars: 120))\")"
    }

    /// Two figures of which the sources compare the first with the second, and a text the second with the first:
    /// "fell to 91 percent from 94" for "94 percent after 91".
    func exchanged(_ figures: [Owned]) -> String? {
        for (place, new) in figures.enumerated() where !new.isCompared {
            guard let old = figures[(place + 1)...].first(where: { $0.text == new.text }), old.isCompared else {
                continue
            }
            let (asOld, asNew) = (
                known.filter { Self.isSame($0.figure, new.figure) }, known.filter { Self.isSame($0.figure, old.figure) }
            )
            guard !asOld.isEmpty, !asNew.isEmpty, asOld.allSatisfy(\.isCompared), asNew.allSatisfy({ !$0.isCompared }),
                asOld.contains(where: { one in asNew.contains { $0.text == one.text } })
            else { continue }
            return "The material compares \(old.figure.text) with \(new.figure.text), not the other way about: "
                + "\"\(new.text.prefix(scalars: 160))\""
        }
        return nil
    }

    /// A rise or a fall of one company told of another, where each sentence of the sources with that figure names a
    /// company itself.
    func otherMover(_ owned: Owned, _ same: [Owned]) -> String? {
        guard owned.figure.readings.first?.kind == .percent, let sense = owned.sense, owned.owners.count == 1,
            same.allSatisfy({ other in
                other.sense == sense && !other.owners.isEmpty && other.owners.isDisjoint(with: owned.owners)
            })
        else { return nil }
        return same[0].owners.sorted().joined(separator: ", ")
    }

    /// What the sources only expect, told as something that was.
    func onlyExpected(_ owned: Owned, _ same: [Owned]) -> String? {
        guard !owned.isExpected, same.allSatisfy(\.isExpected) else { return nil }
        let words = owned.text.lowercased().split { !$0.isWordLetter }.map { String($0).withoutAccents }
        guard words.contains(where: Self.past.contains) else { return nil }
        return "an expectation (\"\(same[0].text.prefix(scalars: 120))\")"
    }

    /// Verbs by which a figure has been reached.
    private static let past: Set<String> = [
        "had", "reached", "totalled", "totaled", "achieved", "earned", "erzielte", "hatte", "erreichte", "alcanzo",
        "tuvo",
        "logro", "atteint", "realise", "avait",
    ]
}

extension FigureOwnerRule {
    /// Two figures of a kind of which the smaller one is said to be the larger: "40.4% is lower than the 31.7%".
    func misjudged(_ figures: [Owned], _ text: ParsedText, _ language: Language) -> String? {
        guard language == .english else { return nil }
        for (one, other) in zip(figures, figures.dropFirst()) where one.text == other.text {
            guard let left = one.figure.readings.first, let right = other.figure.readings.first,
                left.kind == right.kind, left.kind != .plain, left.value != right.value, one.figure.direction != .down,
                other.figure.direction != .down, one.figure.range.upperBound <= other.figure.range.lowerBound
            else { continue }
            let between = text.plain.string(one.figure.range.upperBound..<other.figure.range.lowerBound).lowercased()
                .split { !$0.isLetter }.map(String.init)
            guard let isMore = Self.isMore(between), isMore != (left.value > right.value) else { continue }
            return "\(one.figure.text) is not \(isMore ? "more" : "less") than \(other.figure.text): "
                + "\"\(one.text.prefix(scalars: 160))\""
        }
        return nil
    }

    /// What words between two figures say of the first; `nil` where they do not compare them.
    private static func isMore(_ words: [String]) -> Bool? {
        let more: Set = ["higher", "larger", "greater", "bigger", "more", "better"]
        let less: Set = ["lower", "smaller", "less", "weaker"]
        let denials: Set = ["no", "not", "never", "nor", "half", "twice", "times"]
        guard words.count <= 9, denials.isDisjoint(with: words), words.first != "higher", words.first != "lower",
            words.first != "more", words.first != "less"
        else { return nil }
        for (place, word) in words.enumerated().reversed() where words.count - place <= 5 {
            let isThan = place + 1 < words.count && words[place + 1] == "than"
            if isThan && more.contains(word) || word == "above" || word == "exceeds" { return true }
            if isThan && less.contains(word) || word == "below" { return false }
        }
        return nil
    }

    /// The label of the fact that a plain number states where the word before it begins the name of another one: "a
    /// confidence of 96" where that is the score.
    func otherScore(_ owned: Owned, _ text: ParsedText) -> String? {
        guard owned.figure.readings.first?.kind == .plain, owned.figure.range.lowerBound > 0 else { return nil }
        let begin = max(0, owned.figure.range.lowerBound - 40)
        let words = text.plain.string(begin..<owned.figure.range.lowerBound).lowercased().split { !$0.isLetter }
        guard words.last == "of", let head = words.dropLast().last, begin == 0 || words.count > 2 else { return nil }
        let stated = stated(owned)
        guard let first = stated.first, stated.allSatisfy({ $0.unit == .number && Self.head(of: $0) != head }),
            facts.contains(where: { $0.unit == .number && Self.head(of: $0) == head })
        else { return nil }
        return first.label
    }

    private static func head(of fact: Fact) -> Substring {
        fact.label.split { !$0.isLetter }.first.map { Substring($0.lowercased()) } ?? ""
    }
}
