import Basics
import FoundationEssentials

/// Chooses, of all reports of one number, the one to use.
struct FactSelector: Sendable {
    let table: FactTable
    let splits: [StockSplit]
    /// The last days of fiscal years; their figures come from annual reports.
    private let yearEnds: Set<CalendarDate>
    /// The filings with a whole statement of a period, by period. A filing may mention an old number alone, in a
    /// note or as an opening balance, under a tag that means less or more than the statement's line.
    private let statements: [FactPeriod: Set<String>]

    init(_ table: FactTable, _ splits: [StockSplit], yearEnds: Set<CalendarDate>) {
        self.table = table
        self.yearEnds = yearEnds
        self.splits = splits
        var statements: [FactPeriod: Set<String>] = [:]
        for tag in Tags.netIncome.tags {
            for fact in table.facts(tag, .flow) {
                guard let start = fact.start else { continue }
                statements[.duration(start: start, end: fact.end), default: []].insert(fact.filing.accession)
            }
        }
        for tag in Tags.totalAssets.tags {
            for fact in table.facts(tag, .balance) where fact.start == nil {
                statements[.timestamp(fact.end), default: []].insert(fact.filing.accession)
            }
        }
        self.statements = statements
    }

    /// The amount of the first tier that is reported for the span; `nil` when none is.
    ///
    /// `isPreferred` selects one of several tags of a tier; without it, the largest number is taken.
    func amount(
        _ list: TagList, _ measure: Concept.Measure, _ span: FactPeriod, isPreferred: (Decimal) -> Bool = { _ in false }
    ) -> Amount? {
        func isRegular(_ fact: ReportedFact) -> Bool {
            isYearEnd(span) ? fact.filing.isAnnualReport : fact.filing.isPeriodicReport
        }
        func isStatement(_ fact: ReportedFact) -> Bool {
            let own: FactPeriod = fact.start.map { .duration(start: $0, end: fact.end) } ?? .timestamp(fact.end)
            return statements[own]?.contains(fact.filing.accession) ?? false
        }
        let tiers = list.tiers.map { tier in
            (kind: tier.joined(separator: "|"), facts: tier.flatMap { candidates($0, measure, span) })
        }
        let filters: [(ReportedFact) -> Bool] = [
            { isRegular($0) && isStatement($0) }, isRegular, isStatement, { _ in true },
        ]
        for isWanted in filters {
            for (kind, facts) in tiers {
                let wanted = facts.filter(isWanted)
                let last = ofLatestFiling(wanted)
                guard let fact = best(last.filter { isPreferred($0.value) }) ?? best(last) else { continue }
                return Amount(
                    reported: fact.value, value: adjusted(fact, measure), fact: fact, span: span, kind: kind,
                    adjustment: adjustment(of: fact, measure),
                    restatement: restatement(of: fact, among: wanted, measure))
            }
        }
        return nil
    }

    /// Whether annual reports are the ones to trust: for years, and for balance sheet days that they report.
    private func isYearEnd(_ span: FactPeriod) -> Bool {
        switch span {
        case .duration: span.isYear
        case .timestamp(let date): yearEnds.contains(date)
        }
    }

    /// The facts of a tag about a span: those with its exact days, or else those nearest to them.
    private func candidates(_ tag: String, _ measure: Concept.Measure, _ span: FactPeriod) -> [ReportedFact] {
        var nearest = Int.max
        var found: [ReportedFact] = []
        for fact in table.facts(tag, measure) {
            guard let distance = span.distance(to: fact), distance <= nearest else { continue }
            if distance < nearest {
                nearest = distance
                found = []
            }
            found.append(fact)
        }
        return found
    }

    private func ofLatestFiling(_ facts: [ReportedFact]) -> [ReportedFact] {
        guard let last = facts.map(\.filing).max(by: { ($0.filed, $0.accession) < ($1.filed, $1.accession) })
        else { return [] }
        return facts.filter { $0.filing.accession == last.accession }
    }

    /// The largest number, and of one number written twice the more exact one.
    private func best(_ facts: [ReportedFact]) -> ReportedFact? {
        var best: ReportedFact?
        for fact in facts {
            guard let known = best else {
                best = fact
                continue
            }
            if Self.isSame(fact.value, known.value) {
                if fact.value.halfUnit < known.value.halfUnit { best = fact }
            } else if fact.tag != known.tag, fact.value > known.value {
                best = fact
            }
        }
        return best
    }

    // MARK: Splits

    private func adjustment(of fact: ReportedFact, _ measure: Concept.Measure) -> Adjustment? {
        guard measure.splitEffect != .none else { return nil }
        let later = splits.filter { $0.boundary > fact.filing.filed }
        return later.isEmpty ? nil : Adjustment(splits: later)
    }

    /// The number of a fact on today's shares.
    private func adjusted(_ fact: ReportedFact, _ measure: Concept.Measure) -> Decimal {
        guard let adjustment = adjustment(of: fact, measure) else { return fact.value }
        let up = adjustment.splits.reduce(Decimal(1)) { $0 * Decimal($1.numerator) }
        let down = adjustment.splits.reduce(Decimal(1)) { $0 * Decimal($1.denominator) }
        switch measure.splitEffect {
        case .none: return fact.value
        case .divides: return (fact.value * down / up).rounded(decimals: 6)
        case .multiplies: return (fact.value * up / down).rounded(decimals: 0)
        }
    }

    // MARK: Restatements

    /// The value of the latest earlier filing that differs by more than rounding, on today's shares.
    private func restatement(
        of fact: ReportedFact, among facts: [ReportedFact], _ measure: Concept.Measure
    ) -> Restatement? {
        let value = adjusted(fact, measure)
        let earlier = Dictionary(grouping: facts.filter { $0.filing.filed < fact.filing.filed }, by: \.filing)
        let differing = earlier.values.compactMap(best).filter {
            !isRounding($0, adjusted($0, measure), fact, value)
        }
        return differing.max { ($0.filing.filed, $0.filing.accession) < ($1.filing.filed, $1.filing.accession) }.map {
            Restatement(reported: $0.value, filing: $0.filing)
        }
    }

    private func isRounding(
        _ one: ReportedFact, _ oneValue: Decimal, _ other: ReportedFact, _ otherValue: Decimal
    ) -> Bool {
        if oneValue == otherValue { return true }
        guard one.value != 0, other.value != 0 else { return false }
        // Each half unit as it became with the adjustment of its own fact.
        let slack =
            Self.slack(one.value) * (oneValue / one.value).magnitude
            + Self.slack(other.value) * (otherValue / other.value).magnitude
        return (oneValue - otherValue).magnitude <= slack
    }

    /// Per-share numbers have two decimals at least; of larger numbers trailing zeros count as rounding up to 1 %.
    private static func slack(_ value: Decimal) -> Decimal {
        let half = value.halfUnit
        let cent = Decimal(sign: .plus, exponent: -3, significand: 5)
        let isPerShare = value.magnitude < 1000
        return isPerShare ? (half < cent ? half : cent) : min(half, value.magnitude / 100)
    }

    private static func isSame(_ one: Decimal, _ other: Decimal) -> Bool {
        if one == other { return true }
        let coarser = max(one.halfUnit, other.halfUnit)
        return (one - other).magnitude <= min(coarser, one.magnitude / 200)
    }
}
