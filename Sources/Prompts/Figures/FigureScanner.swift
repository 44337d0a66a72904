internal import Basics

/// Finds the figures of a text: every statement of a quantity, in digits or in words.
struct FigureScanner {
    private typealias Words = FigureVocabulary
    private typealias Kind = TextFigure.Reading.Kind

    private let tokens: [FigureToken]
    private let text: NormalizedText
    private var figures: [TextFigure] = []
    private var place = 0

    static func figures(in text: NormalizedText, _ language: Language) -> [TextFigure] {
        figures(in: text, tokens: FigureTokenizer.tokens(of: text, in: language))
    }

    static func figures(in text: NormalizedText, tokens: [FigureToken]) -> [TextFigure] {
        var scanner = FigureScanner(text, tokens)
        scanner.scan()
        return FigureNeighbours(tokens: scanner.tokens).complete(scanner.figures)
    }

    private init(_ text: NormalizedText, _ tokens: [FigureToken]) {
        self.text = text
        self.tokens = tokens
    }

    private mutating func scan() {
        let others = NonFigures(tokens: tokens)
        while place < tokens.count {
            let skip = others.length(at: place)
            if skip > 0 {
                place += skip
            } else if let figure = wordFigure() ?? amount() {
                figures.append(figure)
                place = figure.tokens.upperBound
            } else {
                place += 1
            }
        }
    }

    // MARK: Amounts

    /// A number in digits or words with its currency, scale and unit.
    private mutating func amount() -> TextFigure? {
        let number: (value: Double, step: Double, coarseStep: Double, end: Int, isSmallWord: Bool)
        if let numeral = tokens[place].numeral {
            let step = power(-numeral.decimals)
            let zeros = min(numeral.trailingZeros, max(0, numeral.digits - 2))
            number = (numeral.value, numeral.isVulgarFraction ? 0.1 : step, step * power(zeros), place + 1, false)
        } else if let words = WordNumber(tokens: tokens, at: place) {
            number = (words.value, words.step, words.step, words.end, words.isSmall)
        } else {
            return nil
        }
        let prefix = FigurePrefix(tokens: tokens, at: place, after: figures.last?.tokens.upperBound ?? 0)
        let suffix = FigureSuffix(
            tokens: tokens, at: number.end, hasCurrency: prefix.currency != nil, isBracketed: prefix.isBracketed)
        let kind: Kind = prefix.currency.map { .money($0) } ?? suffix.kind ?? .plain
        let exactStep = tokens[place].numeral?.isRounded == true ? min(100, number.coarseStep) : number.step
        let step = prefix.isHedged ? number.coarseStep : exactStep
        let factor = suffix.scale * suffix.part
        let range = prefix.start..<suffix.end
        return TextFigure(
            text: written(range), readings: [.init(kind: kind, value: number.value * factor, step: step * factor)],
            direction: prefix.direction, isBracketed: prefix.isBracketed,
            isTentative: number.isSmallWord && suffix.isBare && prefix.currency == nil, tokens: range,
            range: scalars(range), number: number.value * suffix.scale, numberStep: step * suffix.scale,
            scale: suffix.scale)
    }

    // MARK: Fractions and multiples

    private func wordFigure() -> TextFigure? {
        let token = tokens[place]
        if let fraction = digitFraction() { return fraction }
        guard token.isWord else { return nil }
        if let part = WordPart(tokens: tokens, at: place) {
            if part.isPoint {
                let range = place..<(part.unit + 1)
                return TextFigure(
                    text: written(range), readings: [.init(kind: .percent, value: part.value, step: 0.01)],
                    direction: nil, tokens: range, range: scalars(range), number: part.value, numberStep: 0.01, scale: 1
                )
            }
            let suffix = FigureSuffix(tokens: tokens, at: part.unit, hasCurrency: false, isBracketed: false)
            let factor = suffix.scale * suffix.part
            let range = place..<suffix.end
            return TextFigure(
                text: written(range),
                readings: [.init(kind: suffix.kind ?? .plain, value: part.value * factor, step: 0.01 * factor)],
                direction: nil, tokens: range, range: scalars(range), number: part.value * suffix.scale,
                numberStep: 0.01 * suffix.scale, scale: suffix.scale)
        }
        if let fraction = WordFraction(tokens: tokens, at: place) {
            return figure(.fraction, fraction.value, place..<fraction.end)
        }
        if let value = NumberWords.fold(token.lower) { return figure(.multiple, value, place..<place + 1) }
        guard let value = NumberWords.multiples[token.lower], statesMultiple(token.lower) else { return nil }
        return figure(.multiple, value, place..<place + 1)
    }

    /// `1/3` of something; `8/10` is a score.
    private func digitFraction() -> TextFigure? {
        guard place + 2 < tokens.count, tokens[place + 1].text == "/", tokens[place + 1].isGlued,
            tokens[place + 2].isGlued,
            let count = tokens[place].numeral, let base = tokens[place + 2].numeral, count.isWhole, base.isWhole,
            count.value >= 1, count.value < base.value, base.value <= 20, ![5, 10].contains(base.value)
        else { return nil }
        return figure(.fraction, count.value / base.value, place..<place + 3)
    }

    /// Not `double-digit`, `twice a year`, `triple-A`, `double check`.
    private func statesMultiple(_ word: String) -> Bool {
        let next = tokens.indices.contains(place + 1) ? tokens[place + 1] : nil
        if next?.text == "-" { return false }
        switch word {
        case "double", "triple", "quadruple":
            return ["the", "its", "what", "that", "their", "in", "over", "since", "as", "to"].contains(
                next?.lower ?? "")
        case "twice", "thrice":
            return ["the", "its", "as", "what", "that", "their", "over", "earnings", "book", "sales"].contains(
                next?.lower ?? "")
        case "halves", "doubles", "triples": return place > 0 && next != nil
        default: return true
        }
    }

    private func figure(_ kind: Kind, _ value: Double, _ range: Range<Int>) -> TextFigure {
        TextFigure(
            text: written(range), readings: [.init(kind: kind, value: value, step: 0)], direction: nil, tokens: range,
            range: scalars(range), number: value, numberStep: 0, scale: 1)
    }

    // MARK: Helpers

    private func scalars(_ range: Range<Int>) -> Range<Int> {
        tokens[range.lowerBound].range.lowerBound..<tokens[range.upperBound - 1].range.upperBound
    }

    private func written(_ range: Range<Int>) -> String { text.string(scalars(range)) }

    private func power(_ exponent: Int) -> Double {
        var value = 1.0
        for _ in 0..<min(abs(exponent), 320) { value *= 10 }
        return exponent < 0 ? 1 / value : value
    }
}

/// Gives all figures of a range or a list the unit that only one of them has: `10–12%`, `$10–12 billion`,
/// `43, 44 and 46 percent`, `between five and six percent`.
struct FigureNeighbours {
    private enum Link { case range, list }

    let tokens: [FigureToken]

    func complete(_ figures: [TextFigure]) -> [TextFigure] {
        var figures = figures
        for place in figures.indices.dropLast().reversed() {
            guard let link = link(figures[place], figures[place + 1]) else { continue }
            if figures[place].isTentative, link != .range { continue }
            lend(from: figures[place + 1], to: &figures[place], over: link)
        }
        for place in figures.indices.dropFirst() where link(figures[place - 1], figures[place]) != nil {
            lendCurrency(from: figures[place - 1], to: &figures[place])
        }
        return figures.filter { !$0.isTentative }
    }

    private func link(_ left: TextFigure, _ right: TextFigure) -> Link? {
        let gap = tokens[left.tokens.upperBound..<right.tokens.lowerBound].map(\.lower)
        if gap.count == 1, ["-", "–", "to", "bis", "a", "à"].contains(gap[0]) { return .range }
        let before = left.tokens.lowerBound > 0 ? tokens[left.tokens.lowerBound - 1].lower : ""
        if gap == ["and"], before == "between" { return .range }
        guard (1...2).contains(gap.count) else { return nil }
        return gap.allSatisfy { ["and", "or", ",", "/", "then"].contains($0) } ? .list : nil
    }

    /// Gives the left figure the unit of the right one.
    ///
    /// In a range the left figure can have no other unit.
    private func lend(from right: TextFigure, to left: inout TextFigure, over link: Link) {
        let own = left.readings[0]
        var lent: [TextFigure.Reading] = []
        for reading in right.readings where reading.kind != .fraction && reading.kind != .multiple {
            let isPlain = own.kind == .plain && reading.kind != .plain
            let isUnscaled = left.scale == 1 && right.scale > 1
            guard isPlain || isUnscaled else { continue }
            let part = reading.value == 0 || right.number == 0 ? 1 : reading.value / right.number
            let scale = (isUnscaled ? right.scale : 1) * (isPlain ? part : 1)
            // The other text may name the currency once for both ends, or not at all.
            if isPlain, isUnscaled, case .money = reading.kind {
                lent.append(
                    .init(kind: .plain, value: left.number * right.scale, step: left.numberStep * right.scale))
            }
            lent.append(
                .init(
                    kind: isPlain ? reading.kind : own.kind, value: left.number * scale, step: left.numberStep * scale))
        }
        guard !lent.isEmpty else { return }
        left.isTentative = false
        left.readings = link == .range && own.kind == .plain ? lent : left.readings + lent
    }

    private func lendCurrency(from left: TextFigure, to right: inout TextFigure) {
        guard case .money = left.readings[0].kind, right.readings[0].kind == .plain else { return }
        right.readings.append(
            .init(kind: left.readings[0].kind, value: right.readings[0].value, step: right.readings[0].step))
    }
}
