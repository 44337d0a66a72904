/// When a worker claims again.
///
/// A worker that is idle, or whose jobs come one by one, claims at every signal. Where many jobs run and more keep coming,
/// each claim waits a little for others to come with it, since claims cost the database nearly as much for one job as for
/// ten. And the end of a job is a reason to claim only where the last claim had too little room.
struct ClaimThrottle {
    /// Claims with jobs that are this close make a stream.
    private static let stream: Duration = .milliseconds(100)
    /// The time between claims of a stream.
    static let rest: Duration = .milliseconds(50)
    /// Running jobs from which on one more may wait.
    private static let crowd = 16

    /// When a claim last brought jobs.
    private var last: ContinuousClock.Instant?
    private var isClaiming = false
    private var hadTooLittleRoom = false
    private var hasEndedMeanwhile = false

    /// A claim is about to count the free slots.
    mutating func begin() {
        isClaiming = true
        hasEndedMeanwhile = false
    }

    /// A claim was answered.
    ///
    /// - Parameter isShort: Whether a lane had no more room than was taken.
    /// - Returns: Whether a job ended meanwhile that would have made room.
    mutating func finish(isShort: Bool) -> Bool {
        isClaiming = false
        hadTooLittleRoom = isShort
        return isShort && hasEndedMeanwhile
    }

    /// A job ended; whether that is a reason to claim.
    mutating func jobEnded() -> Bool {
        hasEndedMeanwhile = true
        return !isClaiming && hadTooLittleRoom
    }

    /// How long to rest after a claim that brought jobs, so many of which now run.
    mutating func rest(afterClaimAt now: ContinuousClock.Instant, running: Int) -> Duration {
        defer { last = now }
        guard let last, now - last < Self.stream, running >= Self.crowd else { return .zero }
        return Self.rest
    }
}
