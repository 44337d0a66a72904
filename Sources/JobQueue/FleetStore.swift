/// The state that all processes of a fleet share: the current bundle, the limits of its kinds and the last run of each
/// schedule. Every operation is one transaction, as in `JobStore`.
package protocol FleetStore: Sendable {
    /// Makes a stored bundle the current one and applies the limits of its kinds; the last adoption wins.
    ///
    /// The limits of the given kinds apply at once to waiting and new jobs. A higher limit lets waiting jobs through in
    /// this transaction, and `none` lets all of them through. Under a lower limit jobs keep the permits that they have,
    /// and none is granted until enough were returned. Other kinds keep their limits.
    func adopt(bundle hash: String, limits: [String: ConcurrencyLimits]) async throws(StoreError)

    /// Reads the bundle that was adopted last; `nil` before the first adoption.
    func currentBundle() async throws(StoreError) -> String?

    /// Submits the job of a scheduled run once in the whole fleet, and records the run in the same transaction.
    ///
    /// Only a run later than the last recorded one is enqueued. The first run of an unknown schedule is recorded and
    /// not enqueued. The run is also recorded when an unfinished job has the unique key (the job of the last run is
    /// still running). A submit that is refused records nothing.
    func enqueueScheduledRun(_ run: ScheduledRun, submitting job: NewJob) async throws(StoreError)
        -> ScheduledRunOutcome
}

/// One time at which a schedule submits a job.
package struct ScheduledRun: Hashable, Sendable {
    /// Identifies the schedule by its kind, times and input, so an edited schedule is another one.
    package var schedule: String
    package var timestamp: Timestamp

    package init(schedule: String, timestamp: Timestamp) {
        self.schedule = schedule
        self.timestamp = timestamp
    }
}

/// The outcome of `FleetStore.enqueueScheduledRun`.
package enum ScheduledRunOutcome: Sendable {
    /// The job was submitted. `existing` means that the unfinished job of the last run also serves this one.
    case submitted(Submission)
    /// Another worker was first, or a later run is recorded.
    case alreadyEnqueued
    /// The schedule is new, and its next run will be enqueued.
    case recorded
}

extension UserID {
    /// The owner of jobs that no user submitted, outside the range of account numbers. Its subject is `system`.
    package static let system = UserID(rawValue: -1)
}
