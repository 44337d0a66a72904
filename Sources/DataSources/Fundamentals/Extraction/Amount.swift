import FoundationEssentials
import JSON

/// A number for a span on its way to becoming a figure: taken from one fact, or calculated from several.
struct Amount: Sendable {
    let value: Decimal
    let reported: Decimal
    let unit: String
    let span: FactPeriod
    /// The tag or formula of the amount, without the period: only amounts of one kind may be added over time.
    let kind: String
    let tags: [String]
    /// The filing of the fact; for a calculation, the latest filing of its parts.
    let filing: Filing
    let adjustment: Adjustment?
    let restatement: Restatement?
    /// Empty for an amount that a filing reports.
    let components: [Derivation.Component]
    let method: String?

    /// One of the terms of a sum.
    struct Term {
        let amount: Amount
        let isAdded: Bool

        static func plus(_ amount: Amount) -> Term { Term(amount: amount, isAdded: true) }
        static func minus(_ amount: Amount) -> Term { Term(amount: amount, isAdded: false) }
    }

    /// An amount that a filing reports.
    init(
        reported: Decimal, value: Decimal, fact: ReportedFact, span: FactPeriod, kind: String, adjustment: Adjustment?,
        restatement: Restatement?
    ) {
        self.value = value
        self.reported = reported
        unit = fact.unit
        self.span = span
        self.kind = kind
        tags = [Tags.qualified(fact.tag)]
        filing = fact.filing
        self.adjustment = adjustment
        self.restatement = restatement
        components = []
        method = nil
    }

    /// The sum of terms that have one unit; `nil` for none or for different units.
    init?(_ terms: [Term], span: FactPeriod, kind: String, method: String) {
        guard let first = terms.first, terms.allSatisfy({ $0.amount.unit == first.amount.unit }) else { return nil }
        value = terms.reduce(0) { $1.isAdded ? $0 + $1.amount.value : $0 - $1.amount.value }
        reported = value
        unit = first.amount.unit
        self.span = span
        self.kind = kind
        var seen: Set<String> = []
        tags = terms.flatMap(\.amount.tags).filter { seen.insert($0).inserted }
        filing = terms.map(\.amount.filing).reduce(first.amount.filing) { $1.filed > $0.filed ? $1 : $0 }
        adjustment = nil
        restatement = nil
        components = terms.flatMap { $0.amount.asComponents(isAdded: $0.isAdded) }
        self.method = method
    }

    /// The reported numbers that this amount consists of, with the sign that they have in a sum that adds or subtracts
    /// it.
    private func asComponents(isAdded: Bool) -> [Derivation.Component] {
        guard components.isEmpty else {
            return components.map {
                Derivation.Component(
                    isAdded: $0.isAdded == isAdded, value: $0.value, tag: $0.tag, start: $0.start, end: $0.end,
                    filing: $0.filing)
            }
        }
        return [
            Derivation.Component(
                isAdded: isAdded, value: value, tag: tags.first ?? "", start: span.start, end: span.end, filing: filing)
        ]
    }

    /// The figure of this amount for a period.
    func figure(_ concept: Concept, _ period: Period) -> Figure {
        Figure(
            concept: concept, period: period, reported: reported, value: value, unit: unit,
            tag: tags.joined(separator: ", "), filing: filing, adjustment: adjustment, restatement: restatement,
            derivation: method.map { Derivation(method: $0, components: components) })
    }
}

extension Decimal {
    /// The exact value of a JSON number; `nil` where it is too large or has too many digits.
    init?(exactly number: JSONNumber) {
        if let whole = number.integer {
            self = Decimal(whole)
        } else if let value = Decimal(string: number.literal), !value.isNaN, number == value.jsonNumber {
            self = value
        } else {
            return nil
        }
    }

    /// `nil` only for not-a-number.
    var jsonNumber: JSONNumber? { JSONNumber(literal: description) }

    var json: JSON { jsonNumber.map(JSON.number) ?? .null }

    var double: Double { Double(description) ?? .nan }

    var magnitude: Decimal { isSignMinus ? -self : self }

    /// Rounded half away from zero to at most the given number of decimals (0 to 12).
    func rounded(decimals: Int) -> Decimal {
        let unit = Decimal(sign: .plus, exponent: -decimals, significand: 1)
        let scaled = (magnitude / unit + Decimal(sign: .plus, exponent: -1, significand: 5)).description
        guard let whole = Decimal(string: String(scaled.prefix { $0 != "." })) else { return self }
        return isSignMinus ? -(whole * unit) : whole * unit
    }

    /// Half of the last digit that was written: the most that rounding can have changed. For whole numbers the
    /// trailing zeros count as rounding (62,658 thousand becomes 63 million in a later filing).
    var halfUnit: Decimal {
        guard self != 0 else { return 0 }
        var exponent = self.exponent
        var digits = significand.description
        while digits.hasSuffix("0"), digits.count > 1 {
            digits.removeLast()
            exponent += 1
        }
        return Decimal(sign: .plus, exponent: exponent - 1, significand: 5)
    }
}
