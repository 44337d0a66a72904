package import Basics

/// A number that a text may state: a reported figure, a metric computed from such figures, a score.
package struct Fact: Sendable, Hashable {
    /// The unit of a fact, which decides the forms in which it may be written.
    package enum Unit: Sendable, Hashable {
        /// A share of one, 0.4616. Written as `46.2%`, `46.2 percentage points`, `4,616 basis points`, `0.46` or
        /// `0.46x`.
        case ratio
        /// In percent already, 46.16. Written as `46.2%`.
        case percent
        /// An amount of money in whole units of a currency (ISO 4217), per share or in all. `$416.2 billion`, `$6.08`.
        case currency(String)
        case shares
        /// A multiple, 3.5. Written as `3.5x`, `3.5 times`.
        case times
        case years
        /// Any other count or score.
        case number

        package static let usd = Unit.currency("USD")
    }

    package var value: Double
    package var unit: Unit
    /// The name for messages (`Revenue FY2025`).
    package var label: String

    package init(_ value: Double, _ unit: Unit, label: String) {
        self.value = value
        self.unit = unit
        self.label = label
    }
}

extension Fact {
    /// The figures that a text states, as facts that another text may repeat or round.
    ///
    /// A figure without a sign ("a change of 5%") makes a fact of either sign.
    /// The language decides how its numbers are read; `nil` takes the one that the text is written in, else English.
    package static func stated(in text: String, language: Language? = nil) -> [Fact] {
        let plain = NormalizedText(text)
        let language = language ?? LanguageDetector(plain).language ?? .english
        let figures = FigureScanner.figures(in: plain, language)
        return figures.flatMap { figure in
            figure.readings.flatMap { reading in facts(reading, of: figure) }
        } + amounts(among: figures) + VagueFigure.all(in: plain, language).map(\.fact)
            + smallNumbers(in: plain, language)
    }

    /// "Worth 100 dollars and costs 70": a number behind an amount of money, which another text may call dollars too.
    private static func amounts(among figures: [TextFigure]) -> [Fact] {
        zip(figures, figures.dropFirst()).flatMap { before, figure -> [Fact] in
            guard let money = before.readings.first, case .money = money.kind, let own = figure.readings.first,
                own.kind == .plain, figure.tokens.lowerBound - before.tokens.upperBound <= 4
            else { return [] }
            return facts(.init(kind: money.kind, value: own.value, step: own.step), of: figure)
        }
    }

    /// `twelve` may be written as 12, and `for 18 months` as "it lasts 18 months", although neither is a figure of its own.
    private static func smallNumbers(in text: NormalizedText, _ language: Language) -> [Fact] {
        let tokens = FigureTokenizer.tokens(of: text, in: language)
        return tokens.indices.compactMap { place in
            let token = tokens[place]
            if let number = NumberWords.small[token.lower] {
                return number > 1 ? Fact(number, .number, label: token.text) : nil
            }
            guard let numeral = token.numeral, place + 1 < tokens.count,
                ["minutes", "hours", "days", "weeks", "months", "years"].contains(tokens[place + 1].lower)
                    || spans.contains(tokens[place + 1].lower)
            else { return nil }
            return Fact(numeral.value, .number, label: token.text)
        }
    }

    private static let spans: Set<String> = [
        "minuten", "stunden", "tage", "tagen", "wochen", "monate", "monaten", "jahre", "jahren", "minutos", "horas",
        "días", "semanas", "meses", "años", "heures", "jours", "semaines", "mois", "ans", "années",
    ]

    private static func facts(_ reading: TextFigure.Reading, of figure: TextFigure) -> [Fact] {
        let units: [Unit] =
            switch reading.kind {
            case .plain, .count: [.number]
            case .percent: [.percent]
            // A sign that several currencies share is taken for the dollar of the United States where it can be.
            case .money(let codes): codes.contains("USD") ? [.usd] : codes.sorted().map { .currency($0) }
            case .times: [.times]
            case .shares: [.shares]
            case .years: [.years]
            case .fraction: [.ratio]
            case .multiple: [.times]
            }
        let signs: [Double] =
            switch figure.direction {
            case .down: [-1]
            case .up: [1]
            case nil: [1, -1]
            }
        return units.flatMap { unit in signs.map { Fact($0 * reading.value, unit, label: figure.text) } }
    }
}
