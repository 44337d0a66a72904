/// The teacher's way to state a ratio: `27 cents of every dollar of sales`, `$27 of each $100`.
struct PerDollar {
    /// 1 for "each dollar", 100 for "every $100".
    private let base: Double?

    init(sentence: String) {
        let tokens = FigureTokenizer.tokens(of: PlainText(sentence))
        base =
            tokens.indices.lazy.compactMap { place -> Double? in
                guard ["each", "every", "per"].contains(tokens[place].lower), place + 1 < tokens.count else {
                    return nil
                }
                if tokens[place + 1].lower == "dollar" { return 1 }
                guard tokens[place + 1].text == "$", place + 2 < tokens.count else { return nil }
                return tokens[place + 2].numeral.flatMap { [1, 10, 100, 1000].contains($0.value) ? $0.value : nil }
            }.first
    }

    /// Whether the figure is the whole of which others are parts.
    func isBase(_ figure: Figure) -> Bool {
        guard let base, case .money? = figure.readings.first?.kind else { return false }
        return figure.readings[0].value == base && base >= 1
    }

    /// Lets an amount of money also state the ratio that it is of the whole.
    func complete(_ figure: Figure) -> Figure {
        guard let base, case .money? = figure.readings.first?.kind, figure.scale == 1 else { return figure }
        var figure = figure
        let reading = figure.readings[0]
        figure.readings.append(
            .init(kind: .percent, value: reading.value / base * 100, step: reading.step / base * 100))
        return figure
    }
}
