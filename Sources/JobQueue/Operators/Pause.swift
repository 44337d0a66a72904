/// An operator's order that no job of a kind, or of a lane, is claimed.
///
/// Jobs are accepted and wait, and those that run go on. A job that would be ready is parked meanwhile: it is scheduled
/// for a time that never comes. The deadline of every pending job that it holds stands still, so that each has at the end
/// the time that it had left.
package struct Pause: Hashable, Sendable {
    package enum Target: Hashable, Sendable {
        case kind(String)
        case queue(QueueName)
    }

    package var id: String
    package var target: Target
    package var note: String?
    /// The name of the operator, the key or the user of the command line.
    package var by: String
    package var since: Timestamp
    /// The time at which it ends by itself.
    package var until: Timestamp?

    package init(id: String, target: Target, note: String?, by: String, since: Timestamp, until: Timestamp?) {
        (self.id, self.target, self.note) = (id, target, note)
        (self.by, self.since, self.until) = (by, since, until)
    }

    /// The largest number of pauses at once.
    package static let most = 100

    /// The time from its begin for which a pause that has ended is kept, so that a late repetition of the request that
    /// began it begins no other one.
    package static let memory: Duration = .seconds(30 * 86_400)

    /// The paused kind; `nil` for a queue.
    package var kind: String? {
        if case .kind(let kind) = target { kind } else { nil }
    }

    /// The paused queue; `nil` for a kind.
    package var queue: QueueName? {
        if case .queue(let queue) = target { queue } else { nil }
    }

    package func holds(kind: String, queue: QueueName) -> Bool {
        switch target {
        case .kind(let paused): paused.utf8.elementsEqual(kind.utf8)
        case .queue(let paused): paused == queue
        }
    }
}

extension Timestamp {
    /// The time for which a parked job is scheduled. A deadline that stands still is this time and what is left.
    package static let never = Timestamp(milliseconds: 1 << 52)
}

/// Keeps the pauses of kinds and lanes.
package protocol PauseRepository: Sendable {
    /// The pauses that hold, the oldest first.
    func pauses() async throws(StoreError) -> [Pause]

    /// Begins a pause. Nothing that it holds is claimed after this returns.
    ///
    /// - Returns: The pause, or the one that was begun with its id before, which may have ended; `nil` when there are as
    ///   many as may be, or its end has passed.
    func begin(_ pause: Pause, audit: AuditEntry?) async throws(StoreError) -> (pause: Pause, isNew: Bool)?

    /// Ends a pause; `settlePauses` then lets its jobs go on.
    ///
    /// - Returns: `nil` when there is no such pause.
    func endPause(_ id: String, audit: AuditEntry?) async throws(StoreError) -> Pause?

    /// Ends the pauses whose time is over, parks some of the jobs that pauses hold, and lets some of those go on that
    /// none holds any more. Any process may call it at any time.
    ///
    /// - Returns: Whether there is more to do.
    func settlePauses(limit: Int) async throws(StoreError) -> Bool
}

extension PauseRepository {
    /// Settles the pauses until nothing is left to do.
    package func settlePauses() async throws(StoreError) {
        while !Task.isCancelled, try await settlePauses(limit: 500) {}
    }
}
