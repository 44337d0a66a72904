import Basics
import FoundationEssentials

/// Finds the stock splits of a company in its own facts.
///
/// The proof of a split is one period that two filings report in different shares (Apple's fiscal 2018: 5,000 million
/// shares in the filing of 2018, 20,000 million in that of 2020). The tagged ratio alone is no proof: filings repeat
/// it for years, announce splits that come later, write reverse splits both ways and use it for other conversions.
/// It confirms a proof and gives the date.
struct SplitDetector {
    private struct Cluster {
        let ratio: SplitRatio
        var window: SplitWindow
        var periods: Set<[Int]>
        /// The worst deviation from the exact ratio.
        var deviation: Double
    }

    private struct TaggedRatio {
        let value: Double
        let date: CalendarDate
    }

    private let table: FactTable
    private let shareEvidence: [SplitEvidence]
    private let perShareEvidence: [SplitEvidence]
    private let tagged: [TaggedRatio]

    private static let averageTags = Tags.dilutedShares.tags + Tags.basicShares.tags
    private static let countTags = Tags.sharesOutstanding.tags + Tags.sharesIssued.tags

    init(_ table: FactTable) {
        self.table = table
        shareEvidence =
            SplitEvidence.find(Self.averageTags, .averageShares, in: table)
            + SplitEvidence.find(Self.countTags, .shares, in: table)
        perShareEvidence = SplitEvidence.find(
            Tags.dilutedEPS.tags + Tags.basicEPS.tags + Tags.dividendsPerShare.tags, .flowPerShare, in: table)
        tagged = Tags.splitRatio.tags.flatMap { table[$0] }.map {
            TaggedRatio(value: $0.value.double, date: $0.end)
        }
    }

    /// The splits, oldest first.
    func splits() -> [StockSplit] {
        var clusters = confirmed(clusterShares())
        for cluster in clusterTagged() where !clusters.contains(where: { same($0, cluster) }) {
            clusters.append(cluster)
        }
        return clusters.map(makeSplit).sorted { $0.boundary < $1.boundary }
    }

    // MARK: Proof from share counts

    /// Evidence of one ratio whose windows overlap belongs to one split. Narrow windows come first, so
    /// that a wide one that spans two splits is recognised as their product.
    private func clusterShares() -> [Cluster] {
        var clusters: [Cluster] = []
        let ordered = shareEvidence.sorted {
            ($0.window.through - $0.window.after, $0.before.end) < ($1.window.through - $1.window.after, $1.before.end)
        }
        for evidence in ordered {
            guard let ratio = SplitRatio.nearest(to: evidence.quotient, tolerance: 0.005) else { continue }
            let deviation = abs(evidence.quotient / ratio.value - 1)
            let period = [evidence.before.start?.dayNumber ?? 0, evidence.before.end.dayNumber]
            if let place = clusters.firstIndex(where: {
                $0.ratio == ratio && $0.window.intersection(evidence.window) != nil
            }) {
                clusters[place].window = clusters[place].window.intersection(evidence.window) ?? evidence.window
                clusters[place].periods.insert(period)
                clusters[place].deviation = max(clusters[place].deviation, deviation)
            } else {
                let inside = clusters.filter { evidence.window.encloses($0.window) }
                let product = inside.reduce(1) { $0 * $1.ratio.value }
                if inside.count > 1, abs(evidence.quotient / product - 1) <= 0.01 { continue }
                clusters.append(
                    Cluster(ratio: ratio, window: evidence.window, periods: [period], deviation: deviation))
            }
        }
        return clusters
    }

    /// A changed share count is a split when earnings or dividends per share moved the other way by the same ratio,
    /// or when a filing states that ratio; else it may be the correction of a mistake.
    private func confirmed(_ clusters: [Cluster]) -> [Cluster] {
        clusters.filter { cluster in
            let ratio = cluster.ratio.value
            let moved = perShareEvidence.contains {
                $0.window.intersection(cluster.window) != nil && $0.perShareAgrees(with: ratio)
                    && !$0.perShareAgrees(with: 1)
            }
            let stated = taggedDate(cluster.ratio, cluster.window, slack: 60) != nil
            if cluster.ratio.isSmall {
                return (moved || stated) && cluster.periods.count > 1 && cluster.deviation < 0.0005
            }
            return moved || stated
        }
    }

    // MARK: Proof from a stated ratio and per-share figures

    /// The split when share counts are not reported: a stated ratio by which earnings per share were restated around
    /// its date.
    private func clusterTagged() -> [Cluster] {
        var clusters: [Cluster] = []
        for statement in tagged {
            guard let ratio = SplitRatio.nearest(to: statement.value, tolerance: 0.001) else { continue }
            for candidate in [ratio, ratio.inverse] {
                for evidence in perShareEvidence
                where evidence.window.contains(statement.date) && evidence.perShareAgrees(with: candidate.value)
                    && !evidence.perShareAgrees(with: 1) && !evidence.perShareAgrees(with: candidate.value * 1.25)
                    && !evidence.perShareAgrees(with: candidate.value * 0.8)
                {
                    let found = Cluster(ratio: candidate, window: evidence.window, periods: [], deviation: 0)
                    if let place = clusters.firstIndex(where: { same($0, found) }) {
                        clusters[place].window = clusters[place].window.intersection(found.window) ?? found.window
                    } else {
                        clusters.append(found)
                    }
                }
            }
        }
        return clusters
    }

    private func same(_ one: Cluster, _ other: Cluster) -> Bool {
        one.ratio == other.ratio && one.window.intersection(other.window) != nil
    }

    // MARK: Dates of splits

    private func makeSplit(_ cluster: Cluster) -> StockSplit {
        let window = narrowed(cluster.window, cluster.ratio)
        let date = taggedDate(cluster.ratio, window, slack: 0)
        return StockSplit(
            numerator: cluster.ratio.numerator, denominator: cluster.ratio.denominator,
            effective: date ?? taggedDate(cluster.ratio, window, slack: 60), boundary: date ?? window.through)
    }

    private func taggedDate(_ ratio: SplitRatio, _ window: SplitWindow, slack: Int) -> CalendarDate? {
        tagged.filter {
            ratio.matches(tagged: $0.value)
                && SplitWindow(after: window.after + -slack, through: window.through).contains($0.date)
        }.map(\.date).max()
    }

    /// Settles on which side the filings inside the window are, by their own latest share count: it is near that of
    /// the last filing in old shares or near that of the first one in new shares.
    private func narrowed(_ window: SplitWindow, _ ratio: SplitRatio) -> SplitWindow {
        guard !ratio.isSmall else { return window }
        let counts = shareCounts()
        guard let old = counts.last(where: { $0.filed <= window.after })?.count,
            let new = counts.first(where: { $0.filed >= window.through })?.count
        else { return window }
        var window = window
        for (filed, count) in counts where window.after < filed && filed < window.through {
            if max(count / old, old / count) < max(count / new, new / count) {
                window.after = filed
            } else {
                window.through = filed
                break
            }
        }
        return window
    }

    /// The share count of the latest period in the filings of a day, by day; oldest filing first.
    private func shareCounts() -> [(filed: CalendarDate, count: Double)] {
        var latest: [CalendarDate: ReportedFact] = [:]
        for tag in Self.averageTags + Self.countTags + Tags.coverShares.tags {
            for fact in table.facts(tag, .shares) where fact.value > 0 {
                let known = latest[fact.filing.filed]
                if known == nil || (known?.tag == tag && (known?.end ?? fact.end) < fact.end) {
                    latest[fact.filing.filed] = fact
                }
            }
        }
        return latest.map { ($0.key, $0.value.value.double) }.sorted { $0.0 < $1.0 }
    }
}

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

/// New shares for old ones in lowest terms.
struct SplitRatio: Hashable, Sendable {
    let numerator: Int
    let denominator: Int

    var value: Double { Double(numerator) / Double(denominator) }
    var inverse: SplitRatio { SplitRatio(numerator: denominator, denominator: numerator) }

    /// The ratios in which shares are split. 1000 and more are left out: they are figures in thousands or millions.
    static let usual: [SplitRatio] =
        (2...100).map { SplitRatio(numerator: $0, denominator: 1) }
        + [(3, 2), (4, 3), (5, 4), (5, 2), (5, 3), (6, 5), (7, 2), (11, 10), (21, 20)].map {
            SplitRatio(numerator: $0.0, denominator: $0.1)
        }

    /// Whether the ratio is a stock dividend's rather than a split's: corrections look alike, so it needs proof.
    var isSmall: Bool { (2.0 / 3...1.5).contains(value) }

    /// The usual ratio, forward or reverse, that a quotient of two share counts is within `tolerance` of.
    static func nearest(to quotient: Double, tolerance: Double) -> SplitRatio? {
        guard quotient > 0, quotient.isFinite else { return nil }
        let forward = quotient >= 1 ? quotient : 1 / quotient
        guard let best = usual.min(by: { abs($0.value / forward - 1) < abs($1.value / forward - 1) }),
            abs(best.value / forward - 1) <= tolerance
        else { return nil }
        return quotient >= 1 ? best : best.inverse
    }

    /// Whether a tagged ratio states this one; filings write a reverse split as 0.1 or as 10, and some a split of
    /// ten as ten thousand, as if it were in thousands.
    func matches(tagged: Double) -> Bool {
        guard tagged > 0 else { return false }
        let ratio = value
        for stated: Double in [tagged, tagged / 1000] {
            let (forward, reverse) = (ratio / stated, ratio * stated)
            if abs(forward - 1) < 0.001 || abs(reverse - 1) < 0.001 { return true }
        }
        return false
    }
}
