import SQLSupport

/// How the processes that share a database turn the time since the machine's start, which is the same for all of them,
/// into a moment: one row of the database says it.
///
/// 1. Nobody's wall clock decides alone. A process whose clock is off, or jumps, still tells the others' time.
/// 2. The shared time follows the wall clocks slowly: by at most an eighth of the time that has passed, so it never
///    stands still, runs back or jumps, and pauses and deadlines last about as long as they should.
/// 3. A difference of more than an hour is no drift: the machine's clock was wrong and was set right. A process that
///    opens the database then takes its wall clock for the time.
struct ClockAnchor: Equatable {
    /// The start of the machine that the others count from.
    var boot: String
    /// What to add to the time since the start, in milliseconds.
    var offset: Int64
    /// When this was written, since the start.
    var setAt: Int64

    private static let tolerance: Int64 = 100
    private static let hour: Int64 = 3_600_000
    /// What counts as passed since the last change, at most: who comes after a day must not jump.
    private static let longestStep: Int64 = 2000

    /// The anchor after a look at the clocks: `stored` is the one in the database, and `isOpening` says whether the
    /// process has just begun.
    static func next(
        after stored: ClockAnchor?, boot: String, _ reading: MachineClock.Reading, isOpening: Bool
    ) -> ClockAnchor {
        let own = ClockAnchor(boot: boot, offset: reading.wall - reading.sinceBoot, setAt: reading.sinceBoot)
        guard var anchor = stored, anchor.boot == boot else { return own }
        let difference = own.offset - anchor.offset
        if isOpening, abs(difference) > hour { return own }
        let passed = min(max(reading.sinceBoot - anchor.setAt, 0), longestStep)
        guard abs(difference) > tolerance, passed >= 8 else { return anchor }
        anchor.offset += min(max(difference, -passed / 8), passed / 8)
        anchor.setAt = reading.sinceBoot
        return anchor
    }
}
