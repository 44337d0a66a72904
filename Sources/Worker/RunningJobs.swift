internal import JobQueue
internal import Observability
internal import Synchronization

/// The jobs that this worker runs.
final class RunningJobs: Sendable {
    private struct Entry {
        var lease: Lease
        var queue: QueueName
        var logger: Logger?
        var task: Task<Void, Never>?
        var isCancelled = false
    }

    private let entries = Mutex<[JobID: Entry]>([:])

    var isEmpty: Bool { entries.withLock { $0.isEmpty } }

    var count: Int { entries.withLock { $0.count } }

    var leases: [Lease] { entries.withLock { $0.values.map(\.lease) } }

    func count(by queue: QueueName) -> Int { entries.withLock { $0.values.count { $0.queue == queue } } }

    /// Adds a job before its task starts, so that it is never running without an entry.
    ///
    /// - Returns: False when the job runs already under this lease or a later one: two answers may name it.
    func add(_ lease: Lease, queue: QueueName, logger: Logger? = nil) -> Bool {
        entries.withLock { entries in
            if let present = entries[lease.job]?.lease, present.epoch >= lease.epoch { return false }
            entries[lease.job] = Entry(lease: lease, queue: queue, logger: logger)
            return true
        }
    }

    /// The logger whose lines name a job, while it runs.
    func logger(of lease: Lease) -> Logger? {
        entries.withLock { $0[lease.job].flatMap { $0.lease == lease ? $0.logger : nil } }
    }

    func attach(_ task: Task<Void, Never>, to lease: Lease) {
        let isCancelled = entries.withLock { entries in
            guard entries[lease.job]?.lease == lease else { return false }
            entries[lease.job]?.task = task
            return entries[lease.job]?.isCancelled == true
        }
        if isCancelled { task.cancel() }
    }

    func remove(_ lease: Lease) {
        entries.withLock { entries in
            if entries[lease.job]?.lease == lease { entries[lease.job] = nil }
        }
    }

    /// Cancels the jobs whose lease is lost.
    ///
    /// - Parameters:
    ///   - held: The leases that this worker holds according to the store.
    ///   - known: The leases that ran before the store was asked; later ones are not cancelled.
    /// - Returns: The leases whose tasks were cancelled.
    func cancel(notIn held: Set<Lease>, among known: [Lease]) -> [Lease] {
        let lost = known.filter { !held.contains($0) }
        return lost.filter(cancel)
    }

    func cancelAll() { for lease in leases { _ = cancel(lease) } }

    private func cancel(_ lease: Lease) -> Bool {
        let (task, isNew) = entries.withLock { entries -> (Task<Void, Never>?, Bool) in
            guard entries[lease.job]?.lease == lease, entries[lease.job]?.isCancelled == false else {
                return (nil, false)
            }
            entries[lease.job]?.isCancelled = true
            return (entries[lease.job]?.task, true)
        }
        task?.cancel()
        return isNew
    }
}

/// The leases that a worker holds without running their jobs.
///
/// A claim whose answer was lost leaves them, a claim whose answer cannot be read, or a run whose last write was
/// refused. No other worker would take these jobs, since this one is alive.
struct IdleLeases {
    /// The time for which a lease may be idle.
    let limit: Duration
    private var since: [Lease: ContinuousClock.Instant] = [:]

    init(limit: Duration) { self.limit = limit }

    /// Records the leases that were idle at a time.
    ///
    /// - Returns: Those that have been idle for too long.
    mutating func note(_ idle: Set<Lease>, at now: ContinuousClock.Instant) -> [Lease] {
        since = since.filter { idle.contains($0.key) }
        for lease in idle where since[lease] == nil { since[lease] = now }
        return since.filter { now - $0.value >= limit }.map(\.key)
    }
}
