internal import Basics

/// Spans of time and rows of events in a text, held against those of its sources: "over 20 years" where they speak of
/// 30, "the fifth rise in as many months" where it was the fifth in twelve.
struct SpanCounts {
    /// How many of each unit the sources name.
    private let known: [String: Set<Double>]
    /// The numbers that the sources give for a row of the same.
    private let rows: Set<Double>
    /// How often the sources say that something happens: "each month".
    private let frequencies: Set<String>
    private let hasSources: Bool

    private static let units: [String: String] = [
        "day": "day", "days": "day", "week": "week", "weeks": "week", "month": "month", "months": "month",
        "quarter": "quarter", "quarters": "quarter", "year": "year", "years": "year",
        "tag": "day", "tage": "day", "tagen": "day", "woche": "week", "wochen": "week", "monat": "month",
        "monate": "month", "monaten": "month", "jahr": "year", "jahre": "year", "jahren": "year",
        "día": "day", "días": "day", "semana": "week", "semanas": "week", "mes": "month", "meses": "month",
        "año": "year", "años": "year",
        "jour": "day", "jours": "day", "semaine": "week", "semaines": "week", "mois": "month", "an": "year",
        "ans": "year", "année": "year", "années": "year",
    ]

    init(_ sources: [String]) {
        var known: [String: Set<Double>] = [:]
        var rows: Set<Double> = []
        var frequencies: Set<String> = []
        for source in sources {
            let plain = NormalizedText(source)
            let tokens = FigureTokenizer.tokens(of: plain, in: LanguageDetector(plain).language ?? .english)
            for span in Self.spans(among: tokens) { known[span.unit, default: []].insert(span.number) }
            for row in Self.rows(among: tokens) { rows.insert(row.number) }
            for frequency in Self.frequencies(among: tokens) { frequencies.insert(frequency.unit) }
        }
        (self.known, self.rows, self.frequencies, hasSources) = (known, rows, frequencies, !sources.isEmpty)
    }

    /// The places of spans and rows that the sources give otherwise.
    func contradictions(among tokens: [FigureToken], _ language: Language) -> [Range<Int>] {
        let spans = Self.spans(among: tokens).filter { span in
            guard span.number > 1 else { return false }
            let isKnown = known[span.unit]?.contains(span.number) == true
            // "52 days" where the sources have 52 weeks, in any language.
            let isOfOtherUnit = known.contains { $0.key != span.unit && $0.value.contains(span.number) }
            return !isKnown && (isOfOtherUnit || language == .english && known[span.unit] != nil)
        }
        // A row of years may be counted in the facts; that is the trends' matter.
        let rows = hasSources ? Self.rows(among: tokens).filter { !isKnown($0) } : []
        let others =
            frequencies.isEmpty || language != .english
            ? [] : Self.frequencies(among: tokens).filter { !frequencies.contains($0.unit) }
        return (spans.map(\.range) + rows.map(\.range) + others.map(\.range)).sorted {
            $0.lowerBound < $1.lowerBound
        }
    }

    private func isKnown(_ row: (number: Double, unit: String?, range: Range<Int>)) -> Bool {
        rows.contains(row.number) || row.unit.map { known[$0]?.contains(row.number) ?? false } ?? false
    }

    /// `30 years`, `a 30-year loan`, `twelve months`; not the year 2025.
    private static func spans(among tokens: [FigureToken]) -> [(number: Double, unit: String, range: Range<Int>)] {
        tokens.indices.compactMap { place in
            guard let (number, end) = number(among: tokens, at: place), number < 1000 else { return nil }
            let next = end < tokens.count && tokens[end].text == "-" ? end + 1 : end
            guard next < tokens.count, let unit = units[tokens[next].lower] else { return nil }
            return (number, unit, tokens[place].range.lowerBound..<tokens[next].range.upperBound)
        }
    }

    /// `each month`, `every week`; "every day" is often a way to speak.
    private static func frequencies(among tokens: [FigureToken]) -> [(unit: String, range: Range<Int>)] {
        zip(tokens, tokens.dropFirst()).compactMap { word, next in
            guard ["each", "every"].contains(word.lower), ["week", "month", "quarter", "year"].contains(next.lower)
            else { return nil }
            let unit = next.lower
            return (unit, word.range.lowerBound..<next.range.upperBound)
        }
    }

    /// `the fifth rise in as many months`, `the third straight rise`, `three years in a row`
    static func rows(
        among tokens: [FigureToken]
    ) -> [(number: Double, unit: String?, range: Range<Int>)] {
        func lower(_ place: Int) -> String { tokens.indices.contains(place) ? tokens[place].lower : "" }
        return tokens.indices.compactMap { place in
            if lower(place) == "as", lower(place + 1) == "many", let unit = units[lower(place + 2)] {
                let before = tokens[..<place].suffix(10).reversed().lazy.compactMap { ordinals[$0.lower] }.first
                return before.map { ($0, unit, tokens[place].range.lowerBound..<tokens[place + 2].range.upperBound) }
            }
            if ["each", "every"].contains(lower(place)),
                let last = (place + 1..<place + 6).first(where: { ["last", "past"].contains(lower($0)) }),
                let (number, end) = number(among: tokens, at: last + 1), let unit = units[lower(end)]
            {
                return (number, unit, tokens[place].range.lowerBound..<tokens[end].range.upperBound)
            }
            if let number = ordinals[lower(place)], unbroken.contains(lower(place + 1)) {
                return (number, nil, tokens[place].range.lowerBound..<tokens[place + 1].range.upperBound)
            }
            guard let (number, end) = number(among: tokens, at: place) else { return nil }
            if unbroken.contains(lower(end)) {
                return (number, nil, tokens[place].range.lowerBound..<tokens[end].range.upperBound)
            }
            if lower(end + 1) == "in", lower(end + 2) == "a", lower(end + 3) == "row" {
                return (number, units[lower(end)], tokens[place].range.lowerBound..<tokens[end + 3].range.upperBound)
            }
            return nil
        }
    }

    private static func number(among tokens: [FigureToken], at place: Int) -> (value: Double, end: Int)? {
        guard tokens.indices.contains(place) else { return nil }
        if let numeral = tokens[place].numeral {
            return numeral.isWhole && !numeral.isYear ? (numeral.value, place + 1) : nil
        }
        guard let words = WordNumber(tokens: tokens, at: place), words.value >= 1, words.value == words.value.rounded()
        else { return nil }
        return (words.value, words.end)
    }

    private static let unbroken: Set<String> = ["straight", "consecutive", "successive"]

    private static let ordinals: [String: Double] = [
        "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9,
        "tenth": 10, "eleventh": 11, "twelfth": 12,
    ]
}
