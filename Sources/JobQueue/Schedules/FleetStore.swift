/// What all processes of a fleet agree on: the content that is current, the limits of its kinds, and which ticks of its
/// schedules have fired. Every verb is one transaction, as in `JobStore`.
package protocol FleetStore: Sendable {
    /// Makes a stored bundle the current one and its limits those of its kinds. Whoever adopts last decides.
    ///
    /// The limits of the kinds named here hold at once for all jobs that wait for a slot, and for those to come: a
    /// higher limit lets waiting jobs through in this transaction, `none` lets all of them through; with a lower one
    /// jobs that have a slot keep it, and nobody gets one until enough have come back. Other kinds stay as they are.
    func adopt(bundle hash: String, limits: [String: ConcurrencyLimits]) async throws(StoreError)

    /// The bundle that was adopted last; `nil` before the first.
    func currentBundle() async throws(StoreError) -> String?

    /// Submits the job of a schedule's tick, once in the whole fleet: the tick is noted in the transaction of the
    /// submit, and only a later one than the last noted fires.
    ///
    /// A schedule that was never seen is noted with this tick and fires from its next one on. Where the submit finds
    /// the join key's unfinished job (the last tick's job still runs), the tick is noted, too. A submit that is refused
    /// notes nothing.
    func fire(_ tick: ScheduleTick, submitting job: NewJob) async throws(StoreError) -> Firing
}

/// One moment at which a schedule wants a job.
package struct ScheduleTick: Hashable, Sendable {
    /// Names the schedule: its kind, times and input. An edited schedule is another one.
    package var schedule: String
    package var timestamp: Timestamp

    package init(schedule: String, timestamp: Timestamp) {
        self.schedule = schedule
        self.timestamp = timestamp
    }
}

/// What became of a tick.
package enum Firing: Sendable {
    /// The submit was made. `existing` means that the last tick's job is unfinished and stands for this tick, too.
    case submitted(Submission)
    /// Another worker was first, or a later tick has fired.
    case alreadyFired
    /// The schedule is new; it fires from the next tick on.
    case noted
}

extension UserID {
    /// Who owns the jobs that nobody asked for. The number is out of reach for accounts; its subject is `system`.
    package static let system = UserID(rawValue: -1)
}
