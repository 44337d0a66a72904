internal import JobQueue
internal import Synchronization

/// The jobs that this worker runs right now.
final class RunningJobs: Sendable {
    private struct Entry {
        var lease: Lease
        var queue: QueueName
        var task: Task<Void, Never>?
        var isCancelled = false
    }

    private let entries = Mutex<[JobID: Entry]>([:])

    var isEmpty: Bool { entries.withLock { $0.isEmpty } }

    var count: Int { entries.withLock { $0.count } }

    var leases: [Lease] { entries.withLock { $0.values.map(\.lease) } }

    func count(by queue: QueueName) -> Int { entries.withLock { $0.values.count { $0.queue == queue } } }

    /// Notes a job before its task starts, so that no moment exists in which it runs unseen.
    func add(_ lease: Lease, queue: QueueName) { entries.withLock { $0[lease.job] = Entry(lease: lease, queue: queue) } }

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

    /// Cancels those that are not among the leases; returns them.
    ///
    /// - Parameters:
    ///   - held: What the store says this worker holds.
    ///   - known: The leases that ran before the store was asked; younger ones are left alone.
    /// - Returns: The leases whose tasks were told to stop.
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

/// Gathers what running jobs say of their progress and writes the latest of each, many jobs at a time, never more
/// often than the interval.
final class ProgressReporter: Sendable {
    private let pending = Mutex<[JobID: ProgressReport]>([:])
    private let arrivals: AsyncStream<Void>
    private let arrived: AsyncStream<Void>.Continuation

    init() {
        (arrivals, arrived) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    func add(_ report: ProgressReport) {
        pending.withLock { $0[report.lease.job] = report }
        arrived.yield()
    }

    /// Forgets what a job that has ended said last.
    func forget(_ job: JobID) { _ = pending.withLock { $0.removeValue(forKey: job) } }

    /// Writes until the task is cancelled. A write that fails is dropped: the next report says more.
    func run(into store: any JobStore, every interval: Duration) async {
        for await _ in arrivals {
            let reports = pending.withLock { waiting in
                defer { waiting = [:] }
                return Array(waiting.values)
            }
            if !reports.isEmpty { try? await store.report(reports) }
            try? await Task.sleep(for: interval)
        }
    }
}
