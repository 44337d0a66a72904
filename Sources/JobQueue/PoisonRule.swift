/// When a job counts as one that kills its workers, rather than as one that was near when workers died.
///
/// Workers die of many things, and take along whatever they have in hand. A job is to blame only if
///
/// 1. at least three workers died with it in a row, without a new step in between;
/// 2. the last of them had no other job in hand that had seen as many die: else that one may be to blame as well;
/// 3. at least half of all workers that died in the fleet since the first of these died with it: while half of a fleet
///    is killed every few seconds, the deaths follow no job. From its tenth on a quarter is enough.
///
/// Until then it goes back to pending at no cost. Those of one worker that have seen at least three deaths start again
/// apart from each other, so that the one to blame is alone with its next death, or with fewer.
package enum PoisonRule {
    /// Deaths in a row from which on a job may be to blame.
    package static let deaths = 3
    /// Deaths in a row from which on a quarter of the fleet's is enough.
    package static let manyDeaths = 10

    /// How long a job that is under suspicion pauses.
    ///
    /// - Parameter place: How many of its worker's jobs under suspicion come before it.
    /// - Returns: 0 to 30 s; a job with a deadline cannot wait for two hundred others.
    package static func pause(ofPlace place: Int) -> Duration { .seconds(2 * (place % 16)) }

    /// Whether a job is to blame for the death of its worker.
    ///
    /// - Parameters:
    ///   - deaths: Workers that died with it in a row, this one included.
    ///   - fleetDeaths: Workers of the fleet that died since the first of these, both ends included.
    ///   - isAlone: Whether no other job in the worker's hands has seen as many.
    /// - Returns: Whether it fails.
    package static func blames(deaths: Int, fleetDeaths: Int, isAlone: Bool) -> Bool {
        guard deaths >= Self.deaths, isAlone else { return false }
        return 2 * deaths >= fleetDeaths || (deaths >= manyDeaths && 4 * deaths >= fleetDeaths)
    }
}
