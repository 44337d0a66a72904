import FoundationEssentials

/// The same period reported by two filings with different numbers: between the two, shares may have been split.
struct SplitEvidence: Sendable {
    let before: ReportedFact
    let after: ReportedFact

    /// From the older filing, exclusive, to the newer one, inclusive.
    var window: SplitWindow { SplitWindow(after: before.filing.filed, through: after.filing.filed) }

    /// The quotient of the newer number by the older one.
    var quotient: Double { after.value.double / before.value.double }

    /// Whether two per-share numbers differ by this ratio, given that both are rounded.
    func perShareAgrees(with ratio: Double) -> Bool {
        let (old, new) = (before.value.double, after.value.double)
        let slack = Self.rounding(before.value) + ratio * Self.rounding(after.value)
        return abs(new * ratio - old) <= slack * 1.02 + 1e-9
    }

    /// Per-share numbers are written with two decimals at least, even where the last ones are zeros.
    private static func rounding(_ value: Decimal) -> Double {
        min(0.005, Decimal(sign: .plus, exponent: value.exponent - 1, significand: 5).double)
    }

    /// All neighbouring pairs of different reports of one period, for each period of each tag.
    static func find(_ tags: [String], _ measure: Concept.Measure, in table: FactTable) -> [SplitEvidence] {
        tags.flatMap { tag -> [SplitEvidence] in
            let periods = Dictionary(grouping: table.facts(tag, measure)) {
                [$0.start?.dayNumber ?? 0, $0.end.dayNumber]
            }
            return periods.values.flatMap { facts -> [SplitEvidence] in
                let ordered = facts.sorted {
                    ($0.filing.filed, $0.filing.accession) < ($1.filing.filed, $1.filing.accession)
                }
                return zip(ordered, ordered.dropFirst()).compactMap { before, after in
                    guard before.value != after.value, before.value != 0, after.value != 0,
                        before.filing.filed < after.filing.filed
                    else { return nil }
                    return SplitEvidence(before: before, after: after)
                }
            }
        }
    }
}

/// The days of filing between which the basis of share figures changed.
struct SplitWindow: Hashable, Sendable {
    /// The last filing known to be in old shares was made on this day.
    var after: CalendarDate
    /// The first filing known to be in new shares was made on this day.
    var through: CalendarDate

    func contains(_ date: CalendarDate) -> Bool { after < date && date <= through }
    func encloses(_ other: SplitWindow) -> Bool { after <= other.after && other.through <= through }

    func intersection(_ other: SplitWindow) -> SplitWindow? {
        let common = SplitWindow(after: max(after, other.after), through: min(through, other.through))
        return common.after < common.through ? common : nil
    }
}
