/// Decides whether a job is killing its workers or merely ran on workers that died.
///
/// A worker that dies takes down every job that it runs. A job is to blame only if
///
/// 1. at least three workers in a row died while running it, without a new step in between;
/// 2. the last of them ran no other job with as many deaths, since that job may be to blame instead;
/// 3. every worker that died in the fleet since its first death died with it. When half of a fleet is killed every few
///    seconds, the deaths follow no job, and among many jobs some are hit three times in a row. The more deaths in a
///    row, the smaller the share of the fleet's deaths that is enough: two thirds from the sixth on, half from the
///    sixteenth, a quarter from the thirtieth.
///
/// Otherwise the job returns to pending without costing an attempt. Jobs of one worker that are suspected restart at
/// different times, so that the job to blame is alone, or with fewer others, at its next death.
package enum PoisonRule {
    /// The number of deaths in a row from which a job may be to blame.
    package static let deaths = 3

    /// Whether a job may be to blame: at least two thirds of the fleet's deaths since its first were with it.
    ///
    /// - Parameters:
    ///   - deaths: Deaths of workers in a row with this job, the current one included.
    ///   - fleetDeaths: Deaths of workers in the fleet since the first of these, both ends included.
    /// - Returns: Whether the job restarts apart from others.
    package static func suspects(deaths: Int, fleetDeaths: Int) -> Bool {
        deaths >= Self.deaths && 2 * fleetDeaths <= 3 * deaths
    }

    /// The pause of a suspected job before its next run.
    ///
    /// - Parameter position: The number of suspected jobs of the same worker before it.
    /// - Returns: 0 to 30 s, since a job with a deadline cannot wait for two hundred others.
    package static func pause(atPosition position: Int) -> Duration { .seconds(2 * (position % 16)) }

    /// Whether a job is to blame for the death of its worker.
    ///
    /// - Parameters:
    ///   - deaths: Deaths of workers in a row with this job, the current one included.
    ///   - fleetDeaths: Deaths of workers in the fleet since the first of these, both ends included.
    ///   - isAlone: Whether no other job of the worker has as many deaths.
    /// - Returns: Whether the job fails.
    package static func blames(deaths: Int, fleetDeaths: Int, isAlone: Bool) -> Bool {
        guard deaths >= Self.deaths, isAlone else { return false }
        return fleetDeaths <= mostFleetDeaths(for: deaths)
    }

    /// The most deaths in the fleet that still point to a job with so many deaths in a row.
    private static func mostFleetDeaths(for deaths: Int) -> Int {
        switch deaths {
        case ..<6: deaths
        case ..<16: 3 * deaths / 2
        case ..<30: 2 * deaths
        default: 4 * deaths
        }
    }
}

/// The outcome for a dead worker's jobs.
package struct Rescue: Sendable, Hashable {
    /// Jobs returned to pending without costing an attempt.
    package var requeued: [JobID]
    /// Jobs failed by `PoisonRule`.
    package var poisoned: [JobID]

    package init(requeued: [JobID], poisoned: [JobID]) {
        self.requeued = requeued
        self.poisoned = poisoned
    }
}
