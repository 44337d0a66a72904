internal import Prices

/// The defects of the bars that a training has used; older ones do not count.
package struct DataHealth: Hashable, Sendable {
    /// Rows that were dropped or changed, and bars that lack a volume though most bars have one.
    package let repaired: Int
    /// Rows without trading that were left out: filled weekends, holidays and nights.
    package let untraded: Int
    /// Bars that sessions without a row should have had.
    package let missing: Int
    private let expected: Int

    /// Counts the defects of bars among the repairs and the judgement of the whole series.
    init(_ bars: [PriceBar], _ repairs: [PriceRepair], _ traded: TradedBars, _ timeframe: Timeframe) {
        let range = (bars.first?.time ?? 0)...(bars.last?.time ?? 0)
        let withoutVolume = bars.count { $0.volume == nil }
        // A source without volumes is no defect of single rows.
        repaired =
            repairs.count { range.contains($0.time) } + (withoutVolume * 2 <= bars.count ? withoutVolume : 0)
        untraded = traded.untraded.count { range.contains($0) }
        missing = traded.missingSessions(of: bars[...]).missing * timeframe.barsPerSession
        expected = bars.count + missing
    }

    /// The share of bars that are repaired or missing, 0 to 1.
    package var share: Double { min(1, Double(repaired + missing) / Double(max(expected, 1))) }

    /// Above it, readers are told.
    package var isNotable: Bool { Double(repaired + missing + untraded) > 0.005 * Double(expected) }
}
