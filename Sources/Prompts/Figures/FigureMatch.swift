/// Decides whether a figure states a fact.
///
/// A fact is stated when it rounds to the written number, at the precision of that number. Units must agree: a
/// percentage never states an amount of money, nor an amount a number of shares. A bare number states anything but
/// years, and shares only where they are mentioned. Fractions in words are approximations and may be five percentage
/// points off, and a fifth of themselves; `doubled` and `fivefold` may be ten per cent off.
enum FigureMatch {
    /// The relation of a figure to a fact.
    enum Outcome: Int, Comparable {
        case none
        /// The amount is right, but the sign is wrong or left open.
        case wrongSign
        case stated

        static func < (left: Outcome, right: Outcome) -> Bool { left.rawValue < right.rawValue }
    }

    private static let fractionTolerance = 0.05
    /// A tenth is no word for six percent, although only four points lie between them.
    private static let relativeFractionTolerance = 0.2
    private static let multipleTolerance = 0.1

    /// The relation of a figure, in its sentence, to a fact.
    static func outcome(_ figure: TextFigure, _ fact: Fact, in sentence: FigureSentence) -> Outcome {
        guard figure.readings.contains(where: { agrees($0, fact, in: sentence) }) else { return .none }
        return hasRightSign(figure, fact, speaksOfLess: sentence.speaksOfLess) ? .stated : .wrongSign
    }

    private static func hasRightSign(_ figure: TextFigure, _ fact: Fact, speaksOfLess: Bool) -> Bool {
        // A zero has no sign, whether the fact is one or only rounds to it.
        if fact.value == 0 || figure.readings.first?.value == 0 { return true }
        if case .multiple? = figure.readings.first?.kind { return true }
        switch figure.direction {
        case .down: return fact.value < 0
        case .up: return fact.value > 0
        case nil: return fact.value > 0 || speaksOfLess || figure.isBracketed
        }
    }

    private static func agrees(_ reading: TextFigure.Reading, _ fact: Fact, in sentence: FigureSentence) -> Bool {
        let value = abs(fact.value)
        guard value.isFinite else { return false }
        switch reading.kind {
        case .percent:
            switch fact.unit {
            case .ratio: return rounds(value * 100, to: reading)
            case .percent: return rounds(value, to: reading)
            default: return false
            }
        case .money(let codes):
            guard case .currency(let code) = fact.unit else { return false }
            return codes.contains(code) && rounds(value, to: reading)
        case .times: return [.times, .ratio].contains(fact.unit) && rounds(value, to: reading)
        case .shares: return fact.unit == .shares && rounds(value, to: reading)
        case .years: return [.years, .number].contains(fact.unit) && rounds(value, to: reading)
        case .plain:
            // Billions without a word about shares are taken for money.
            if fact.unit == .shares, !sentence.mentionsShares { return false }
            return fact.unit != .years && (rounds(value, to: reading) || isTabulated(value, as: reading))
        case .count: return fact.unit == .number && rounds(value, to: reading)
        case .fraction:
            guard let share = share(of: fact) else { return false }
            return abs(abs(share) - reading.value)
                <= min(fractionTolerance, relativeFractionTolerance * reading.value)
        case .multiple: return isMultiple(fact, reading.value)
        }
    }

    private static func rounds(_ value: Double, to reading: TextFigure.Reading) -> Bool {
        abs(value - reading.value) <= reading.step / 2 + max(value, reading.value) * 1e-12
    }

    /// `416,161` of a table in millions. Only with at least five digits, so that no small number fits by chance.
    private static func isTabulated(_ value: Double, as reading: TextFigure.Reading) -> Bool {
        guard reading.step == 1, reading.value >= 10_000 else { return false }
        return [1e3, 1e6].contains { abs(value - reading.value * $0) <= $0 / 2 }
    }

    private static func share(of fact: Fact) -> Double? {
        switch fact.unit {
        case .ratio: fact.value
        case .percent: fact.value / 100
        // `halved` may be told as "half as much", and the 0.01 of a text as "one hundredth".
        case .times, .number: abs(fact.value) < 1 ? fact.value : nil
        default: nil
        }
    }

    /// `doubled` is a multiple of 2 or a growth of 100 %, `halved` a multiple of 0.5 or a growth of −50 %.
    private static func isMultiple(_ fact: Fact, _ multiple: Double) -> Bool {
        let isNear: (Double, Double) -> Bool = { abs($0 - $1) <= abs($1) * multipleTolerance }
        if fact.unit == .times { return isNear(fact.value, multiple) }
        guard let growth = share(of: fact) else { return false }
        return isNear(growth, multiple - 1) || multiple >= 2 && isNear(growth, multiple)
    }
}
