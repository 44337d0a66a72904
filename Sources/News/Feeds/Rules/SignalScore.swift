package import JobQueue

/// How much a story counts and how sure it is, as numbers from 0 to 100.
///
/// Each level has a band of twenty, so that no number contradicts a level; `docs/feeds.md` tabulates them.
package enum SignalScore {
    /// From this importance on, what concerns investors is worth knowing.
    package static let threshold = 40

    /// 20, 40, 60 or 80 by impact, and 1 for each further article up to 12.
    package static func importance(impact: ImpactLevel, articles: Int) -> Int {
        20 + 20 * impact.rank + min(max(articles - 1, 0), 12)
    }

    package static func confidence(_ level: ConfidenceLevel) -> Int {
        switch level {
        case .high: 90
        case .medium: 70
        case .low: 50
        }
    }
}
