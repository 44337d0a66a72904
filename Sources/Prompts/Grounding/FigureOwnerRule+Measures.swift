internal import Basics

/// What a figure measures, as its clause says by one noun: a revenue, a profit, a debt.
enum Measure: String, Sendable, CaseIterable {
    case revenue, profit, debt, dividend, wage, margin

    private static let concepts: [String: Measure] = [
        "revenue": .revenue, "profit": .profit, "loss": .profit, "earn": .profit, "lose": .profit, "debt": .debt,
        "dividend": .dividend, "wage": .wage, "margin": .margin,
    ]
    /// Words between a figure and the noun behind it: "310 million kroner in sales".
    private static let links: Set<String> = ["in", "of", "an", "de", "d", "en", "net", "annual"]

    /// The measure that stands nearest before a figure with no other figure of its kind between them, else the one right
    /// behind its unit: "bei 210 Millionen Euro Umsatz". `nil` where two of them claim it.
    init?(
        of figure: TextFigure, before head: ArraySlice<CalmWords.Word>, behind rest: ArraySlice<CalmWords.Word>,
        _ language: Language
    ) {
        let lexicon = ConceptLexicon.of(language)
        func measures(_ words: some Collection<CalmWords.Word>) -> [(Measure, Int)] {
            lexicon.matches(in: words.map(\.folded)).compactMap { match in
                Self.concepts[match.concept].map { ($0, match.place) }
            }
        }
        let conjunctions = WordLists.of(language).conjunctions
        // A percentage may stand between: "revenue rose 3% to $6.1 billion".
        var before: [CalmWords.Word] = []
        let words = Array(head.suffix(14))
        for (place, word) in words.enumerated().reversed() {
            let next = place + 1 < words.count ? words[place + 1].text : ""
            let isShare = next == "%" || ["percent", "prozent", "por", "pour"].contains(next.lowercased())
            if word.isNumber, !isShare, word.text.count < 4 || Int(word.text) == nil { break }
            if word.endsSentence || word.lower == "," || conjunctions.contains(word.folded) { break }
            before.insert(word, at: 0)
        }
        let after = rest.drop { ["%", "million", "millions", "billion", "billions"].contains($0.folded) }.prefix(4)
        let near = measures(before).max { $0.1 < $1.1 }?.0
        let links = after.prefix { Self.links.contains($0.folded) || Self.units.contains($0.folded) }
        let behind = measures(after.dropFirst(links.count).prefix(1)).first?.0
        guard near == nil || behind == nil || near == behind, let found = near ?? behind else { return nil }
        self = found
    }

    private static let units: Set<String> = [
        "million", "millions", "billion", "billions", "millionen", "milliarden", "mio", "mrd", "millones", "millon",
        "mil",
        "milliard", "milliards", "euro", "euros", "dollar", "dollars", "dolares", "kroner", "kronen", "coronas",
        "francs", "pounds",
    ]
}

/// The time over which a figure was counted.
enum CountedTime: Sendable {
    case quarter, year

    /// What words say of it; `nil` where they say nothing, or name both.
    init?(in words: some Sequence<CalmWords.Word>, _ language: Language) {
        let folded = words.map(\.folded)
        let hasYear = Self.years[language]?.contains { $0.occurs(in: folded) } == true
        let hasQuarter = folded.indices.contains { place in
            switch language {
            case .german: return folded[place].hasSuffix("quartal") || folded[place].hasSuffix("quartals")
            case .spanish, .french: return folded[place].hasPrefix("trimestr")
            case .english:
                // "A quarter of the customers" is no time.
                let before = place > 0 ? folded[place - 1] : ""
                return folded[place] == "quarter" && Self.ofQuarters.contains(before) || folded[place] == "quarterly"
            }
        }
        guard hasYear != hasQuarter else { return nil }
        self = hasYear ? .year : .quarter
    }

    private static let ofQuarters: Set<String> = [
        "first", "second", "third", "fourth", "last", "this", "the", "latest",
    ]
    private static let years: [Language: [[String]]] = [
        .english: "for_the_year in_the_year full_year annual for_the_whole_year of_the_year".listedPhrases,
        .german: "im_jahr fur_das_jahr im_gesamtjahr jahresgewinn jahresumsatz im_ganzen_jahr".listedPhrases,
        .spanish: "en_el_ano para_el_ano del_ano anual anuales".listedPhrases,
        .french: "sur_l_annee pour_l_annee de_l_annee annuel annuelle".listedPhrases,
    ]
}

extension FigureOwnerRule {
    /// A figure of one measure said of another that the material counts too: its profit told as its revenue.
    func otherMeasure(_ owned: Owned, _ same: [Owned]) -> String? {
        guard let measure = owned.measure, same.allSatisfy({ $0.measure != nil && $0.measure != measure }),
            known.contains(where: { $0.measure == measure })
        else { return nil }
        return "the \(same[0].measure?.rawValue ?? "")"
    }

    /// The figure of a quarter told as that of a year, or the other way about.
    func otherCountedTime(_ owned: Owned, _ same: [Owned]) -> String? {
        guard let time = owned.time, owned.figure.readings.first?.kind != .plain,
            same.allSatisfy({ $0.time != nil && $0.time != time })
        else { return nil }
        return time == .year ? "a quarter" : "a year"
    }
}
