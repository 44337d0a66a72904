package import JobQueue
import SQLSupport

// The queries of this file are in `SQL/pause_jobs.sql`.

extension SQLiteStore {
    package func settlePausesNow(limit: Int) async throws(StoreError) -> Bool {
        try await writer.perform { transaction in try transaction.settlePauses(limit: limit) }
    }
}

/// Pauses of kinds and lanes. A job that would be ready while its kind or its lane is paused is parked: it is in `scheduled`
/// for a time that never comes, and its deadline is that time and what it has left. A blocked job, a subscriber and a job
/// that waits for its time stay where they are, and only their deadlines stand still.
extension WriteTransaction {
    private struct StoredPause {
        var id: String
        var kind: String?
        var queue: String?
        var seen: Int64?
        var resumed: Int64
        var isEnding: Bool
    }

    /// Whether a pause holds jobs of a kind and a queue; `nil` when no deadline stands still.
    func isPaused(_ kind: String, _ queue: QueueName) throws -> Bool? {
        try database.first(.pauseHolds, .text(kind), .text(queue.rawValue)) { $0.integerIfAny() }.flatMap { $0 }
            .map { $0 != 0 }
    }

    /// The kinds and the lanes of which nothing is claimed.
    func pausedTargets() throws -> (kinds: Set<String>, queues: Set<QueueName>) {
        var (kinds, queues): (Set<String>, Set<QueueName>) = ([], [])
        for (kind, queue) in try database.all(.pauseTargets, read: { ($0.textIfAny(), $0.textIfAny()) }) {
            if let kind { kinds.insert(kind) }
            if let queue = queue.flatMap(QueueName.init(rawValue:)) { queues.insert(queue) }
        }
        return (kinds, queues)
    }

    /// Parks a pending job that is in no place and holds no permit.
    func park(_ number: Int64) throws {
        let now = now
        try database.run(.jobPark, .integer(number), .timestamp(now))
        try database.run(.scheduledInsert, .timestamp(.never), .integer(number))
        try note(JobEvent(.scheduled, at: now, code: .paused), of: number)
        noteVisible()
    }

    /// Lets the deadline of a job that is blocked, subscribes to another one or waits for its time stand still if a
    /// pause holds it.
    func standIfPaused(_ number: Int64, _ kind: String, _ queue: QueueName) throws {
        if try isPaused(kind, queue) == true { try database.run(.jobStand, .integer(number), .timestamp(now)) }
    }

    func settlePauses(limit: Int) throws -> Bool {
        let now = now
        try database.run(.pauseEndDue, .timestamp(now))
        let pause = try database.first(.pauseUnsettled) { row in
            StoredPause(
                id: row.text(), kind: row.textIfAny(), queue: row.textIfAny(), seen: row.integerIfAny(),
                resumed: row.integer(), isEnding: row.flag())
        }
        guard let pause else { return false }
        if pause.isEnding {
            if try resumeJobs(of: pause, limit: limit, at: now) {
                try database.run(.pauseOver, .text(pause.id))
                try database.run(.pauseForget, .timestamp(now - Pause.memory))
            }
        } else {
            try parkJobs(of: pause, limit: limit, at: now)
        }
        return true
    }

    /// Parks jobs from before the pause.
    private func parkJobs(of pause: StoredPause, limit: Int, at now: Timestamp) throws {
        let looked = try database.all(
            .pauseLook, .integer(pause.seen ?? 0), .text(pause.kind), .text(pause.queue), .integer(limit)
        ) { (number: $0.integer(), isHeld: $0.flag()) }
        for (number, _) in looked.filter(\.isHeld) {
            // An earlier job may have passed its permit on to this one.
            guard let job = try state(ofNumber: number), job.status == .pending else { continue }
            if job.isBlocked || job.subscribedTo != nil || job.runAt != nil {
                try database.run(.jobStand, .integer(number), .timestamp(now))
            } else {
                try withdraw(job)
                try park(number)
                try promoteWaiting(after: job)
            }
        }
        try database.run(
            .pauseSeen, .text(pause.id), .integer(looked.count == limit ? looked.last?.number : nil))
    }

    /// Lets jobs go on that no pause holds any more, and returns whether no other one is left.
    private func resumeJobs(of pause: StoredPause, limit: Int, at now: Timestamp) throws -> Bool {
        let looked = try database.all(
            .pauseParked, .integer(pause.resumed), .text(pause.kind), .text(pause.queue), .integer(limit)
        ) { row in
            let job = PendingJob(
                number: row.integer(), queue: try row.queue(), user: row.user(), priority: row.int(), kind: row.text(),
                isLimited: row.flag())
            return (job: job, isFree: row.flag())
        }
        for (job, _) in looked.filter(\.isFree) {
            try database.run(.scheduledDelete, .timestamp(.never), .integer(job.number))
            try database.run(.jobUnpark, .integer(job.number), .timestamp(now))
            try note(JobEvent(.ready, at: now), of: job.number)
            try enqueue(job)
            noteVisible()
        }
        let standing = try database.all(.pauseStanding, .text(pause.kind), .text(pause.queue), .integer(limit)) {
            $0.integer()
        }
        for number in standing { try database.run(.jobUnstand, .integer(number), .timestamp(now)) }
        guard looked.count < limit, standing.count < limit else {
            let last = looked.last?.job.number ?? pause.resumed
            try database.run(.pauseResumed, .text(pause.id), .integer(last))
            return false
        }
        return true
    }
}
