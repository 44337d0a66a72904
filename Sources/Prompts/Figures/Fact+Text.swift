extension Fact {
    /// The figures that a text states, as facts that another text may repeat or round.
    ///
    /// A figure whose sign the text leaves open ("a change of 5%") may be told either way.
    package static func stated(in text: String) -> [Fact] {
        let plain = PlainText(text)
        return FigureScanner.figures(in: plain).flatMap { figure in
            figure.readings.flatMap { reading in facts(reading, of: figure) }
        }
    }

    private static func facts(_ reading: Figure.Reading, of figure: Figure) -> [Fact] {
        let units: [Unit] =
            switch reading.kind {
            case .plain, .count: [.number]
            case .percent: [.percent]
            // A sign that several currencies share is taken for the dollar of the United States where it can be.
            case .money(let codes): (codes.contains("USD") ? "USD" : codes.min()).map { [.currency($0)] } ?? []
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
